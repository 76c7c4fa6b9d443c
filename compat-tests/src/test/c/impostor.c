/*
 * impostor PREFIX PORT MODE
 *
 * E, a process of the same user as A and B and a peer of both, shows one of them the number of the other one's process as its own, and
 * looks for what A tells B in all that it has mapped. PREFIX: of listeners' names, with the address; PORT: B's; A connects to E once,
 * and B knows nothing of that.
 *
 *   server     E passes A a process with B's number, so that A keeps the segment of its connection to E for B
 *   relay      the same; then E connects to B with A's number and that segment, so that B keeps it as one of A's
 *   arena      as server; and E passes memory of its own program as B's first arena, and keeps the connection
 *   guess      E names at B the segments that A may have there, computed from the number of A's process
 *   client     E passes B a process with A's number, before A has connected to B
 *   latecomer  the same, when A has connected to B
 *
 * Prints "port N", its own; "met N" when A may go; "ready N" when all is done, N: descriptors that the kernel has taken from it, and
 * those it has been passed by A and B, and hellos with guesses; at the end of its input "found N", secrets of A for B, "touched N",
 * bytes of the process it has passed that somebody else has written, and "kept N": how often B took a segment with A's number, or E
 * computed that of A's segment. Layouts: HelloDescriptor, SegmentDescriptor, ProcessDescriptor and ArenaDescriptor in
 * org.exsockets.verbs.soft.layout.
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
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#define HELLO_BYTES 80
#define PATIENCE_MS 60000
#define SEEN_MS 5000

#define SECRET "secret for B no "
#define MOST_SECRETS 1000

#define SEGMENT_MAGIC 0x4558535345473031UL
#define PROCESS_MAGIC 0x4558535052433031UL
#define PROCESS_BYTES 135168
#define SIGNS_OFFSET 4096
#define SIGN_BYTES 128
#define SIGNS 256
#define ON_CHANNELS 1
#define ARRIVALS_OFFSET 4096
#define ARENA_MAGIC 0x4558534152453031UL
#define ARENA_LAYOUT 2
#define ARENA_BYTES (256L << 20)
#define LIVE 1

struct segment {
    uint64_t magic;
    uint32_t layout, length, slots, region;
    uint64_t proof __attribute__((packed, aligned(4)));
    uint32_t use, port, reserve;
};

struct process {
    uint64_t magic;
    uint32_t layout, unused;
    uint64_t token;
};

struct arena {
    uint64_t magic;
    uint32_t layout, state;
    uint64_t length;
    uint32_t number;
};

#define CONTROL_B 512
#define SIGN (CONTROL_B + 8)
#define POSTED(control) ((control) + 128)
#define ACCEPTOR (CONTROL_B + 260)

enum acceptor { NOT_ACCEPTED, MAPPED, RELEASED };

static unsigned layout, version, port_of_b;
static const char *prefix;
static int taken, kept, arena = -1;

/* What E has mapped, to be searched. */
static struct { const uint8_t *bytes; size_t length; } mapped[8];
static int mappings;
static uint8_t found[MOST_SECRETS];

static void die(const char *what)
{
    perror(what);
    exit(1);
}

static void say(const char *what, long number)
{
    printf("%s %ld\n", what, number);
    fflush(stdout);
}

static int new_memory(size_t length)
{
    int fd = memfd_create("exs", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (fd < 0 || ftruncate(fd, (off_t) length) || fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL))
        die("memory");
    return fd;
}

static void *map(int fd, size_t length)
{
    void *at = mmap(NULL, length, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (at == MAP_FAILED)
        die("mmap");
    return at;
}

static size_t length_of(unsigned slots, unsigned region)
{
    size_t first = (ARRIVALS_OFFSET + 2 * (size_t) slots * 64 + 4095) & ~(size_t) 4095;
    return first + 2 * (size_t) region;
}

static _Atomic uint32_t *acceptor(void *segment)
{
    return (_Atomic uint32_t *) ((uint8_t *) segment + ACCEPTOR);
}

/* {@return the memory of a process that says it is the one with that number; all its selectors sleep} */
static int new_process(uint64_t token, uint8_t **at)
{
    int fd = new_memory(PROCESS_BYTES);
    *at = map(fd, PROCESS_BYTES);
    *(struct process *) *at = (struct process) { .magic = PROCESS_MAGIC, .layout = layout, .token = token };
    for (int i = 0; i < SIGNS; i++)
        *(uint64_t *) (*at + SIGNS_OFFSET + i * SIGN_BYTES) = ON_CHANNELS;
    return fd;
}

static void pass(int socket, const void *bytes, size_t length, int first, int second)
{
    int passed[] = { first, second };
    size_t size = (second < 0 ? 1 : 2) * sizeof(int);
    union {
        struct cmsghdr header;
        char space[CMSG_SPACE(sizeof passed)];
    } control = { .header = { .cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS, .cmsg_len = CMSG_LEN(size) } };
    memcpy(CMSG_DATA(&control.header), passed, size);
    struct iovec part = { .iov_base = (void *) bytes, .iov_len = length };
    struct msghdr message = {
        .msg_iov = &part, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = CMSG_SPACE(size),
    };
    if (sendmsg(socket, &message, MSG_NOSIGNAL) == (ssize_t) length)
        taken += second < 0 ? 1 : 2;
}

/* {@return the number of descriptors; -1: the other end has ended, or says nothing} */
static int receive(int socket, void *bytes, size_t length, int *passed)
{
    union {
        struct cmsghdr header;
        char space[CMSG_SPACE(2 * sizeof(int))];
    } control;
    struct iovec part = { .iov_base = bytes, .iov_len = length };
    struct msghdr message = { .msg_iov = &part, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control };
    struct pollfd readable = { .fd = socket, .events = POLLIN };
    if (poll(&readable, 1, PATIENCE_MS) <= 0 || recvmsg(socket, &message, MSG_CMSG_CLOEXEC) <= 0)
        return -1;
    struct cmsghdr *rights = CMSG_FIRSTHDR(&message);
    if (!rights || rights->cmsg_type != SCM_RIGHTS)
        return 0;
    size_t size = rights->cmsg_len - CMSG_LEN(0);
    memcpy(passed, CMSG_DATA(rights), size);
    taken += (int) (size / sizeof(int));
    return (int) (size / sizeof(int));
}

static int unix_socket(unsigned port, struct sockaddr_un *address, socklen_t *length)
{
    memset(address, 0, sizeof *address);
    address->sun_family = AF_UNIX;
    int written = snprintf(address->sun_path + 1, sizeof address->sun_path - 1, "%s/%u", prefix, port);
    *length = (socklen_t) (offsetof(struct sockaddr_un, sun_path) + 1 + (size_t) written);
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0)
        die("socket");
    return fd;
}

static int connect_to_b(void)
{
    struct sockaddr_un address;
    socklen_t length;
    int fd = unix_socket(port_of_b, &address, &length);
    if (connect(fd, (struct sockaddr *) &address, length))
        die("connect to B");
    return fd;
}

static void put16(uint8_t *at, unsigned value)
{
    at[0] = (uint8_t) (value >> 8), at[1] = (uint8_t) value;
}

static void put32(uint8_t *at, unsigned value)
{
    put16(at, value >> 16), put16(at + 2, value & 0xffff);
}

static void put64(uint8_t *at, uint64_t value)
{
    put32(at, (unsigned) (value >> 32)), put32(at + 4, (unsigned) value);
}

static uint64_t get(const uint8_t *at, int bytes)
{
    uint64_t value = 0;
    for (int i = 0; i < bytes; i++)
        value = value << 8 | at[i];
    return value;
}

/*
 * Says hello to B, with a segment of one's own or somebody else's; memory -1: it names one that B has.
 * {@return what B has passed; -1: it has refused; where memory is -1, whether the hello was sent}
 */
static int say_hello(int socket, struct segment *segment, int memory, uint64_t number, int process, uint64_t token)
{
    uint8_t hello[HELLO_BYTES] = "EXSH";
    static const uint8_t host[] = { 127, 0, 0, 1 };
    put16(hello + 4, version), put16(hello + 6, version);
    put32(hello + 8, segment->slots), put32(hello + 12, segment->region);
    put16(hello + 18, port_of_b);
    memcpy(hello + 20, host, sizeof host), memcpy(hello + 36, host, sizeof host);
    hello[52] = hello[53] = 4;
    hello[54] = segment->reserve ? (uint8_t) __builtin_ctz(segment->reserve) : 0;
    hello[55] = 2;
    put64(hello + 56, number), put64(hello + 64, segment->proof), put64(hello + 72, token);
    if (memory < 0) {
        hello[55] = 0;
        return send(socket, hello, sizeof hello, MSG_NOSIGNAL) == sizeof hello;
    }
    pass(socket, hello, sizeof hello, memory, process);
    char byte;
    int passed[2];
    return receive(socket, &byte, 1, passed) > 0 ? passed[0] : -1;
}

/* As for a first connection. */
static void make_ready(uint8_t *at)
{
    struct segment *segment = (struct segment *) at;
    memset(at + 128, 0, 768);
    *(uint64_t *) (at + POSTED(128)) = segment->slots;
    *(uint64_t *) (at + POSTED(CONTROL_B)) = segment->slots;
    segment->port = 0;
    segment->use++;
}

/* {@return a socket connected to B with a new segment; *process: what B has passed} */
static int come_to_b(int own_process, uint64_t token, int *process)
{
    enum { SLOTS = 64, REGION = 1 << 16 };
    size_t length = length_of(SLOTS, REGION);
    int memory = new_memory(length);
    uint8_t *at = map(memory, length);
    uint64_t number;
    struct segment segment = {
        .magic = SEGMENT_MAGIC, .layout = layout, .length = (uint32_t) length, .slots = SLOTS, .region = REGION,
    };
    if (getrandom(&number, sizeof number, 0) < 0)
        die("getrandom");
    segment.proof = number ^ 1;
    *(struct segment *) at = segment;
    make_ready(at);
    mapped[mappings].bytes = at, mapped[mappings++].length = length;
    int fd = connect_to_b();
    *process = say_hello(fd, (struct segment *) at, memory, number, own_process, token);
    return fd;
}

static int compare_all(const uint8_t *process, uint64_t token)
{
    int differing = 0;
    uint8_t *as_passed;
    int fd = new_process(token, &as_passed);
    for (int i = 0; i < PROCESS_BYTES; i++)
        differing += process[i] != as_passed[i];
    munmap(as_passed, PROCESS_BYTES);
    close(fd);
    return differing;
}

static void search_in(const uint8_t *at, const uint8_t *end)
{
    while ((at = memmem(at, (size_t) (end - at), SECRET, strlen(SECRET))) && at + 32 < end) {
        at += strlen(SECRET);
        unsigned number = (unsigned) atoi((const char *) at);
        if (number < MOST_SECRETS)
            found[number] = 1;
    }
}

/* Only the pages that are there: a look at another one would make it. */
static void search_arena(void)
{
    static uint8_t part[1 << 20];
    for (off_t at = 0; (at = lseek(arena, at, SEEK_DATA)) >= 0; at += (off_t) sizeof part) {
        ssize_t length = pread(arena, part, sizeof part, at);
        if (length <= 0)
            break;
        search_in(part, part + length);
    }
}

static void search(void)
{
    for (int i = 0; i < mappings; i++)
        search_in(mapped[i].bytes, mapped[i].bytes + mapped[i].length);
    if (arena >= 0)
        search_arena();
}

static int new_arena(void)
{
    int fd = new_memory(ARENA_BYTES);
    struct arena header = { .magic = ARENA_MAGIC, .layout = ARENA_LAYOUT, .state = LIVE, .length = ARENA_BYTES, .number = 1 };
    if (pwrite(fd, &header, sizeof header, 0) != sizeof header)
        die("arena");
    return fd;
}

/* What a client has passed. */
struct client {
    int socket, memory, process;
    uint8_t *segment;
    uint64_t number, token;
};

static struct client accept_a(int listener)
{
    struct client a;
    uint8_t hello[HELLO_BYTES];
    int passed[2];
    struct pollfd readable = { .fd = listener, .events = POLLIN };
    if (poll(&readable, 1, PATIENCE_MS) <= 0 || (a.socket = accept(listener, NULL, NULL)) < 0)
        die("A does not connect");
    if (receive(a.socket, hello, sizeof hello, passed) != 2)
        die("A does not pass its process");
    a.memory = passed[0], a.process = passed[1];
    a.number = get(hello + 56, 8), a.token = get(hello + 72, 8);
    a.segment = map(a.memory, length_of((unsigned) get(hello + 8, 4), (unsigned) get(hello + 12, 4)));
    mapped[mappings].bytes = a.segment;
    mapped[mappings++].length = length_of((unsigned) get(hello + 8, 4), (unsigned) get(hello + 12, 4));
    return a;
}

static void await_end(int socket)
{
    char bytes[64];
    struct pollfd readable = { .fd = socket, .events = POLLIN };
    while (poll(&readable, 1, PATIENCE_MS) > 0 && recv(socket, bytes, sizeof bytes, 0) > 0)
        ;
}

/* B takes A's segment from E, and keeps it when the connection has ended. */
static void relay(struct client *a)
{
    struct segment *segment = (struct segment *) a->segment;
    make_ready(a->segment);
    int b = connect_to_b();
    say_hello(b, segment, a->memory, a->number, a->process, a->token);
    close(b);
    for (int waited = 0; waited < SEEN_MS && *acceptor(a->segment) != RELEASED; waited++)
        usleep(1000);
    kept += *acceptor(a->segment) == RELEASED;
}

/* java.util.SplittableRandom, and back: each of its numbers tells all others. */
static uint64_t mix(uint64_t z)
{
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
}

static uint64_t unmix(uint64_t z)
{
    z = (z ^ z >> 31 ^ z >> 62) * 0x319642b2d24d8ec3;
    z = (z ^ z >> 27 ^ z >> 54) * 0x96de1b173f119089;
    return z ^ z >> 30 ^ z >> 60;
}

/* {@return hellos sent} The number of a segment comes first, then the proofs of its connections. */
static int guess(struct client *a)
{
    enum { GUESSES = 32 };
    uint64_t numbers[GUESSES], seed = unmix(a->token);
    struct segment named = *(struct segment *) a->segment;
    int sent = 0;
    for (int i = 0; i < GUESSES; i++) {
        numbers[i] = mix(seed + (uint64_t) (i + 1) * 0x9e3779b97f4a7c15);
        kept += numbers[i] == a->number;
    }
    for (int i = 0; i < GUESSES; i++) {
        for (int j = i + 1; j < GUESSES; j++) {
            int b = connect_to_b();
            named.proof = numbers[j];
            sent += say_hello(b, &named, -1, numbers[i], -1, a->token);
            close(b);
        }
    }
    return sent;
}

int main(int count, char **arguments)
{
    if (count != 4)
        return 2;
    signal(SIGQUIT, SIG_IGN);
    prefix = arguments[1];
    port_of_b = (unsigned) atol(arguments[2]);
    const char *mode = arguments[3];
    if (sscanf(prefix, "exs/%u.%u/", &layout, &version) != 2)
        return 2;

    struct sockaddr_in tcp = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
    socklen_t length = sizeof tcp;
    int port = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (bind(port, (struct sockaddr *) &tcp, length) || listen(port, 5) || getsockname(port, (struct sockaddr *) &tcp, &length))
        die("port");
    struct sockaddr_un name;
    int listener = unix_socket(ntohs(tcp.sin_port), &name, &length);
    if (bind(listener, (struct sockaddr *) &name, length) || listen(listener, 5))
        die("name");
    say("port", ntohs(tcp.sin_port));

    uint8_t *shown;
    uint64_t token;
    struct client a = accept_a(listener);
    if (strcmp(mode, "server") == 0 || strcmp(mode, "relay") == 0 || strcmp(mode, "arena") == 0) {
        uint8_t *own;
        int process;
        uint64_t own_token = a.token ^ 1;
        int b = come_to_b(new_process(own_token, &own), own_token, &process);
        if (process < 0)
            die("B does not pass its process");
        struct process *of_b = map(process, PROCESS_BYTES);
        token = of_b->token;
        pass(a.socket, (char[]) { 1 }, 1, new_process(token, &shown), -1);
        if (strcmp(mode, "arena") == 0) {
            arena = new_arena();
            pass(a.socket, (char[]) { 1 }, 1, arena, -1);
            *(volatile uint64_t *) (a.segment + SIGN) = 1; /* A takes what has come when it sees the first sign. */
        }
        *acceptor(a.segment) = MAPPED;
        say("met", taken);
        if (arena < 0) {
            await_end(a.socket);
            if (strcmp(mode, "relay") == 0)
                relay(&a);
            *acceptor(a.segment) = RELEASED;
            close(a.socket);
        }
        close(b);
    } else {
        int process;
        *acceptor(a.segment) = MAPPED;
        say("met", taken);
        await_end(a.socket);
        close(a.socket);
        token = a.token;
        int own = new_process(token, &shown);
        if (strcmp(mode, "guess") == 0) {
            taken += guess(&a);
        } else {
            come_to_b(own, token, &process);
            kept += process >= 0;
        }
    }
    say("ready", taken);
    struct pollfd input = { .fd = STDIN_FILENO, .events = POLLIN };
    while (poll(&input, 1, 1) == 0)
        search();
    search();
    int secrets = 0;
    for (int i = 0; i < MOST_SECRETS; i++)
        secrets += found[i];
    say("found", secrets);
    say("touched", compare_all(shown, token));
    say("kept", kept);
    return 0;
}
