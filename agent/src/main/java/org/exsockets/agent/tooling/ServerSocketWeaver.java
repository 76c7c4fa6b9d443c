package org.exsockets.agent.tooling;

import java.io.IOException;
import java.lang.instrument.Instrumentation;
import java.lang.instrument.UnmodifiableClassException;
import net.bytebuddy.jar.asm.MethodVisitor;
import net.bytebuddy.jar.asm.Opcodes;
import org.exsockets.jdk.InsideJdk;

/**
 * Inserts a call of the hook into the platform's own {@code accept}. Needed before the first socket is replaced: an
 * older server socket may be asked to accept that one. One thread.
 */
final class ServerSocketWeaver extends PlatformWeaver {
    private ServerSocketWeaver() {
        super("server sockets");
    }

    /** Weaves the call into the JDK; fails as {@link PlatformWeaver#woven}, or if the JVM refuses the change. */
    static void weave(Instrumentation instrumentation)
            throws ClassNotFoundException, IOException, UnmodifiableClassException {
        InsideJdk server = usesOldPlatformSockets() ? InsideJdk.OLD_SERVER_SOCKETS : InsideJdk.SERVER_SOCKETS;
        instrumentation.redefineClasses(new ServerSocketWeaver().woven(server, 1));
    }

    /** Reads the switch as JDK 17 does, the last one that has it. */
    private static boolean usesOldPlatformSockets() {
        String value = System.getProperty("jdk.net.usePlainSocketImpl");
        return Runtime.version().feature() == 17 && value != null && !value.equalsIgnoreCase("false");
    }

    @Override
    MethodVisitor wovenMethod(String className, String method, MethodVisitor next) {
        if (!method.equals("accept(Ljava/net/SocketImpl;)V")) {
            return next;
        }
        countInsertion();
        return new MethodVisitor(API, next) {
            @Override
            public void visitCode() {
                super.visitCode();
                super.visitVarInsn(Opcodes.ALOAD, 1);
                super.visitMethodInsn(
                        Opcodes.INVOKESTATIC,
                        "java/net/ExsSocketHook",
                        "onPlatformAccept",
                        "(Ljava/net/SocketImpl;)Ljava/net/SocketImpl;",
                        false);
                super.visitVarInsn(Opcodes.ASTORE, 1);
            }
        };
    }
}
