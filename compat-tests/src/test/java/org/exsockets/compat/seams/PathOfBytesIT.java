package org.exsockets.compat.seams;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.jdi.Bootstrap;
import com.sun.jdi.IncompatibleThreadStateException;
import com.sun.jdi.Location;
import com.sun.jdi.Method;
import com.sun.jdi.ReferenceType;
import com.sun.jdi.StackFrame;
import com.sun.jdi.StringReference;
import com.sun.jdi.ThreadReference;
import com.sun.jdi.VirtualMachine;
import com.sun.jdi.connect.Connector.Argument;
import com.sun.jdi.connect.ListeningConnector;
import com.sun.jdi.event.BreakpointEvent;
import com.sun.jdi.event.ClassPrepareEvent;
import com.sun.jdi.event.Event;
import com.sun.jdi.event.EventSet;
import com.sun.jdi.event.MethodEntryEvent;
import com.sun.jdi.event.VMDisconnectEvent;
import com.sun.jdi.request.ClassPrepareRequest;
import com.sun.jdi.request.EventRequest;
import com.sun.jdi.request.MethodEntryRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.exsockets.compat.harness.Patience;
import org.exsockets.compat.harness.ProgramJvm;
import org.exsockets.compat.harness.Transport;
import org.exsockets.compat.seams.programs.OneCall;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * How far it is from a call of a program to the copy of its bytes: a debugger follows one call through our own methods.
 * Frames of the JDK do not count.
 */
final class PathOfBytesIT extends SeamTest {
    private static final String OWN = "org.exsockets.";
    private static final String TESTS = "org.exsockets.compat.";

    /** Of a call that has to wait, but spins until it can go on. */
    private static final int MORE_FILES = 7;

    /** The method that has the JVM copy. */
    private static final String COPY = "org.exsockets.jdk.UnsafeBufferInside.copy";

    /** One call, as it was followed. */
    private static final class Call {
        /** Our own frames at the copy, from the face on. */
        List<String> copying = List.of();

        int copies;

        /** The source files of all methods of ours that it has entered. */
        final Set<String> files = new TreeSet<>();

        @Override
        public String toString() {
            return copying.size() + " frames at the copy: " + String.join(" > ", copying) + "; " + files.size()
                    + " files: " + files;
        }
    }

    /**
     * @param write our own frames of a write, at most twelve, as of the other two
     * @param read of a read that finds its bytes
     * @param waiting of a read that has to wait for them
     * @param files most source files that a call goes through; one that has to wait goes through more
     */
    @ParameterizedTest
    @CsvSource({"channel, 12, 8, 10, 30", "socket, 12, 10, 12, 32"})
    void fewFramesLieBetweenACallAndTheCopy(String kind, int write, int read, int waiting, int files) throws Exception {
        Map<String, Call> calls = follow(kind);
        assertEquals(Set.of("write", "read", "waiting read"), calls.keySet());
        assertShort(calls, "write", write, files);
        assertShort(calls, "read", read, files);
        assertShort(calls, "waiting read", waiting, files + MORE_FILES);
    }

    private static void assertShort(Map<String, Call> calls, String name, int frames, int files) {
        Call call = calls.get(name);
        assertEquals(1, call.copies, () -> name + " copies its bytes once: " + call);
        assertTrue(call.copying.size() <= frames && call.files.size() <= files, () -> name + ": " + call);
    }

    private Map<String, Call> follow(String kind) throws Exception {
        ListeningConnector connector = Bootstrap.virtualMachineManager().listeningConnectors().stream()
                .filter(each -> each.name().equals("com.sun.jdi.SocketListen"))
                .findFirst()
                .orElseThrow();
        Map<String, Argument> arguments = connector.defaultArguments();
        arguments.get("localAddress").setValue("127.0.0.1");
        arguments.get("timeout").setValue(Long.toString(Patience.PROGRAM_SECONDS * 1000));
        String address = connector.startListening(arguments);
        try {
            List<String> options =
                    List.of("-agentlib:jdwp=transport=dt_socket,server=n,address=" + address, "-Dexs.spin=999999999");
            String[] which = kind.equals("channel") ? new String[0] : new String[] {kind};
            ProgramJvm program = start("program", Transport.SOFT, options, OneCall.class, which);
            Map<String, Call> calls = follow(connector.accept(arguments));
            assertEquals(List.of("exchanged"), program.awaitEnd());
            assertOverExs(program, 2);
            return calls;
        } finally {
            connector.stopListening(arguments);
        }
    }

    private static Map<String, Call> follow(VirtualMachine machine) throws Exception {
        ClassPrepareRequest prepared = machine.eventRequestManager().createClassPrepareRequest();
        prepared.addClassFilter(OneCall.class.getName());
        prepared.enable();
        Map<String, Call> calls = new TreeMap<>();
        Call current = null;
        MethodEntryRequest entries = null;
        while (true) {
            EventSet events = machine.eventQueue().remove(Patience.PROGRAM_SECONDS * 1000);
            if (events == null) {
                throw Patience.expired("the program goes on", Patience.PROGRAM_SECONDS);
            }
            for (Event event : events) {
                if (event instanceof VMDisconnectEvent) {
                    return calls;
                } else if (event instanceof ClassPrepareEvent program) {
                    stopAt(program.referenceType(), "begins");
                    stopAt(program.referenceType(), "ends");
                } else if (event instanceof BreakpointEvent stop) {
                    if (stop.location().method().name().equals("begins")) {
                        current = new Call();
                        calls.put(argument(stop.thread()), current);
                        entries = entriesOf(stop.thread());
                    } else {
                        machine.eventRequestManager().deleteEventRequest(entries);
                    }
                } else if (event instanceof MethodEntryEvent entry) {
                    enter(current, entry);
                }
            }
            events.resume();
        }
    }

    private static void stopAt(ReferenceType program, String method) {
        Location start = program.methodsByName(method).get(0).location();
        EventRequest stop = program.virtualMachine().eventRequestManager().createBreakpointRequest(start);
        stop.setSuspendPolicy(EventRequest.SUSPEND_EVENT_THREAD);
        stop.enable();
    }

    private static String argument(ThreadReference thread) throws IncompatibleThreadStateException {
        return ((StringReference) thread.frame(0).getArgumentValues().get(0)).value();
    }

    private static MethodEntryRequest entriesOf(ThreadReference thread) {
        MethodEntryRequest entries =
                thread.virtualMachine().eventRequestManager().createMethodEntryRequest();
        entries.addThreadFilter(thread);
        entries.addClassFilter(OWN + "*");
        entries.addClassExclusionFilter(TESTS + "*");
        entries.setSuspendPolicy(EventRequest.SUSPEND_EVENT_THREAD);
        entries.enable();
        return entries;
    }

    private static void enter(Call call, MethodEntryEvent entry) throws Exception {
        call.files.add(entry.location().sourcePath());
        if (!COPY.equals(
                entry.method().declaringType().name() + "." + entry.method().name())) {
            return;
        }
        List<String> own = new ArrayList<>();
        for (StackFrame frame : entry.thread().frames()) {
            Method method = frame.location().method();
            String name = method.declaringType().name();
            if (name.startsWith(OWN) && !name.startsWith(TESTS)) {
                own.add(0, name.substring(name.lastIndexOf('.') + 1) + "." + method.name());
            }
        }
        call.copying = own;
        call.copies++;
    }
}
