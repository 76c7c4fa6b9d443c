package org.exsockets.compat.programs.jgroups;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import org.exsockets.compat.programs.driver.Ports;
import org.jgroups.JChannel;

/** How both members are set up. Stateless. */
final class Member {
    static final String CLUSTER = "exs";
    static final int STATE_BYTES = 3_000_000;

    private static final String PROTOCOLS =
            """
            <config xmlns="urn:org:jgroups">
                <%s bind_addr="%s" bind_port="%d" port_range="0" diag.enabled="false"/>
                <TCPPING initial_hosts="%s[%d]" port_range="0"/>
                <FD_ALL3 timeout="60000" interval="10000"/>
                <VERIFY_SUSPECT2/>
                <pbcast.NAKACK2 use_mcast_xmit="false"/>
                <UNICAST3/>
                <pbcast.STABLE/>
                <pbcast.GMS join_timeout="2000" print_local_addr="false"/>
                <UFC max_credits="4M"/>
                <MFC max_credits="4M"/>
                <FRAG4/>
                <pbcast.STATE_TRANSFER/>
            </config>
            """;

    private Member() {}

    /**
     * {@return a member, not connected yet}
     *
     * @param transport TCP or TCP_NIO2
     * @param port its own
     * @param first the port of the first member
     */
    static JChannel open(String transport, int port, int first) throws Exception {
        String protocols = PROTOCOLS.formatted(transport, Ports.HOST, port, Ports.HOST, first);
        return new JChannel(new ByteArrayInputStream(protocols.getBytes(StandardCharsets.UTF_8)));
    }
}
