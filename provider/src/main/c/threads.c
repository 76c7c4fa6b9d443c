/* Natives of Threads.java. */
#include "org_exsockets_jdk_Threads.h"

/* Not virtually: a program may have overridden it. */
JNIEXPORT void JNICALL Java_org_exsockets_jdk_Threads_interruptOfTheJdk(JNIEnv *env, jclass class, jobject thread)
{
    (void) class;
    jclass of_all = (*env)->FindClass(env, "java/lang/Thread");
    jmethodID interrupt = of_all ? (*env)->GetMethodID(env, of_all, "interrupt", "()V") : NULL;
    if (interrupt)
        (*env)->CallNonvirtualVoidMethod(env, thread, of_all, interrupt);
}
