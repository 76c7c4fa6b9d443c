/* Natives of Verbs.java: descriptors to wait on. */
#include <errno.h>
#include <poll.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "failure.h"
#include "org_exsockets_verbs_disni_Verbs.h"

enum { MAX_DESCRIPTOR = 1 << 20, BITS = 64, WAITED_FOR_ON_STACK = 32 };

/*
 * One bit for each descriptor that createEvent has made and closeEvent has not closed, so that no other descriptor of
 * the process is ever written to or closed. Set after eventfd and cleared before close, so a number that the kernel
 * gives out again at once is not mistaken.
 */
static _Atomic uint64_t events[MAX_DESCRIPTOR / BITS];

static uint64_t bit_of(jint descriptor)
{
    return UINT64_C(1) << (descriptor % BITS);
}

static bool is_event(jint descriptor)
{
    return descriptor >= 0 && descriptor < MAX_DESCRIPTOR
           && (atomic_load(&events[descriptor / BITS]) & bit_of(descriptor)) != 0;
}

JNIEXPORT jint JNICALL Java_org_exsockets_verbs_disni_Verbs_createEvent(JNIEnv *env, jclass class)
{
    int descriptor = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);

    (void) class;
    if (descriptor < 0) {
        fail(env, "eventfd", errno);
        return -1;
    }
    if (descriptor >= MAX_DESCRIPTOR) {
        close(descriptor);
        fail(env, "eventfd", EMFILE);
        return -1;
    }
    atomic_fetch_or(&events[descriptor / BITS], bit_of(descriptor));
    return descriptor;
}

JNIEXPORT void JNICALL Java_org_exsockets_verbs_disni_Verbs_signalEvent(JNIEnv *env, jclass class, jint descriptor)
{
    const uint64_t one = 1;

    (void) class;
    if (!is_event(descriptor))
        fail(env, "write to an eventfd", EBADF);
    /* EAGAIN: it has been signalled as often as it can count. */
    else if (write(descriptor, &one, sizeof one) < 0 && errno != EAGAIN)
        fail(env, "write to an eventfd", errno);
}

JNIEXPORT void JNICALL Java_org_exsockets_verbs_disni_Verbs_clearEvent(JNIEnv *env, jclass class, jint descriptor)
{
    uint64_t count;

    (void) class;
    if (!is_event(descriptor))
        fail(env, "read from an eventfd", EBADF);
    else if (read(descriptor, &count, sizeof count) < 0 && errno != EAGAIN)
        fail(env, "read from an eventfd", errno);
}

JNIEXPORT void JNICALL Java_org_exsockets_verbs_disni_Verbs_closeEvent(JNIEnv *env, jclass class, jint descriptor)
{
    (void) class;
    /* Of two threads that close the same one, one finds the bit. */
    if (!is_event(descriptor)
        || (atomic_fetch_and(&events[descriptor / BITS], ~bit_of(descriptor)) & bit_of(descriptor)) == 0)
        fail(env, "close of an eventfd", EBADF);
    else
        close(descriptor);
}

/* Waits, and tells of the outcome in `ready`. Returns how many are ready, or -errno. */
static int wait_for(struct pollfd *polled, jboolean *ready, jsize count, jint timeout_ms)
{
    int result = poll(polled, (nfds_t) count, timeout_ms);

    if (result < 0)
        return errno == EINTR ? 0 : -errno;
    for (jsize i = 0; i < count; i++) {
        if ((polled[i].revents & POLLNVAL) != 0)
            return -EBADF;
        ready[i] = polled[i].revents != 0;
    }
    return result;
}

JNIEXPORT jint JNICALL Java_org_exsockets_verbs_disni_Verbs_waitFor(JNIEnv *env, jclass class,
                                                                   jintArray descriptors, jbooleanArray ready,
                                                                   jint timeout_ms)
{
    struct waited {
        struct pollfd polled;
        jint descriptor;
        jboolean ready;
    };
    struct pollfd polled_on_stack[WAITED_FOR_ON_STACK];
    jint numbers_on_stack[WAITED_FOR_ON_STACK];
    jboolean ready_on_stack[WAITED_FOR_ON_STACK] = {0};
    struct pollfd *polled = polled_on_stack;
    jint *numbers = numbers_on_stack;
    jboolean *outcome = ready_on_stack;
    void *block = NULL;
    jsize count;
    int result;

    (void) class;
    if (descriptors == NULL || ready == NULL || timeout_ms < -1) {
        fail(env, "poll", EINVAL);
        return 0;
    }
    count = (*env)->GetArrayLength(env, descriptors);
    if ((*env)->GetArrayLength(env, ready) < count) {
        fail(env, "poll", EINVAL);
        return 0;
    }
    if (count > WAITED_FOR_ON_STACK) {
        block = calloc((size_t) count, sizeof(struct waited));
        if (block == NULL) {
            fail(env, "poll", ENOMEM);
            return 0;
        }
        polled = block;
        numbers = (jint *) (polled + count);
        outcome = (jboolean *) (numbers + count);
    }
    (*env)->GetIntArrayRegion(env, descriptors, 0, count, numbers);
    for (jsize i = 0; i < count; i++)
        polled[i] = (struct pollfd){.fd = numbers[i], .events = POLLIN};
    result = wait_for(polled, outcome, count, timeout_ms);
    if (!failed(env, "poll", result))
        (*env)->SetBooleanArrayRegion(env, ready, 0, count, outcome);
    free(block);
    return result < 0 ? 0 : result;
}
