/*
 * Natives of NativeMemory.java: memory that has no name, whose length is sealed, and that is mapped where Java asks. Everything
 * returns -errno on failure; addresses and lengths have been checked there.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "error_text.h"
#include "org_exsockets_verbs_soft_host_NativeMemory.h"

#define NATIVE(name) Java_org_exsockets_verbs_soft_host_NativeMemory_##name

/* Only whole pages are emptied. The mapping is shared, and can be written to. */
JNIEXPORT jint JNICALL NATIVE(emptyWithin)(JNIEnv *env, jclass class, jobject memory, jlong offset, jlong length)
{
    (void) class;
    jlong address = (jlong) (intptr_t) (*env)->GetDirectBufferAddress(env, memory) + offset;
    jlong page = sysconf(_SC_PAGESIZE);
    jlong begin = (address + page - 1) & -page, end = (address + length) & -page;
    return begin < end && madvise((void *) (intptr_t) begin, (size_t) (end - begin), MADV_REMOVE) ? -errno : 0;
}

JNIEXPORT jlong JNICALL NATIVE(presentBytes)(JNIEnv *env, jclass class, jobject memory, jlong offset, jlong length)
{
    (void) class;
    unsigned char there[512];
    jlong address = (jlong) (intptr_t) (*env)->GetDirectBufferAddress(env, memory) + offset;
    jlong page = sysconf(_SC_PAGESIZE);
    jlong begin = address & -page, end = (address + length + page - 1) & -page;
    jlong present = 0;
    while (begin < end) {
        size_t pages = (size_t) ((end - begin) / page);
        if (pages > sizeof there)
            pages = sizeof there;
        if (mincore((void *) (intptr_t) begin, pages * (size_t) page, there))
            return -errno;
        for (size_t i = 0; i < pages; i++)
            present += there[i] & 1;
        begin += (jlong) pages * page;
    }
    return present * page;
}

#define EMPTY (FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE)

/*
 * fstat(2) under a name that every C library has: glibc calls it __fxstat before 2.33, and only there. The kernel's struct is
 * that of both libraries on the 64-bit architectures.
 */
static int status_of(int fd, struct stat *status)
{
    return (int) syscall(SYS_fstat, fd, status);
}

static jlong result_of(void *mapped)
{
    return mapped == MAP_FAILED ? -errno : (jlong) (intptr_t) mapped;
}

JNIEXPORT jint JNICALL NATIVE(pageBytes)(JNIEnv *env, jclass class)
{
    (void) env, (void) class;
    return (jint) sysconf(_SC_PAGESIZE);
}

#ifndef MFD_NOEXEC_SEAL /* Linux 6.3 */
#define MFD_NOEXEC_SEAL 0x0008U
#endif

#define SEALS (F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL)

/* Not by its name: glibc has one since 2.27. */
static int new_memory(unsigned int flags)
{
    return (int) syscall(SYS_memfd_create, "exs", MFD_CLOEXEC | flags);
}

JNIEXPORT jint JNICALL NATIVE(create)(JNIEnv *env, jclass class, jlong length)
{
    (void) env, (void) class;
    int fd = new_memory(MFD_ALLOW_SEALING | MFD_NOEXEC_SEAL);
    if (fd < 0 && errno == EINVAL)
        fd = new_memory(MFD_ALLOW_SEALING);
    if (fd < 0)
        return -errno;
    if (ftruncate(fd, length) || fcntl(fd, F_ADD_SEALS, SEALS)) {
        int error = errno;
        close(fd);
        return -error;
    }
    return fd;
}

/*
 * Of huge pages there may be none when one is touched: that is a SIGBUS, as a shorter file is. Seals are asked for first: nothing
 * but memory has any, and of other files the server, if they have one, is not asked.
 */
JNIEXPORT jlong JNICALL NATIVE(sealedBytes)(JNIEnv *env, jclass class, jint fd)
{
    (void) env, (void) class;
    struct statfs system;
    struct stat status;
    int seals = fcntl(fd, F_GET_SEALS);
    if (seals < 0)
        return -errno;
    if ((seals & SEALS) != SEALS)
        return -EPERM;
    if (status_of(fd, &status) || fstatfs(fd, &system))
        return -errno;
    return S_ISREG(status.st_mode) && system.f_type == TMPFS_MAGIC ? (jlong) status.st_size : -EPERM;
}

JNIEXPORT jlong JNICALL NATIVE(mapShared)(JNIEnv *env, jclass class, jint fd, jlong offset, jlong length)
{
    (void) env, (void) class;
    return result_of(mmap(NULL, (size_t) length, PROT_READ | PROT_WRITE, MAP_SHARED, fd, offset));
}

JNIEXPORT jint JNICALL NATIVE(mapSharedOver)(JNIEnv *env, jclass class, jlong address, jint fd, jlong offset, jlong length)
{
    (void) env, (void) class;
    void *at = (void *) (intptr_t) address;
    return mmap(at, (size_t) length, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, fd, offset) == at ? 0 : -errno;
}

JNIEXPORT jint JNICALL NATIVE(unmap)(JNIEnv *env, jclass class, jlong address, jlong length)
{
    (void) env, (void) class;
    return munmap((void *) (intptr_t) address, (size_t) length) ? -errno : 0;
}

/* Other threads of this process see the old pages or the new ones, never none: the kernel exchanges them in one step. */
JNIEXPORT jint JNICALL NATIVE(makePrivate)(JNIEnv *env, jclass class, jlong address, jlong length)
{
    (void) env, (void) class;
    void *at = (void *) (intptr_t) address;
    void *copy = mmap(NULL, (size_t) length, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (copy == MAP_FAILED)
        return -errno;
    memcpy(copy, at, (size_t) length);
    if (mremap(copy, (size_t) length, (size_t) length, MREMAP_MAYMOVE | MREMAP_FIXED, at) != at) {
        int error = errno;
        munmap(copy, (size_t) length);
        return -error;
    }
    return 0;
}

static jint change_pages(int fd, int mode, jlong offset, jlong length)
{
    while (fallocate(fd, mode, offset, length))
        if (errno != EINTR)
            return -errno;
    return 0;
}

JNIEXPORT jint JNICALL NATIVE(empty)(JNIEnv *env, jclass class, jint fd, jlong offset, jlong length)
{
    (void) env, (void) class;
    return change_pages(fd, EMPTY, offset, length);
}

JNIEXPORT jint JNICALL NATIVE(allocate)(JNIEnv *env, jclass class, jint fd, jlong offset, jlong length)
{
    (void) env, (void) class;
    return change_pages(fd, FALLOC_FL_KEEP_SIZE, offset, length);
}

JNIEXPORT jint JNICALL NATIVE(advise)(JNIEnv *env, jclass class, jlong address, jlong length, jint advice)
{
    (void) env, (void) class;
    return madvise((void *) (intptr_t) address, (size_t) length, advice) ? -errno : 0;
}

JNIEXPORT void JNICALL NATIVE(close)(JNIEnv *env, jclass class, jint fd)
{
    (void) env, (void) class;
    /* Linux closes it in any case. */
    close(fd);
}

JNIEXPORT jobject JNICALL NATIVE(buffer)(JNIEnv *env, jclass class, jlong address, jlong length)
{
    (void) class;
    return (*env)->NewDirectByteBuffer(env, (void *) (intptr_t) address, length);
}

JNIEXPORT jstring JNICALL NATIVE(message)(JNIEnv *env, jclass class, jint error)
{
    (void) class;
    char text[128];
    return (*env)->NewStringUTF(env, error_text(error, text, sizeof text));
}

#define MOST_NUMBERS 32 /* The kernel gives 256 bytes whole, or none. */

JNIEXPORT jboolean JNICALL NATIVE(random)(JNIEnv *env, jclass class, jlongArray into)
{
    (void) class;
    jlong numbers[MOST_NUMBERS];
    jsize count = (*env)->GetArrayLength(env, into);
    size_t bytes = (size_t) (count < MOST_NUMBERS ? count : MOST_NUMBERS) * sizeof *numbers;
    /* Not by its name: glibc has one since 2.25. */
    if (syscall(SYS_getrandom, numbers, bytes, 0) != (long) bytes || count > MOST_NUMBERS)
        return JNI_FALSE;
    (*env)->SetLongArrayRegion(env, into, 0, count, numbers);
    return JNI_TRUE;
}
