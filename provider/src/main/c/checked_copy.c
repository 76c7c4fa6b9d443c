/* Natives of CheckedCopy.java: copies of which the kernel says how far they have come. */
#include <errno.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include "org_exsockets_memory_CheckedCopy.h"

#define NATIVE(name) Java_org_exsockets_memory_CheckedCopy_##name

/* The kernel reaches the checked side as it would another process's; what is not there ends the copy, and is no signal. */
static jint copy(long call, jlong own, jlong checked, jint length)
{
    struct iovec here = { .iov_base = (void *) (intptr_t) own, .iov_len = (size_t) length };
    struct iovec there = { .iov_base = (void *) (intptr_t) checked, .iov_len = (size_t) length };
    long copied = syscall(call, getpid(), &here, 1L, &there, 1L, 0L);
    return copied < 0 ? -errno : (jint) copied;
}

JNIEXPORT jint JNICALL NATIVE(read)(JNIEnv *env, jclass class, jlong checked, jlong to, jint length)
{
    (void) env, (void) class;
    return copy(SYS_process_vm_readv, to, checked, length);
}

JNIEXPORT jint JNICALL NATIVE(write)(JNIEnv *env, jclass class, jlong from, jlong checked, jint length)
{
    (void) env, (void) class;
    return copy(SYS_process_vm_writev, from, checked, length);
}
