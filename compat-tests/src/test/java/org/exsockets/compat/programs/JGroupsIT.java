package org.exsockets.compat.programs;

import java.util.Set;

/** JGroups on threads and streams: a state of 3 MB, messages of all lengths. */
final class JGroupsIT extends ProgramTest {
    JGroupsIT() {
        super(new Driver("jgroups", "FirstMember", "TCP"), new Driver("jgroups", "SecondMember", "TCP"));
    }

    /** Each member listens, and connects to the other one. */
    @Override
    Set<String> otherReasons() {
        return Set.of("peer-plain", "no-listener");
    }
}
