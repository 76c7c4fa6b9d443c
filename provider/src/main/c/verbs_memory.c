/* Natives of Verbs.java: memory. */
#include <errno.h>
#include <pthread.h>
#include <search.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "failure.h"
#include "org_exsockets_verbs_disni_Verbs.h"

struct allocation {
    void *address;
    size_t length;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/*
 * What `allocate` has given out and `free` has not taken back, so that no other memory is ever unmapped: a balanced tree
 * (tsearch(3)), as there are one or more for each connection. Under the lock.
 */
static void *allocations;

static int by_address(const void *one, const void *other)
{
    uintptr_t first = (uintptr_t) ((const struct allocation *) one)->address;
    uintptr_t second = (uintptr_t) ((const struct allocation *) other)->address;

    return first < second ? -1 : first > second;
}

/* Below the end of the address space of x86-64, and of aarch64 with 48 bits; on pages of up to 64 KiB. */
#define SOMEWHERE UINT64_C(0x3fffffff0000)

/*
 * Where memory is asked for: mmap(2) would put it where some of the same length was just freed, and adapters may give out a
 * key again (mlx5 keeps keys for the next registration). A peer that remembers both could write there. Where the kernel
 * cannot follow, it takes another place.
 */
static void *anywhere(void)
{
    uint64_t random = 0;

    if (syscall(SYS_getrandom, &random, sizeof random, GRND_NONBLOCK) != sizeof random)
        return NULL;
    return (void *) (uintptr_t) (random & SOMEWHERE);
}

JNIEXPORT jobject JNICALL Java_org_exsockets_verbs_disni_Verbs_allocate(JNIEnv *env, jclass class, jlong bytes)
{
    struct allocation *allocation = malloc(sizeof *allocation);
    jobject buffer;

    (void) class;
    if (allocation == NULL || bytes < 1 || bytes > INT32_MAX) {
        free(allocation);
        fail(env, "mmap", allocation == NULL ? ENOMEM : EINVAL);
        return NULL;
    }
    allocation->length = (size_t) bytes;
    allocation->address =
            mmap(anywhere(), allocation->length, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (allocation->address == MAP_FAILED) {
        fail(env, "mmap", errno);
        free(allocation);
        return NULL;
    }
    /*
     * A fork(2) would leave the pages that the device writes to with the child or the parent, before Linux 5.12. Nothing
     * depends on its success: the JVM itself does not fork.
     */
    (void) madvise(allocation->address, allocation->length, MADV_DONTFORK);
    buffer = (*env)->NewDirectByteBuffer(env, allocation->address, bytes);
    if (buffer != NULL) {
        void *kept;

        pthread_mutex_lock(&lock);
        kept = tsearch(allocation, &allocations, by_address);
        pthread_mutex_unlock(&lock);
        if (kept != NULL)
            return buffer;
        fail(env, "mmap", ENOMEM);
    }
    munmap(allocation->address, allocation->length);
    free(allocation);
    return NULL;
}

JNIEXPORT void JNICALL Java_org_exsockets_verbs_disni_Verbs_free(JNIEnv *env, jclass class, jobject memory)
{
    struct allocation wanted = {.address = memory == NULL ? NULL : (*env)->GetDirectBufferAddress(env, memory)};
    struct allocation *found = NULL;
    void *node;

    (void) class;
    pthread_mutex_lock(&lock);
    node = tfind(&wanted, &allocations, by_address);
    if (node != NULL) {
        found = *(struct allocation **) node;
        tdelete(found, &allocations, by_address);
    }
    pthread_mutex_unlock(&lock);
    if (found == NULL) {
        fail_because(env, "munmap", EINVAL, "not memory that was allocated here, or freed already");
        return;
    }
    munmap(found->address, found->length);
    free(found);
}

JNIEXPORT jlong JNICALL Java_org_exsockets_verbs_disni_Verbs_address(JNIEnv *env, jclass class, jobject direct)
{
    void *address = direct == NULL ? NULL : (*env)->GetDirectBufferAddress(env, direct);

    (void) class;
    if (address == NULL) {
        jclass exception = (*env)->FindClass(env, "java/lang/IllegalArgumentException");

        if (exception != NULL)
            (*env)->ThrowNew(env, exception, "the buffer is null or not direct");
    }
    return (jlong) (intptr_t) address;
}
