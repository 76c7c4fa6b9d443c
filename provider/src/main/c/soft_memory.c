/*
 * Natives of NativeMemory.java: files of a memory file system that are allocated and emptied by pages, and mapped where
 * Java asks. Everything returns -errno on failure; addresses and lengths have been checked there.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "error_text.h"
#include "org_exsockets_verbs_soft_NativeMemory.h"

#define NATIVE(name) Java_org_exsockets_verbs_soft_NativeMemory_##name

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

/* Copies what Java has as bytes without a terminating zero. */
static int name_of(JNIEnv *env, jbyteArray path, char name[PATH_MAX])
{
    jsize bytes = (*env)->GetArrayLength(env, path);
    if (bytes >= PATH_MAX)
        return -ENAMETOOLONG;
    (*env)->GetByteArrayRegion(env, path, 0, bytes, (jbyte *) name);
    name[bytes] = 0;
    return 0;
}

JNIEXPORT jint JNICALL NATIVE(create)(JNIEnv *env, jclass class, jbyteArray path, jlong length)
{
    (void) class;
    char name[PATH_MAX];
    int bad = name_of(env, path, name);
    if (bad)
        return bad;
    int fd = open(name, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, S_IRUSR | S_IWUSR);
    if (fd < 0)
        return -errno;
    if (ftruncate(fd, length)) {
        int error = errno;
        unlink(name);
        close(fd);
        return -error;
    }
    return fd;
}

/* A regular file of this user; nothing that could block. */
JNIEXPORT jint JNICALL NATIVE(open)(JNIEnv *env, jclass class, jbyteArray path)
{
    (void) class;
    char name[PATH_MAX];
    int bad = name_of(env, path, name);
    if (bad)
        return bad;
    int fd = open(name, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0)
        return -errno;
    struct stat status;
    if (status_of(fd, &status))
        bad = -errno;
    else if (!S_ISREG(status.st_mode) || status.st_uid != geteuid())
        bad = -EACCES;
    if (!bad)
        return fd;
    close(fd);
    return bad;
}

JNIEXPORT jlong JNICALL NATIVE(map)(JNIEnv *env, jclass class, jint fd, jlong offset, jlong length)
{
    (void) env, (void) class;
    return result_of(mmap(NULL, (size_t) length, PROT_READ | PROT_WRITE, MAP_SHARED, fd, offset));
}

JNIEXPORT jint JNICALL NATIVE(mapOver)(JNIEnv *env, jclass class, jlong address, jint fd, jlong offset, jlong length)
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

/*
 * tmpfs gives up an allocation when a signal is pending, and undoes it: with the signals of a profiler, all of a long one
 * would be begun again for ever. In pieces, one is.
 */
static const off_t PIECE = 1 << 20;

static int change(int fd, int mode, off_t offset, off_t length)
{
    while (fallocate(fd, mode, offset, length))
        if (errno != EINTR)
            return -errno;
    return 0;
}

/* All pages, or none. */
static int allocate(int fd, off_t offset, off_t length)
{
    for (off_t done = 0; done < length; done += PIECE) {
        int failure = change(fd, 0, offset + done, length - done < PIECE ? length - done : PIECE);
        if (failure) {
            if (done)
                change(fd, EMPTY, offset, done);
            return failure;
        }
    }
    return 0;
}

JNIEXPORT jint JNICALL NATIVE(allocate)(JNIEnv *env, jclass class, jint fd, jlong offset, jlong length)
{
    (void) env, (void) class;
    return allocate(fd, offset, length);
}

JNIEXPORT jint JNICALL NATIVE(empty)(JNIEnv *env, jclass class, jint fd, jlong offset, jlong length)
{
    (void) env, (void) class;
    return change(fd, EMPTY, offset, length);
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

/* Bytes of the file now, as a process that may shorten it leaves it. */
JNIEXPORT jlong JNICALL NATIVE(size)(JNIEnv *env, jclass class, jint fd)
{
    (void) env, (void) class;
    struct stat status;
    return status_of(fd, &status) ? -errno : (jlong) status.st_size;
}

JNIEXPORT jstring JNICALL NATIVE(message)(JNIEnv *env, jclass class, jint error)
{
    (void) class;
    char text[128];
    return (*env)->NewStringUTF(env, error_text(error, text, sizeof text));
}
