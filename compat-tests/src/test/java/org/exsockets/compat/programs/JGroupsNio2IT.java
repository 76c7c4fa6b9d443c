package org.exsockets.compat.programs;

import java.util.Set;

/** JGroups on selectors: a state of 3 MB, messages of all lengths. */
final class JGroupsNio2IT extends ProgramTest {
    JGroupsNio2IT() {
        super(new Driver("jgroups", "FirstMember", "TCP_NIO2"), new Driver("jgroups", "SecondMember", "TCP_NIO2"));
    }

    /** Each member listens, and connects to the other one. */
    @Override
    Set<String> otherReasons() {
        return Set.of("peer-plain", "no-listener");
    }
}
