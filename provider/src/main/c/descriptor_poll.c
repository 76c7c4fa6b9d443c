/* Natives of DescriptorPoll.java: poll(2) of a descriptor together with an eventfd(2) that wakes the caller. */
#include <errno.h>
#include <poll.h>
#include <stdint.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

#include "org_exsockets_jdk_DescriptorPoll.h"

#define NS_PER_S 1000000000L

JNIEXPORT jint JNICALL Java_org_exsockets_jdk_DescriptorPoll_version(JNIEnv *env, jclass class)
{
    (void) env, (void) class;
    return org_exsockets_jdk_DescriptorPoll_VERSION;
}

JNIEXPORT jint JNICALL Java_org_exsockets_jdk_DescriptorPoll_openBell(JNIEnv *env, jclass class)
{
    (void) env, (void) class;
    int bell = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    return bell >= 0 ? bell : -errno;
}

JNIEXPORT void JNICALL Java_org_exsockets_jdk_DescriptorPoll_ring(JNIEnv *env, jclass class, jint bell)
{
    (void) env, (void) class;
    /* Fails only where the counter is at its end, and whoever waits has been woken then. */
    ssize_t written = write(bell, &(uint64_t) { 1 }, sizeof(uint64_t));
    (void) written;
}

JNIEXPORT void JNICALL Java_org_exsockets_jdk_DescriptorPoll_closeBell(JNIEnv *env, jclass class, jint bell)
{
    (void) env, (void) class;
    close(bell);
}

/* Without an eventfd (bell < 0) poll ignores its place. */
JNIEXPORT jint JNICALL Java_org_exsockets_jdk_DescriptorPoll_poll(JNIEnv *env, jclass class, jint descriptor, jint bell,
                                                                 jlong timeout_ns)
{
    (void) env, (void) class;
    struct pollfd waited[] = { { .fd = descriptor, .events = POLLIN }, { .fd = bell, .events = POLLIN } };
    struct timespec limit = { .tv_sec = timeout_ns / NS_PER_S, .tv_nsec = timeout_ns % NS_PER_S };
    int ready = ppoll(waited, 2, timeout_ns < 0 ? NULL : &limit, NULL);
    if (ready < 0)
        return errno == EINTR ? 0 : -errno;
    if (waited[1].revents) {
        uint64_t rung;
        ssize_t taken = read(bell, &rung, sizeof rung);
        (void) taken;
    }
    return waited[0].revents != 0;
}

/* A descriptor that was closed meanwhile (POLLNVAL) is not told from one that is well. */
JNIEXPORT jboolean JNICALL Java_org_exsockets_jdk_DescriptorPoll_hungUp(JNIEnv *env, jclass class, jint descriptor)
{
    (void) env, (void) class;
    struct pollfd waited = { .fd = descriptor };
    return poll(&waited, 1, 0) == 1 && waited.revents & (POLLERR | POLLHUP);
}
