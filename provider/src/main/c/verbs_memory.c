/* Natives of Verbs.java: memory. */
#include <errno.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "failure.h"
#include "org_exsockets_verbs_disni_Verbs.h"

/* What `allocate` has given out and `free` has not taken back, so that no other memory is ever unmapped. */
struct allocation {
    struct allocation *next;
    void *address;
    size_t length;
};

/* Protects the list. Allocations are few and large: pools, not messages. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct allocation *allocations;

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
            mmap(NULL, allocation->length, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (allocation->address == MAP_FAILED) {
        fail(env, "mmap", errno);
        free(allocation);
        return NULL;
    }
    buffer = (*env)->NewDirectByteBuffer(env, allocation->address, bytes);
    if (buffer == NULL) {
        munmap(allocation->address, allocation->length);
        free(allocation);
        return NULL;
    }
    pthread_mutex_lock(&lock);
    allocation->next = allocations;
    allocations = allocation;
    pthread_mutex_unlock(&lock);
    return buffer;
}

JNIEXPORT void JNICALL Java_org_exsockets_verbs_disni_Verbs_free(JNIEnv *env, jclass class, jobject memory)
{
    void *address = memory == NULL ? NULL : (*env)->GetDirectBufferAddress(env, memory);
    struct allocation *found = NULL;

    (void) class;
    pthread_mutex_lock(&lock);
    for (struct allocation **link = &allocations; *link != NULL; link = &(*link)->next) {
        if ((*link)->address == address) {
            found = *link;
            *link = found->next;
            break;
        }
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
