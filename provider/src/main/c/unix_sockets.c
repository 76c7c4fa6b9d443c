/*
 * Natives of UnixSockets.java: stream sockets of the Unix domain, all of them non-blocking, and descriptors that go with
 * their bytes. Everything returns -errno on failure. Names are abstract: Java leaves the leading zero to us.
 *
 * Letting go of somebody else's file may take for ever, also of one that came with a message which nobody has read
 * (Closer.java). So nothing is received before it has been looked at, and what is not wanted is left in its socket.
 */
#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "org_exsockets_verbs_soft_host_UnixSockets.h"

#define NATIVE(name) Java_org_exsockets_verbs_soft_host_UnixSockets_##name

/* With one message: a segment and a process. */
#define MOST_PASSED 2

#define MOST_BYTES 256

#ifndef SO_PEERPIDFD /* Linux 6.5 */
#define SO_PEERPIDFD 77
#endif

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

JNIEXPORT jint JNICALL NATIVE(openGate)(JNIEnv *env, jclass class, jint listening)
{
    (void) env, (void) class;
    int gate = epoll_create1(EPOLL_CLOEXEC);
    if (gate < 0)
        return -errno;
    if (epoll_ctl(gate, EPOLL_CTL_ADD, listening, &(struct epoll_event) { .events = EPOLLIN })) {
        int error = errno;
        close(gate);
        return -error;
    }
    return gate;
}

JNIEXPORT jint JNICALL NATIVE(setGate)(JNIEnv *env, jclass class, jint gate, jint listening, jboolean opens)
{
    (void) env, (void) class;
    return epoll_ctl(gate, EPOLL_CTL_MOD, listening, &(struct epoll_event) { .events = opens ? EPOLLIN : 0 }) ? -errno : 0;
}

JNIEXPORT jint JNICALL NATIVE(setBacklog)(JNIEnv *env, jclass class, jint fd, jint backlog)
{
    (void) env, (void) class;
    return listen(fd, backlog) ? -errno : 0;
}

/* User ids and process ids are no greater than a jint. A connected socket has them. */
static void tell_peer(JNIEnv *env, int fd, jlongArray into)
{
    struct ucred peer = { .uid = (uid_t) -1 };
    socklen_t length = sizeof peer;
    getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &length);
    jlong told = (jlong) peer.uid << 32 | (jlong) peer.pid;
    (*env)->SetLongArrayRegion(env, into, 0, 1, &told);
}

JNIEXPORT jint JNICALL NATIVE(connect)(JNIEnv *env, jclass class, jint fd, jbyteArray name, jlongArray peer)
{
    (void) class;
    struct sockaddr_un address;
    socklen_t length;
    int bad = address_of(env, name, &address, &length);
    if (bad)
        return bad;
    if (connect(fd, (struct sockaddr *) &address, length))
        return -errno;
    tell_peer(env, fd, peer);
    return 0;
}

JNIEXPORT jint JNICALL NATIVE(accept)(JNIEnv *env, jclass class, jint listening, jlongArray peer)
{
    (void) class;
    int fd = accept4(listening, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (fd < 0)
        return -errno;
    tell_peer(env, fd, peer);
    return fd;
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

JNIEXPORT jint JNICALL NATIVE(peerProcess)(JNIEnv *env, jclass class, jint fd)
{
    (void) env, (void) class;
    int process;
    socklen_t length = sizeof process;
    return getsockopt(fd, SOL_SOCKET, SO_PEERPIDFD, &process, &length) ? -errno : process;
}

/* What peek has seen. */
struct seen {
    ssize_t length; /* Bytes, or -errno. */
    int kept[MOST_PASSED];
    int count;
    int missing; /* errno, if more have been passed than are here. */
};

static int count_of(struct msghdr *message, int *kept)
{
    struct cmsghdr *only = CMSG_FIRSTHDR(message);
    if (!only || only->cmsg_level != SOL_SOCKET || only->cmsg_type != SCM_RIGHTS)
        return 0;
    size_t bytes = only->cmsg_len - CMSG_LEN(0);
    memcpy(kept, CMSG_DATA(only), bytes);
    return (int) (bytes / sizeof *kept);
}

/*
 * Why fewer descriptors are here than were passed. The kernel does not tell want (EMFILE) from a refusal by a security module,
 * nor from want that has just passed (EACCES). The probe is of a socket that stays open: it closes at once.
 */
static int why_missing(int fd)
{
    int probe = fcntl(fd, F_DUPFD_CLOEXEC, 0);
    if (probe < 0)
        return EMFILE;
    close(probe);
    return EACCES;
}

/*
 * Looks at bytes, and at the first `most` of the descriptors that have come with them: of further ones this process has none.
 * All of them stay where they are, so that those which are here are not the last.
 */
static struct seen peek(int fd, char *data, size_t room, size_t most)
{
    union {
        struct cmsghdr header;
        char space[CMSG_SPACE(MOST_PASSED * sizeof(int))];
    } control;
    struct iovec part = { .iov_base = data, .iov_len = room };
    struct msghdr message = {
        /* Not CMSG_SPACE: the kernel would fill the padding, too. */
        .msg_iov = &part, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = CMSG_LEN(most * sizeof(int)),
    };
    struct seen seen = { .length = recvmsg(fd, &message, MSG_PEEK | MSG_DONTWAIT | MSG_CMSG_CLOEXEC) };
    if (seen.length < 0) {
        seen.length = -errno;
        return seen;
    }
    seen.count = count_of(&message, seen.kept);
    if (message.msg_flags & MSG_CTRUNC)
        seen.missing = (size_t) seen.count == most ? E2BIG : why_missing(fd);
    return seen;
}

/* Takes what has been seen. {@return its bytes, or -errno} */
static ssize_t take(int fd, char *data, ssize_t length)
{
    ssize_t taken = recv(fd, data, (size_t) length, MSG_DONTWAIT);
    return taken >= 0 ? taken : -errno;
}

/* Fails harmlessly where the kernel knows no urgent bytes. */
static void read_urgent_in_line(int fd)
{
    setsockopt(fd, SOL_SOCKET, SO_OOBINLINE, &(int) { 1 }, sizeof(int));
}

JNIEXPORT jint JNICALL NATIVE(receive)(JNIEnv *env, jclass class, jint fd, jbyteArray into, jint offset, jintArray passed)
{
    (void) class;
    char data[MOST_BYTES];
    if (!offset)
        read_urgent_in_line(fd);
    size_t room = (size_t) ((*env)->GetArrayLength(env, into) - offset);
    struct seen seen = peek(fd, data, room < MOST_BYTES ? room : MOST_BYTES, MOST_PASSED);
    if (seen.count)
        (*env)->SetIntArrayRegion(env, passed, 0, seen.count, seen.kept);
    if (seen.length <= 0)
        return (jint) seen.length;
    if (seen.missing)
        return -seen.missing;
    ssize_t taken = take(fd, data, seen.length);
    if (taken > 0)
        (*env)->SetByteArrayRegion(env, into, offset, (jsize) taken, (jbyte *) data);
    return (jint) taken;
}

JNIEXPORT jint JNICALL NATIVE(ring)(JNIEnv *env, jclass class, jint fd)
{
    (void) env, (void) class;
    return send(fd, (char[]) { org_exsockets_verbs_soft_host_UnixSockets_EVENT }, 1, MSG_DONTWAIT | MSG_NOSIGNAL) < 0 ? -errno : 0;
}

JNIEXPORT void JNICALL NATIVE(readUrgentInLine)(JNIEnv *env, jclass class, jint fd)
{
    (void) env, (void) class;
    read_urgent_in_line(fd);
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
static jlong with_descriptor(const struct seen *seen, jlong number)
{
    return (jlong) (seen->count > 0 ? seen->kept[0] + 1 : 0) << 32 | number;
}

/*
 * A peer that sends without end does not keep us here; one that passes more than it should is at its end. A descriptor that this
 * process has no room for is lost.
 */
JNIEXPORT jlong JNICALL NATIVE(drain)(JNIEnv *env, jclass class, jint fd)
{
    (void) env, (void) class;
    char data[MOST_BYTES];
    struct seen seen = peek(fd, data, sizeof data, 1);
    if (seen.length < 0)
        return seen.length;
    ssize_t taken = seen.length > 0 && seen.missing != E2BIG ? take(fd, data, seen.length) : 0;
    return with_descriptor(&seen, taken > 0 ? 1 + events(data, taken) : 0);
}

/* Who waits for events sleeps until there is something to read: those bytes stay. */
JNIEXPORT jlong JNICALL NATIVE(takePassed)(JNIEnv *env, jclass class, jint fd)
{
    (void) env, (void) class;
    char data[MOST_BYTES];
    struct seen seen = peek(fd, data, sizeof data, 1);
    if (seen.length < 0)
        return seen.length;
    int pure = seen.length > 0 && !seen.missing && !events(data, seen.length);
    return with_descriptor(&seen, pure && take(fd, data, seen.length) > 0);
}

JNIEXPORT jint JNICALL NATIVE(shutdown)(JNIEnv *env, jclass class, jint fd)
{
    (void) env, (void) class;
    return shutdown(fd, SHUT_RDWR) ? -errno : 0;
}

/* As often a peer that keeps to the rules may have rung without having been heard. */
#define LAST_LOOKS 4

/* {@return 0: nothing is there, and nothing more can come; less: nothing is there yet; more: there are bytes, or descriptors} */
static ssize_t look(int fd, char *data, size_t room, int *with_descriptors)
{
    struct iovec part = { .iov_base = data, .iov_len = room };
    struct msghdr message = { .msg_iov = &part, .msg_iovlen = 1 };
    ssize_t length = recvmsg(fd, &message, MSG_PEEK | MSG_DONTWAIT);
    *with_descriptors = message.msg_flags & MSG_CTRUNC;
    return length;
}

static int is_left(int fd)
{
    char data[MOST_BYTES];
    int with_descriptors;
    /* Usually the peer has ended, too, or this end has been shut down. */
    if (look(fd, data, sizeof data, &with_descriptors) == 0)
        return 0;
    shutdown(fd, SHUT_RDWR);
    for (int looks = 0; looks < LAST_LOOKS; looks++) {
        ssize_t length = look(fd, data, sizeof data, &with_descriptors);
        if (length <= 0)
            return 0;
        if (with_descriptors || take(fd, data, length) <= 0)
            return 1;
    }
    return 1;
}

JNIEXPORT jboolean JNICALL NATIVE(isLeft)(JNIEnv *env, jclass class, jint fd)
{
    (void) env, (void) class;
    return is_left(fd) != 0;
}

JNIEXPORT jboolean JNICALL NATIVE(close)(JNIEnv *env, jclass class, jint fd)
{
    (void) env, (void) class;
    if (is_left(fd))
        return JNI_FALSE;
    close(fd);
    return JNI_TRUE;
}

JNIEXPORT jint JNICALL NATIVE(keepOpen)(JNIEnv *env, jclass class, jint fd)
{
    (void) env, (void) class;
    int kept = fcntl(fd, F_DUPFD_CLOEXEC, 0);
    return kept >= 0 ? kept : -errno;
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
