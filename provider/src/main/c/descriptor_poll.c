/* Natives of DescriptorPoll.java: poll(2) of a descriptor. */
#include <errno.h>
#include <poll.h>
#include <time.h>

#include "org_exsockets_jdk_DescriptorPoll.h"

#define NS_PER_S 1000000000L

JNIEXPORT jint JNICALL Java_org_exsockets_jdk_DescriptorPoll_version(JNIEnv *env, jclass class)
{
    (void) env, (void) class;
    return org_exsockets_jdk_DescriptorPoll_VERSION;
}

JNIEXPORT jint JNICALL Java_org_exsockets_jdk_DescriptorPoll_poll(JNIEnv *env, jclass class, jint descriptor,
                                                                 jlong timeout_ns)
{
    (void) env, (void) class;
    struct pollfd waited = { .fd = descriptor, .events = POLLIN };
    struct timespec limit = { .tv_sec = timeout_ns / NS_PER_S, .tv_nsec = timeout_ns % NS_PER_S };
    int ready = ppoll(&waited, 1, timeout_ns < 0 ? NULL : &limit, NULL);
    if (ready < 0)
        return errno == EINTR ? 0 : -errno;
    return ready;
}

/* A descriptor that was closed meanwhile (POLLNVAL) is not told from one that is well. */
JNIEXPORT jboolean JNICALL Java_org_exsockets_jdk_DescriptorPoll_hungUp(JNIEnv *env, jclass class, jint descriptor)
{
    (void) env, (void) class;
    struct pollfd waited = { .fd = descriptor };
    return poll(&waited, 1, 0) == 1 && waited.revents & (POLLERR | POLLHUP);
}
