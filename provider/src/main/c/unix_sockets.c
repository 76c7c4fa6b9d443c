/*
 * Natives of UnixSockets.java: stream sockets of the Unix domain, all of them non-blocking, and descriptors that go with
 * their bytes. Everything returns -errno on failure. Names are abstract: Java leaves the leading zero to us.
 */
#include <errno.h>
#include <stddef.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "org_exsockets_verbs_soft_host_UnixSockets.h"

#define NATIVE(name) Java_org_exsockets_verbs_soft_host_UnixSockets_##name

/* The kernel lets nobody send more with one message. */
#define MOST_PASSED 253

#define MOST_BYTES 256

/* {@return 0, or -errno} */
static int address_of(JNIEnv *env, jbyteArray name, struct sockaddr_un *address, socklen_t *length)
{
    jsize bytes = (*env)->GetArrayLength(env, name);
    if (bytes >= (jsize) sizeof address->sun_path)
        return -ENAMETOOLONG;
    memset(address, 0, sizeof *address);
    address->sun_family = AF_UNIX;
    (*env)->GetByteArrayRegion(env, name, 0, bytes, (jbyte *) address->sun_path + 1);
    *length = (socklen_t) (offsetof(struct sockaddr_un, sun_path) + 1 + (size_t) bytes);
    return 0;
}

JNIEXPORT jint JNICALL NATIVE(effectiveUser)(JNIEnv *env, jclass class)
{
    (void) env, (void) class;
    return (jint) geteuid();
}

JNIEXPORT jint JNICALL NATIVE(open)(JNIEnv *env, jclass class)
{
    (void) env, (void) class;
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    return fd >= 0 ? fd : -errno;
}

JNIEXPORT jint JNICALL NATIVE(listen)(JNIEnv *env, jclass class, jint fd, jbyteArray name, jint backlog)
{
    (void) class;
    struct sockaddr_un address;
    socklen_t length;
    int bad = address_of(env, name, &address, &length);
    if (bad)
        return bad;
    return bind(fd, (struct sockaddr *) &address, length) || listen(fd, backlog) ? -errno : 0;
}

JNIEXPORT jint JNICALL NATIVE(setBacklog)(JNIEnv *env, jclass class, jint fd, jint backlog)
{
    (void) env, (void) class;
    return listen(fd, backlog) ? -errno : 0;
}

JNIEXPORT jint JNICALL NATIVE(connect)(JNIEnv *env, jclass class, jint fd, jbyteArray name)
{
    (void) class;
    struct sockaddr_un address;
    socklen_t length;
    int bad = address_of(env, name, &address, &length);
    if (bad)
        return bad;
    return connect(fd, (struct sockaddr *) &address, length) ? -errno : 0;
}

JNIEXPORT jint JNICALL NATIVE(accept)(JNIEnv *env, jclass class, jint listening)
{
    (void) env, (void) class;
    int fd = accept4(listening, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
    return fd >= 0 ? fd : -errno;
}

/* User ids and process ids are no greater than a jint. */
JNIEXPORT jlong JNICALL NATIVE(peer)(JNIEnv *env, jclass class, jint fd)
{
    (void) env, (void) class;
    struct ucred peer;
    socklen_t length = sizeof peer;
    if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &length))
        return -errno;
    return (jlong) peer.uid << 32 | (jlong) peer.pid;
}

JNIEXPORT jint JNICALL NATIVE(send)(JNIEnv *env, jclass class, jint fd, jbyteArray bytes, jint first, jint second)
{
    (void) class;
    char data[MOST_BYTES];
    jsize length = (*env)->GetArrayLength(env, bytes);
    if (length > MOST_BYTES)
        return -EMSGSIZE;
    (*env)->GetByteArrayRegion(env, bytes, 0, length, (jbyte *) data);
    int passed[] = { first, second };
    size_t count = first < 0 ? 0 : second < 0 ? 1 : 2;
    union {
        struct cmsghdr header;
        char space[CMSG_SPACE(sizeof passed)];
    } control;
    struct iovec part = { .iov_base = data, .iov_len = (size_t) length };
    struct msghdr message = { .msg_iov = &part, .msg_iovlen = 1 };
    if (count) {
        memset(&control, 0, sizeof control);
        message.msg_control = &control;
        message.msg_controllen = CMSG_SPACE(count * sizeof *passed);
        control.header.cmsg_level = SOL_SOCKET;
        control.header.cmsg_type = SCM_RIGHTS;
        control.header.cmsg_len = CMSG_LEN(count * sizeof *passed);
        memcpy(CMSG_DATA(&control.header), passed, count * sizeof *passed);
    }
    ssize_t sent = sendmsg(fd, &message, MSG_DONTWAIT | MSG_NOSIGNAL);
    return sent >= 0 ? (jint) sent : -errno;
}

/* Keeps the first `most` of the descriptors that came with a message, and closes the others. */
static int keep(struct msghdr *message, int *kept, int most)
{
    int count = 0;
    for (struct cmsghdr *each = CMSG_FIRSTHDR(message); each; each = CMSG_NXTHDR(message, each)) {
        if (each->cmsg_level != SOL_SOCKET || each->cmsg_type != SCM_RIGHTS)
            continue;
        size_t passed = (each->cmsg_len - CMSG_LEN(0)) / sizeof(int);
        for (size_t i = 0; i < passed; i++) {
            int fd;
            memcpy(&fd, CMSG_DATA(each) + i * sizeof fd, sizeof fd);
            if (count < most)
                kept[count++] = fd;
            else
                close(fd);
        }
    }
    return count;
}

/* What a process without descriptors has been passed: the kernel drops it. */
#define LOST (-1)

/*
 * Receives bytes, with the first `most` of the descriptors that have come with them; the number of these, or LOST, goes to *count.
 * {@return the number of bytes, or -errno}
 */
static ssize_t look(int fd, char *data, size_t room, int flags, int *kept, int most, int *count)
{
    union {
        struct cmsghdr header;
        char space[CMSG_SPACE(MOST_PASSED * sizeof(int))];
    } control;
    struct iovec part = { .iov_base = data, .iov_len = room };
    struct msghdr message = {
        .msg_iov = &part, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control,
    };
    ssize_t length = recvmsg(fd, &message, flags | MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
    if (length < 0)
        return -errno;
    int lost = message.msg_flags & MSG_CTRUNC;
    *count = keep(&message, kept, lost ? 0 : most);
    if (lost)
        *count = LOST;
    return length;
}

/*
 * The bytes are looked at first, and taken when their descriptors are there; then the kernel drops its own copies of these.
 */
JNIEXPORT jint JNICALL NATIVE(receive)(JNIEnv *env, jclass class, jint fd, jbyteArray into, jint offset, jintArray passed)
{
    (void) class;
    char data[MOST_BYTES];
    int kept[2], count;
    size_t room = (size_t) ((*env)->GetArrayLength(env, into) - offset);
    ssize_t length = look(fd, data, room < MOST_BYTES ? room : MOST_BYTES, MSG_PEEK, kept, 2, &count);
    if (length <= 0)
        return (jint) length;
    if (count == LOST)
        return -EMFILE;
    ssize_t taken = recv(fd, data, (size_t) length, MSG_DONTWAIT);
    if (taken != length) { /* Somebody else reads here. */
        int error = taken < 0 ? errno : EBADMSG;
        while (count)
            close(kept[--count]);
        return -error;
    }
    (*env)->SetByteArrayRegion(env, into, offset, (jsize) length, (jbyte *) data);
    (*env)->SetIntArrayRegion(env, passed, 0, count, kept);
    return (jint) length;
}

JNIEXPORT jint JNICALL NATIVE(ring)(JNIEnv *env, jclass class, jint fd)
{
    (void) env, (void) class;
    return send(fd, (char[]) { org_exsockets_verbs_soft_host_UnixSockets_EVENT }, 1, MSG_DONTWAIT | MSG_NOSIGNAL) < 0 ? -errno : 0;
}

/* {@return the bytes that are no mere company of descriptors} */
static ssize_t events(const char *data, ssize_t length)
{
    ssize_t count = 0;
    for (ssize_t i = 0; i < length; i++)
        count += data[i] != org_exsockets_verbs_soft_host_UnixSockets_PASSED;
    return count;
}

/* For Java: 1 + the descriptor, or 0, above a number. */
static jlong with_descriptor(int count, int passed, jlong number)
{
    return (jlong) (count > 0 ? passed + 1 : 0) << 32 | number;
}

/* A peer that sends without end does not keep us here. What is lost here is lost. */
JNIEXPORT jlong JNICALL NATIVE(drain)(JNIEnv *env, jclass class, jint fd)
{
    (void) env, (void) class;
    char data[MOST_BYTES];
    int passed, count;
    ssize_t length = look(fd, data, sizeof data, 0, &passed, 1, &count);
    if (length < 0)
        return length;
    return with_descriptor(count, passed, length ? 1 + events(data, length) : 0);
}

/* Who waits for events sleeps until there is something to read: those bytes stay. */
JNIEXPORT jlong JNICALL NATIVE(takePassed)(JNIEnv *env, jclass class, jint fd)
{
    (void) env, (void) class;
    char data[MOST_BYTES];
    int passed, count;
    ssize_t length = look(fd, data, sizeof data, MSG_PEEK, &passed, 1, &count);
    if (length < 0)
        return length;
    if (count == LOST)
        return -EMFILE;
    int pure = length > 0 && !events(data, length);
    return with_descriptor(count, passed, pure && recv(fd, data, (size_t) length, MSG_DONTWAIT) > 0);
}

JNIEXPORT jint JNICALL NATIVE(shutdownOutput)(JNIEnv *env, jclass class, jint fd)
{
    (void) env, (void) class;
    return shutdown(fd, SHUT_WR) ? -errno : 0;
}

/* As the JDK does with its own channels: whoever polls the descriptor finds it at its end, and nobody else gets its number yet. */
JNIEXPORT jint JNICALL NATIVE(retire)(JNIEnv *env, jclass class, jint fd)
{
    (void) env, (void) class;
    int ended[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ended))
        return -errno;
    close(ended[1]);
    int result = dup3(ended[0], fd, SOCK_CLOEXEC) < 0 ? -errno : 0;
    close(ended[0]);
    return result;
}
