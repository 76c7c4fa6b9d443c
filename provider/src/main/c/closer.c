/*
 * A native of UnixSockets.java, for Closer.java: closes files of which nobody knows what their end waits for.
 *
 * A TCP socket with SO_LINGER, be it in our hands or in a message that nobody has read, holds up whoever lets go of it last,
 * unless that task is exiting (PF_EXITING in inet_release, net/ipv4/af_inet.c). So a task that ends lets go last: a thread with
 * descriptors of its own, of which it has none but a socket that we pass the files to. It does not receive them; we close ours,
 * and it ends. It begins with no copy of our descriptors (close_range(2) leaves none to it), since what others of this process
 * close meanwhile must not wait for it. It runs none of Java's code, takes no signal, and has this thread's errno, which is not
 * looked at.
 */
#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>

#include "org_exsockets_verbs_soft_host_UnixSockets.h"

#ifndef SYS_close_range /* Linux 5.9 */
#define SYS_close_range 436
#endif
#ifndef CLOSE_RANGE_UNSHARE
#define CLOSE_RANGE_UNSHARE 2U
#endif

#define MOST org_exsockets_verbs_soft_host_UnixSockets_MOST_CLOSED

/* CLONE_CHILD_CLEARTID: the kernel clears and wakes `alive` when the thread has left its stack, before it closes anything. */
#define THREAD (CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD | CLONE_SYSVSEM | CLONE_CHILD_CLEARTID)

/* An abstract name that the kernel has chosen: unix(7), autobind. */
struct name {
    struct sockaddr_un address;
    socklen_t length;
};

struct held {
    struct name giver; /* Nobody else can send to the thread. */
    struct name thread;
    int ready; /* 1: it can be sent to, −1: not. */
    int closed; /* This process's own: the thread may end. */
    int alive;
};

static void set(int *word, int value)
{
    __atomic_store_n(word, value, __ATOMIC_RELEASE);
    syscall(SYS_futex, word, FUTEX_WAKE, 1, NULL, NULL, 0);
}

static int await_change(int *word, int from)
{
    int now;
    while ((now = __atomic_load_n(word, __ATOMIC_ACQUIRE)) == from)
        syscall(SYS_futex, word, FUTEX_WAIT, from, NULL, NULL, 0);
    return now;
}

/* System calls as such: functions of the C library may use what belongs to the thread whose errno this is. {@return the socket} */
static int named_socket(struct name *name)
{
    sa_family_t family = AF_UNIX;
    int fd = (int) syscall(SYS_socket, AF_UNIX, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    name->length = sizeof name->address;
    if (fd < 0 || syscall(SYS_bind, fd, &family, sizeof family) || syscall(SYS_getsockname, fd, &name->address, &name->length)) {
        if (fd >= 0)
            syscall(SYS_close, fd);
        return -1;
    }
    return fd;
}

/* The thread. */
static void hold(struct held *held)
{
    int fd = -1;
    if (!syscall(SYS_close_range, 0, UINT_MAX, CLOSE_RANGE_UNSHARE))
        fd = named_socket(&held->thread);
    set(&held->ready, fd >= 0 && !syscall(SYS_connect, fd, &held->giver.address, held->giver.length) ? 1 : -1);
    await_change(&held->closed, 0);
}

/* clone(2) on a stack of its own; musl's function refuses threads. {@return 0 or more, or -errno} */
static long start(struct held *held, char *stack)
{
    void **top = (void **) ((uintptr_t) stack & -(uintptr_t) 16);
#if defined __x86_64__
    long result;
    register int *alive __asm__("r10") = &held->alive;
    register long none __asm__("r8") = 0;
    *--top = hold;
    *--top = held;
    __asm__ volatile("syscall\n\t"
                     "test %%rax, %%rax\n\t"
                     "jnz 1f\n\t"
                     "xor %%ebp, %%ebp\n\t"
                     "pop %%rdi\n\t"
                     "pop %%rax\n\t"
                     "call *%%rax\n\t"
                     "mov %[exit], %%eax\n\t"
                     "xor %%edi, %%edi\n\t"
                     "syscall\n\t"
                     "hlt\n"
                     "1:"
                     : "=a"(result)
                     : "0"((long) SYS_clone), "D"((long) THREAD), "S"(top), "d"(NULL), "r"(alive), "r"(none), [exit] "i"(SYS_exit)
                     : "rcx", "r11", "memory", "cc");
    return result;
#elif defined __aarch64__
    register long x0 __asm__("x0") = THREAD;
    register void *x1 __asm__("x1") = top;
    register long x2 __asm__("x2") = 0;
    register long x3 __asm__("x3") = 0;
    register int *x4 __asm__("x4") = &held->alive;
    register long x8 __asm__("x8") = SYS_clone;
    *--top = hold;
    *--top = held;
    x1 = top;
    __asm__ volatile("svc #0\n\t"
                     "cbnz x0, 1f\n\t"
                     "mov x29, xzr\n\t"
                     "mov x30, xzr\n\t"
                     "ldp x0, x1, [sp], #16\n\t"
                     "blr x1\n\t"
                     "mov x0, xzr\n\t"
                     "mov x8, %[exit]\n\t"
                     "svc #0\n\t"
                     "brk #1\n"
                     "1:"
                     : "+r"(x0)
                     : "r"(x1), "r"(x2), "r"(x3), "r"(x4), "r"(x8), [exit] "i"(SYS_exit)
                     : "memory", "cc");
    return x0;
#endif
}

/* All with one message: a queue of datagrams is short. */
static void give(int from, struct name *to, const int *descriptors, int count)
{
    union {
        struct cmsghdr header;
        char space[CMSG_SPACE(MOST * sizeof(int))];
    } control;
    size_t bytes = (size_t) count * sizeof *descriptors;
    struct iovec part = { .iov_base = &(char) { 0 }, .iov_len = 1 };
    struct msghdr message = {
        .msg_name = &to->address, .msg_namelen = to->length, .msg_iov = &part, .msg_iovlen = 1,
        .msg_control = &control, .msg_controllen = CMSG_SPACE(bytes),
    };
    memset(&control, 0, sizeof control);
    control.header.cmsg_level = SOL_SOCKET;
    control.header.cmsg_type = SCM_RIGHTS;
    control.header.cmsg_len = CMSG_LEN(bytes);
    memcpy(CMSG_DATA(&control.header), descriptors, bytes);
    sendmsg(from, &message, MSG_DONTWAIT | MSG_NOSIGNAL);
}

/* Where there can be no such thread, or it cannot be given them, this one waits for the end of each. */
JNIEXPORT void JNICALL Java_org_exsockets_verbs_soft_host_UnixSockets_closeAll(
    JNIEnv *env, jclass class, jintArray descriptors, jint count)
{
    (void) class;
    char stack[16 << 10];
    int all[MOST];
    struct held held = { .alive = 1 };
    count = count < MOST ? count : MOST;
    (*env)->GetIntArrayRegion(env, descriptors, 0, count, all);
    int giver = named_socket(&held.giver);
    int started = 0;
    if (giver >= 0) {
        sigset_t none, before;
        sigfillset(&none);
        sigprocmask(SIG_BLOCK, &none, &before);
        started = start(&held, stack + sizeof stack) > 0;
        sigprocmask(SIG_SETMASK, &before, NULL);
    }
    if (started && await_change(&held.ready, 0) > 0)
        give(giver, &held.thread, all, count);
    if (giver >= 0)
        close(giver);
    for (int i = 0; i < count; i++)
        close(all[i]);
    if (started) {
        set(&held.closed, 1);
        await_change(&held.alive, 1);
    }
}
