/* Natives of Futex.java: futex(2) on a word that processes share. */
#include <errno.h>
#include <linux/futex.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "org_exsockets_jdk_Futex.h"

#define NATIVE(name) Java_org_exsockets_jdk_Futex_##name
#define NS_PER_S 1000000000L

JNIEXPORT jlong JNICALL NATIVE(address)(JNIEnv *env, jclass class, jobject direct)
{
    (void) class;
    return (jlong) (intptr_t) (*env)->GetDirectBufferAddress(env, direct);
}

/* Whoever has cleared the word meanwhile gives EAGAIN: as good as woken. */
JNIEXPORT jint JNICALL NATIVE(sleep)(JNIEnv *env, jclass class, jlong address, jint expected, jlong timeout_ns)
{
    (void) env, (void) class;
    struct timespec limit = { .tv_sec = timeout_ns / NS_PER_S, .tv_nsec = timeout_ns % NS_PER_S };
    if (!syscall(SYS_futex, (void *) (intptr_t) address, FUTEX_WAIT, expected, &limit, NULL, 0))
        return org_exsockets_jdk_Futex_WOKEN;
    if (errno == EAGAIN || errno == EINTR)
        return org_exsockets_jdk_Futex_WOKEN;
    return errno == ETIMEDOUT ? org_exsockets_jdk_Futex_TIMED_OUT : -errno;
}

/* Fails only where the page is gone, and nobody can sleep there then. */
JNIEXPORT void JNICALL NATIVE(wake)(JNIEnv *env, jclass class, jlong address)
{
    (void) env, (void) class;
    syscall(SYS_futex, (void *) (intptr_t) address, FUTEX_WAKE, 1, NULL, NULL, 0);
}
