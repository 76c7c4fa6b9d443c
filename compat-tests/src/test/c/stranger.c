/*
 * stranger NAME MODE SECONDS
 *
 * A process that is no peer, and comes to the listener of that name, in the abstract name space of unix(7), all the same. It stops
 * when its standard input ends, at the latest after so many seconds. Prints "begun 1" when it has come for the first time, or is
 * silent for the 80th, "lasted 1" a second later, and in the end, a line each, "connections N", "messages N" and "descriptors N":
 * what the kernel has taken from it.
 *
 *   flood      connects and closes, without a word, as fast as it can
 *   silent     keeps 80 connections that say nothing, a new one each 20 ms in place of the oldest
 *   lingering  a connection each 20 ms, with 80 bytes of junk and a TCP socket whose last close waits a minute for a peer that does
 *              not read; every other one says this only after a while
 *   crowd      the same, as fast as it can
 *   many       a message as long as a hello with as many descriptors as the kernel lets it send, as fast as it can
 *   junk       80 bytes of junk, with and without the number that a hello begins with, as fast as it can
 *   hello      hellos in each of which something is wrong, as fast as it can
 *   slow       connects, and has not said anything 20 ms later, when it closes: as a client that has lost its core; as the listener's
 *              user it is no stranger; "closed" counts what the listener has closed before
 *   squat      listens by that name itself, and reads what comes; "connections" and "bytes" are those of others
 *
 * own-flood and so on: the same, but against a listener of its own, where nobody accepts: what it costs that somebody does this at all.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#define HELLO_BYTES 80
#define MOST_PASSED 253
#define BACKLOG 50
#define SILENT 80
#define LATE_ROUNDS 5
#define LINGER_SECONDS 60
#define MOST_LINGERING 900
#define PACE_MS 20
#define ROUNDS_PER_LOOK 64

static struct sockaddr_un target;
static socklen_t target_length;
static long connections, messages, descriptors, closed, bytes;
static unsigned version, port;
static int own_listener = -1;
static uint8_t host[16] = { 127, 0, 0, 1 };

static void die(const char *what)
{
    perror(what);
    exit(1);
}

static long now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static void say(const char *what, long number)
{
    printf("%s %ld\n", what, number);
    fflush(stdout);
}

static void set_name(const char *name)
{
    target.sun_family = AF_UNIX;
    strncpy(target.sun_path + 1, name, sizeof target.sun_path - 2);
    target_length = (socklen_t) (offsetof(struct sockaddr_un, sun_path) + 1 + strlen(name));
}

/* {@return a connected socket; -1: the backlog is full, or nobody listens} */
static int come(void)
{
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (fd < 0)
        die("socket");
    if (connect(fd, (struct sockaddr *) &target, target_length)) {
        close(fd);
        return -1;
    }
    connections++;
    return fd;
}

/* {@return whether the kernel has taken the message} */
static int tell(int fd, const void *bytes, size_t length, const int *passed, int count)
{
    union {
        struct cmsghdr header;
        char space[CMSG_SPACE(MOST_PASSED * sizeof(int))];
    } control;
    struct iovec part = { .iov_base = (void *) bytes, .iov_len = length };
    struct msghdr message = { .msg_iov = &part, .msg_iovlen = 1 };
    if (count) {
        memset(&control, 0, sizeof control);
        message.msg_control = &control;
        message.msg_controllen = CMSG_SPACE((size_t) count * sizeof(int));
        control.header.cmsg_level = SOL_SOCKET;
        control.header.cmsg_type = SCM_RIGHTS;
        control.header.cmsg_len = CMSG_LEN((size_t) count * sizeof(int));
        memcpy(CMSG_DATA(&control.header), passed, (size_t) count * sizeof(int));
    }
    if (sendmsg(fd, &message, MSG_DONTWAIT | MSG_NOSIGNAL) != (ssize_t) length)
        return 0;
    messages++;
    descriptors += count;
    return 1;
}

static void fill_with_junk(uint8_t *bytes, int right_magic)
{
    for (int i = 0; i < HELLO_BYTES; i++)
        bytes[i] = (uint8_t) random();
    if (right_magic)
        memcpy(bytes, "EXSH", 4);
}

static void flood(void)
{
    int fd = come();
    if (fd >= 0)
        close(fd);
}

/* The first ones come as soon as the backlog lets them. */
static void silent(void)
{
    static int kept[SILENT];
    int fd = come();
    if (fd < 0)
        return;
    int *place = &kept[(connections - 1) % SILENT];
    if (connections > SILENT)
        close(*place);
    *place = fd;
}

/* {@return a TCP socket with data that the other end, *reader, does not read} */
static int lingering_socket(int *reader)
{
    static int listener = -1;
    struct sockaddr_in address = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
    socklen_t length = sizeof address;
    int small = 4096;
    if (listener < 0) {
        listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
        setsockopt(listener, SOL_SOCKET, SO_RCVBUF, &small, sizeof small);
        if (bind(listener, (struct sockaddr *) &address, length) || listen(listener, 16))
            die("TCP listener");
    }
    if (getsockname(listener, (struct sockaddr *) &address, &length))
        die("getsockname");
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    setsockopt(fd, SOL_SOCKET, SO_SNDBUF, &small, sizeof small);
    if (fd < 0 || connect(fd, (struct sockaddr *) &address, length) || (*reader = accept(listener, NULL, NULL)) < 0)
        die("TCP connection");
    static const char data[4096];
    while (send(fd, data, sizeof data, MSG_DONTWAIT | MSG_NOSIGNAL) > 0)
        ;
    struct linger linger = { .l_onoff = 1, .l_linger = LINGER_SECONDS };
    if (setsockopt(fd, SOL_SOCKET, SO_LINGER, &linger, sizeof linger))
        die("SO_LINGER");
    return fd;
}

/*
 * The last close is to be somebody else's, so a child passes the socket and closes its own copy at once. Where it is too late it
 * lingers itself, until this process ends, and the descriptor does not count. fd: connected earlier, or -1.
 */
static void pass_lingering(int fd)
{
    enum { CAME = 1, TOLD = 2 };
    if (messages >= MOST_LINGERING) {
        usleep(PACE_MS * 1000);
        return;
    }
    int reader, passed = lingering_socket(&reader), link[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, link))
        die("socketpair");
    pid_t child = fork();
    if (child < 0)
        die("fork");
    if (!child) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        close(link[0]);
        uint8_t bytes[HELLO_BYTES], told = 0;
        fill_with_junk(bytes, fd < 0);
        if (read(link[1], &told, 1) != 1)
            _exit(1);
        if (fd < 0 && (fd = come()) >= 0)
            told |= CAME;
        if (fd >= 0 && tell(fd, bytes, sizeof bytes, &passed, 1)) {
            close(passed);
            told |= TOLD;
        }
        if (write(link[1], &told, 1) != 1)
            _exit(1);
        _exit(0);
    }
    close(passed);
    close(link[1]);
    uint8_t told = 0;
    struct pollfd answer = { .fd = link[0], .events = POLLIN };
    if (write(link[0], &told, 1) == 1 && poll(&answer, 1, LATE_ROUNDS * PACE_MS) > 0 && read(link[0], &told, 1) == 1) {
        connections += (told & CAME) != 0;
        messages += (told & TOLD) != 0;
        descriptors += (told & TOLD) != 0;
    }
    close(link[0]);
    if (!(told & TOLD)) { /* The backlog is full, or the child lingers. */
        close(reader);
        usleep(1000);
    }
    if (fd >= 0)
        close(fd);
}

static void lingering(long round)
{
    static int late[LATE_ROUNDS] = { -1, -1, -1, -1, -1 };
    int *place = &late[round % LATE_ROUNDS];
    if (*place >= 0)
        pass_lingering(*place);
    *place = -1;
    if (round % 2)
        *place = come();
    else
        pass_lingering(-1);
}

static void many(void)
{
    static int passed[MOST_PASSED];
    static int event = -1;
    if (event < 0) {
        event = eventfd(0, EFD_CLOEXEC);
        for (int i = 0; i < MOST_PASSED; i++)
            passed[i] = event;
    }
    uint8_t bytes[HELLO_BYTES];
    fill_with_junk(bytes, 1);
    int fd = come();
    if (fd < 0)
        return;
    tell(fd, bytes, sizeof bytes, passed, MOST_PASSED);
    close(fd);
}

static void junk(long round)
{
    uint8_t bytes[HELLO_BYTES];
    fill_with_junk(bytes, round % 2 == 0);
    int fd = come();
    if (fd < 0)
        return;
    tell(fd, bytes, sizeof bytes, NULL, 0);
    close(fd);
}

static void put16(uint8_t *at, unsigned value)
{
    at[0] = (uint8_t) (value >> 8), at[1] = (uint8_t) value;
}

static void put32(uint8_t *at, unsigned value)
{
    put16(at, value >> 16), put16(at + 2, value & 0xffff);
}

/* HelloDescriptor.java. */
static void hello(long round)
{
    static int event = -1;
    if (event < 0)
        event = eventfd(0, EFD_CLOEXEC);
    uint8_t bytes[HELLO_BYTES] = "EXSH";
    put16(bytes + 4, version), put16(bytes + 6, version);
    put32(bytes + 8, 64), put32(bytes + 12, 1 << 18);
    put16(bytes + 18, port);
    memcpy(bytes + 20, host, sizeof host), memcpy(bytes + 36, host, sizeof host);
    bytes[52] = bytes[53] = 4;
    for (int i = 56; i < HELLO_BYTES; i++)
        bytes[i] = (uint8_t) random();
    int count = 0;
    switch (round % 8) {
    case 0: put16(bytes + 4, version + 1), put16(bytes + 6, version + 2); break;
    case 1: put32(bytes + 8, 63); break;
    case 2: put32(bytes + 12, 0xffffffff); break;
    case 3: put16(bytes + 18, port ^ 1); break;
    case 4: bytes[20] = 8; break;
    case 5: bytes[54] = 127; break;
    case 6: break; /* A segment that nobody knows. */
    case 7: bytes[55] = 1, count = 1; break; /* No memory. */
    }
    int fd = come();
    if (fd < 0)
        return;
    tell(fd, bytes, sizeof bytes, &event, count);
    close(fd);
}

static void listen_by_name(int backlog)
{
    int listener = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (listener < 0 || bind(listener, (struct sockaddr *) &target, target_length) || listen(listener, backlog))
        die("name");
    own_listener = listener;
}

static void slow(void)
{
    static int last = -1;
    char byte;
    if (last >= 0) {
        closed += recv(last, &byte, 1, MSG_DONTWAIT) == 0 || (errno != EAGAIN && errno != EWOULDBLOCK);
        close(last);
    }
    last = come();
}

static void squat(void)
{
    if (own_listener < 0)
        listen_by_name(BACKLOG);
    int fd = accept(own_listener, NULL, NULL);
    if (fd >= 0) { /* Whoever means it says something at once; an end of the stream comes, too. */
        char data[256];
        connections++;
        ssize_t length = recv(fd, data, sizeof data, 0);
        bytes += length > 0 ? length : 0;
        close(fd);
    }
}

static int is(const char *mode, const char *name)
{
    return strcmp(mode, name) == 0;
}

int main(int count, char **arguments)
{
    if (count != 4)
        return 2;
    signal(SIGCHLD, SIG_IGN);
    signal(SIGQUIT, SIG_IGN); /* Who asks a JVM for its threads. */
    const char *name = arguments[1], *mode = arguments[2];
    long end = now_ms() + atol(arguments[3]) * 1000;
    const char *last = strrchr(name, '/');
    port = last ? (unsigned) atol(last + 1) : 0;
    uint8_t exact[4];
    if (sscanf(name, "exs/%*u.%u/%2hhx%2hhx%2hhx%2hhx/", &version, &exact[0], &exact[1], &exact[2], &exact[3]) == 5)
        memcpy(host, exact, sizeof exact);
    if (strncmp(mode, "own-", 4) == 0) {
        mode += 4;
        char own[64];
        snprintf(own, sizeof own, "exs-stranger/%d", (int) getpid());
        set_name(own);
        int fast = is(mode, "flood") || is(mode, "many") || is(mode, "junk") || is(mode, "hello");
        listen_by_name(fast ? BACKLOG : SOMAXCONN);
    } else {
        set_name(name);
    }
    int paced = is(mode, "silent") || is(mode, "lingering") || is(mode, "slow") || is(mode, "squat");
    int least = is(mode, "silent") ? SILENT : is(mode, "squat") ? 0 : 1;
    long begun = 0, lasted = 0;
    for (long round = 0; ; round++) {
        if (paced || is(mode, "crowd") || round % ROUNDS_PER_LOOK == 0) {
            struct pollfd input = { .fd = STDIN_FILENO, .events = POLLIN };
            if (now_ms() > end || poll(&input, 1, !paced ? 0 : begun ? PACE_MS : 1) > 0)
                break;
            if (!begun && round && connections >= least) {
                begun = now_ms();
                say("begun", 1);
            }
            if (!lasted && begun && now_ms() > begun + 1000) {
                lasted = 1;
                say("lasted", 1);
            }
        }
        if (is(mode, "flood"))
            flood();
        else if (is(mode, "silent"))
            silent();
        else if (is(mode, "lingering") || is(mode, "crowd"))
            lingering(round);
        else if (is(mode, "many"))
            many();
        else if (is(mode, "junk"))
            junk(round);
        else if (is(mode, "hello"))
            hello(round);
        else if (is(mode, "slow"))
            slow();
        else if (is(mode, "squat"))
            squat();
        else
            return 2;
    }
    say("connections", connections);
    say("messages", messages);
    say("descriptors", descriptors);
    say("closed", closed);
    say("bytes", bytes);
    return 0;
}
