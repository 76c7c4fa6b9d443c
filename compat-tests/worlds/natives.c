/*
 * natives DIRECTORY: loads the native libraries of EXS that lie there into this process, which has no JVM, calls their natives and
 * checks the results; a line for each check. The few functions of JNI that they call are here. Ends at the first failure.
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "org_exsockets_jdk_DescriptorPoll.h"
#include "org_exsockets_jdk_Futex.h"
#include "org_exsockets_verbs_disni_Verbs.h"
#include "org_exsockets_verbs_soft_copy_NativeCopy.h"
#include "org_exsockets_verbs_soft_host_NativeMemory.h"
#include "org_exsockets_verbs_soft_host_UnixSockets.h"
#include "org_exsockets_verbs_soft_meet_PortOwner.h"

#define NS_PER_MS 1000000L
#define LONG_NS (60 * 1000 * NS_PER_MS)

/* A native, by the type that javac has given it. */
#define FIND(name) ((__typeof__(&name)) find(#name))
#define COPY(name) FIND(Java_org_exsockets_verbs_soft_copy_NativeCopy_##name)
#define SOCKETS(name) FIND(Java_org_exsockets_verbs_soft_host_UnixSockets_##name)
#define OWNER(name) FIND(Java_org_exsockets_verbs_soft_meet_PortOwner_##name)
#define MEMORY(name) FIND(Java_org_exsockets_verbs_soft_host_NativeMemory_##name)
#define POLL(name) FIND(Java_org_exsockets_jdk_DescriptorPoll_##name)
#define FUTEX(name) FIND(Java_org_exsockets_jdk_Futex_##name)
#define VERBS(name) FIND(Java_org_exsockets_verbs_disni_Verbs_##name)

#define CHECK(condition) \
    do { \
        if (!(condition)) { \
            printf("FAILED  %s: %s, line %d: errno=%d, thrown=\"%s\"\n", library, #condition, __LINE__, errno, thrown); \
            exit(1); \
        } \
    } while (0)

static const char *library; /* Loaded last; its file name. */
static void *handle;

static void passed(const char *what)
{
    printf("ok      %s: %s\n", library, what);
}

static void load(const char *directory, const char *file)
{
    char path[PATH_MAX];
    library = file;
    snprintf(path, sizeof path, "%s/%s", directory, file);
    handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!handle) {
        printf("FAILED  %s: %s\n", file, dlerror());
        exit(1);
    }
    passed("loads");
}

static void *find(const char *name)
{
    void *function = dlsym(handle, name);
    if (!function) {
        printf("FAILED  %s: has no %s\n", library, name);
        exit(1);
    }
    return function;
}

/* What a JVM does, as far as these natives ask for it; a function that is not here is null. */

struct array {
    jsize length;
    void *elements;
};
struct buffer {
    void *address;
    jlong bytes;
};

static char thrown[1024]; /* "call: explanation" of the last exception. */

static jsize array_length(JNIEnv *env, jarray array)
{
    (void) env;
    return ((struct array *) array)->length;
}

static void byte_region(JNIEnv *env, jbyteArray array, jsize start, jsize length, jbyte *into)
{
    (void) env;
    memcpy(into, (jbyte *) ((struct array *) array)->elements + start, (size_t) length);
}

static void int_region(JNIEnv *env, jintArray array, jsize start, jsize length, jint *into)
{
    (void) env;
    memcpy(into, (jint *) ((struct array *) array)->elements + start, (size_t) length * sizeof *into);
}

static void set_byte_region(JNIEnv *env, jbyteArray array, jsize start, jsize length, const jbyte *from)
{
    (void) env;
    memcpy((jbyte *) ((struct array *) array)->elements + start, from, (size_t) length);
}

static void set_int_region(JNIEnv *env, jintArray array, jsize start, jsize length, const jint *from)
{
    (void) env;
    memcpy((jint *) ((struct array *) array)->elements + start, from, (size_t) length * sizeof *from);
}

static void set_long_region(JNIEnv *env, jlongArray array, jsize start, jsize length, const jlong *from)
{
    (void) env;
    memcpy((jlong *) ((struct array *) array)->elements + start, from, (size_t) length * sizeof *from);
}

static void set_boolean_region(JNIEnv *env, jbooleanArray array, jsize start, jsize length, const jboolean *from)
{
    (void) env;
    memcpy((jboolean *) ((struct array *) array)->elements + start, from, (size_t) length);
}

static jstring new_string(JNIEnv *env, const char *text)
{
    (void) env;
    return (jstring) strdup(text);
}

static jobject new_buffer(JNIEnv *env, void *address, jlong bytes)
{
    struct buffer *made = malloc(sizeof *made);
    (void) env;
    *made = (struct buffer) { address, bytes };
    return (jobject) made;
}

static void *buffer_address(JNIEnv *env, jobject buffer)
{
    (void) env;
    return ((struct buffer *) buffer)->address;
}

static jclass find_class(JNIEnv *env, const char *name)
{
    (void) env;
    return strcmp(name, "org/exsockets/verbs/disni/VerbsException") ? NULL : (jclass) name;
}

static jmethodID find_method(JNIEnv *env, jclass class, const char *name, const char *type)
{
    (void) env, (void) class, (void) type;
    return (jmethodID) name;
}

static jobject global(JNIEnv *env, jobject object)
{
    (void) env;
    return object;
}

/* Of VerbsException: the call, the number, the explanation. */
static jobject new_object(JNIEnv *env, jclass class, jmethodID constructor, ...)
{
    va_list arguments;
    (void) env, (void) constructor;
    va_start(arguments, constructor);
    const char *call = va_arg(arguments, const char *);
    int error = va_arg(arguments, int);
    snprintf(thrown, sizeof thrown, "%s: %d: %s", call, error, va_arg(arguments, const char *));
    va_end(arguments);
    return class;
}

static jint throw(JNIEnv *env, jthrowable exception)
{
    (void) env, (void) exception;
    return 0;
}

static const struct JNINativeInterface_ functions = {
    .GetArrayLength = array_length,
    .GetByteArrayRegion = byte_region,
    .GetIntArrayRegion = int_region,
    .SetByteArrayRegion = set_byte_region,
    .SetIntArrayRegion = set_int_region,
    .SetLongArrayRegion = set_long_region,
    .SetBooleanArrayRegion = set_boolean_region,
    .NewStringUTF = new_string,
    .NewDirectByteBuffer = new_buffer,
    .GetDirectBufferAddress = buffer_address,
    .FindClass = find_class,
    .GetMethodID = find_method,
    .NewGlobalRef = global,
    .NewObject = new_object,
    .Throw = throw,
};
static JNIEnv interface = &functions;
static JNIEnv *const env = &interface;

static jint get_env(JavaVM *vm, void **into, jint version)
{
    (void) vm, (void) version;
    *into = &interface;
    return JNI_OK;
}

static const struct JNIInvokeInterface_ vm_functions = { .GetEnv = get_env };

/* libexspoll.so */

static void check_copy(void)
{
    static unsigned char from[8192], to[8192], expected[8192];
    int methods = 0;

    for (size_t i = 0; i < sizeof from; i++)
        from[i] = (unsigned char) (i * 31 >> 3);
    for (jint method = 0; method < org_exsockets_verbs_soft_copy_NativeCopy_METHODS; method++) {
        if (!COPY(supports)(env, NULL, method))
            continue;
        methods++;
        for (int length = 0; length < 4096; length = length < 300 ? length + 1 : length * 2 - 1) {
            int source = length % 67, target = length % 61;
            memset(to, 0xee, sizeof to);
            memset(expected, 0xee, sizeof expected);
            memcpy(expected + target, from + source, (size_t) length);
            COPY(copy)(env, NULL, method, (jlong) (from + source), (jlong) (to + target), length);
            CHECK(!memcmp(to, expected, sizeof to));
        }
    }
    CHECK(COPY(supports)(env, NULL, org_exsockets_verbs_soft_copy_NativeCopy_BASELINE));
    CHECK(COPY(supports)(env, NULL, COPY(best)(env, NULL)));
    printf("ok      %s: copies past the caches, by %d methods; the best is %d\n", library, methods, COPY(best)(env, NULL));
}

static blkcnt_t blocks(int fd)
{
    struct stat status;
    return fstat(fd, &status) ? -1 : status.st_blocks;
}

static void check_memory(void)
{
    jint page = MEMORY(pageBytes)(env, NULL);
    jlong length = 4 * page;

    CHECK(page == sysconf(_SC_PAGESIZE));
    jint fd = MEMORY(create)(env, NULL, length);
    CHECK(fd >= 0);
    CHECK(MEMORY(sealedBytes)(env, NULL, fd) == length);
    CHECK(ftruncate(fd, page) == -1 && errno == EPERM);
    CHECK(ftruncate(fd, 2 * length) == -1 && errno == EPERM);
    jint unsealed = (jint) syscall(SYS_memfd_create, "natives", 2 /* MFD_ALLOW_SEALING */);
    CHECK(unsealed >= 0 && !ftruncate(unsealed, length));
    CHECK(MEMORY(sealedBytes)(env, NULL, unsealed) == -EPERM);
    MEMORY(close)(env, NULL, unsealed);
    CHECK(MEMORY(sealedBytes)(env, NULL, unsealed) == -EBADF);
    passed("creates memory of a sealed length, and knows it");

    CHECK(blocks(fd) == 0);
    char *first = (char *) MEMORY(mapShared)(env, NULL, fd, 0, length);
    char *second = (char *) MEMORY(mapShared)(env, NULL, fd, 0, length);
    CHECK((intptr_t) first > 0 && (intptr_t) second > 0 && first != second);
    strcpy(first + page, "shared");
    CHECK(!strcmp(second + page, "shared"));
    CHECK(MEMORY(makePrivate)(env, NULL, (jlong) (second + page), page) == 0);
    CHECK(!strcmp(second + page, "shared"));
    strcpy(second + page, "private");
    CHECK(!strcmp(first + page, "shared"));
    CHECK(MEMORY(mapSharedOver)(env, NULL, (jlong) (second + page), fd, page, page) == 0);
    CHECK(!strcmp(second + page, "shared"));
    struct buffer whole = { second, length };
    CHECK(MEMORY(presentBytes)(env, NULL, (jobject) &whole, page + 1, 1) == page);
    CHECK(MEMORY(presentBytes)(env, NULL, (jobject) &whole, 1, length - 1) == page);
    CHECK(MEMORY(emptyWithin)(env, NULL, (jobject) &whole, 1, length - 1) == 0);
    CHECK(MEMORY(presentBytes)(env, NULL, (jobject) &whole, 0, length) == 0);
    CHECK(first[page] == 0);
    CHECK(MEMORY(emptyWithin)(env, NULL, (jobject) &whole, 1, page) == 0);
    CHECK(MEMORY(empty)(env, NULL, fd, 0, length) == 0);
    CHECK(blocks(fd) == 0 && first[page] == 0);
    CHECK(MEMORY(allocate)(env, NULL, fd, 0, page) == 0);
    CHECK(MEMORY(advise)(env, NULL, (jlong) first, page, MADV_DONTDUMP) == 0);
    jlong random[32] = { 0 };
    struct array numbers = { 32, random };
    CHECK(MEMORY(random)(env, NULL, (jlongArray) &numbers) && random[0] != random[1] && random[31]);
    numbers.length = 33;
    CHECK(!MEMORY(random)(env, NULL, (jlongArray) &numbers));
    passed("maps, exchanges and empties pages");

    jobject buffer = MEMORY(buffer)(env, NULL, (jlong) first, length);
    CHECK(((struct buffer *) buffer)->address == first && ((struct buffer *) buffer)->bytes == length);
    CHECK(MEMORY(unmap)(env, NULL, (jlong) first, length) == 0);
    CHECK(MEMORY(unmap)(env, NULL, (jlong) second, length) == 0);
    CHECK(MEMORY(unmap)(env, NULL, 1, length) == -EINVAL);
    MEMORY(close)(env, NULL, fd);
    CHECK(!strcmp((char *) MEMORY(message)(env, NULL, ENOENT), strerror(ENOENT)));
    CHECK(*(char *) MEMORY(message)(env, NULL, 12345));
    passed("makes buffers, unmaps, and tells errors in words");
}

static void check_owner(void)
{
    jbyte local[] = { 127, 0, 0, 1 };
    struct array host = { sizeof local, local };
    struct sockaddr_in address = { .sin_family = AF_INET };
    socklen_t length = sizeof address;
    int server = socket(AF_INET, SOCK_STREAM, 0);
    CHECK(bind(server, (struct sockaddr *) &address, length) == 0);
    CHECK(getsockname(server, (struct sockaddr *) &address, &length) == 0);
    CHECK(OWNER(find)(env, NULL, (jbyteArray) &host, 0, ntohs(address.sin_port)) == -ENOENT);
    CHECK(listen(server, 1) == 0);
    CHECK(OWNER(find)(env, NULL, (jbyteArray) &host, 0, ntohs(address.sin_port)) == (jlong) geteuid());
    host.length = 17;
    CHECK(OWNER(find)(env, NULL, (jbyteArray) &host, 0, 1) == -EINVAL);
    close(server);
    passed("tells whose a port is");
}

static void check_sockets(void)
{
    char text[64], data[] = "hello", got[16] = "";
    jint descriptors[] = { -1, -1 };
    jlong process = 0;
    snprintf(text, sizeof text, "exs/natives/%d", getpid());
    struct array name = { (jsize) strlen(text), text }, hello = { 5, data }, into = { sizeof got, got };
    struct array passed_on = { 2, descriptors };
    struct array peer = { 1, &process };
    jbyteArray at = (jbyteArray) &name;
    jlongArray who = (jlongArray) &peer;

    CHECK(SOCKETS(effectiveUser)(env, NULL) == (jint) geteuid());
    jint server = SOCKETS(open)(env, NULL), client = SOCKETS(open)(env, NULL);
    CHECK(server >= 0 && client >= 0);
    CHECK(SOCKETS(connect)(env, NULL, client, at, who) == -ECONNREFUSED);
    CHECK(SOCKETS(listen)(env, NULL, server, at, 5) == 0);
    CHECK(SOCKETS(listen)(env, NULL, client, at, 5) == -EADDRINUSE);
    CHECK(SOCKETS(accept)(env, NULL, server, who) == -EAGAIN);
    jint gate = SOCKETS(openGate)(env, NULL, server);
    CHECK(gate >= 0 && POLL(poll)(env, NULL, gate, 0) == 0);
    CHECK(SOCKETS(connect)(env, NULL, client, at, who) == 0);
    CHECK(process == ((jlong) geteuid() << 32 | getpid()));
    CHECK(POLL(poll)(env, NULL, gate, 0) == 1);
    CHECK(SOCKETS(setGate)(env, NULL, gate, server, JNI_FALSE) == 0 && POLL(poll)(env, NULL, gate, 0) == 0);
    CHECK(SOCKETS(setGate)(env, NULL, gate, server, JNI_TRUE) == 0 && POLL(poll)(env, NULL, gate, 0) == 1);
    MEMORY(close)(env, NULL, gate);
    process = 0;
    jint accepted = SOCKETS(accept)(env, NULL, server, who);
    CHECK(accepted >= 0 && process == ((jlong) geteuid() << 32 | getpid()));
    jint pidfd = SOCKETS(peerProcess)(env, NULL, accepted); /* Before Linux 6.5 there is none. */
    CHECK(pidfd < 0 ? pidfd == -ENOPROTOOPT : POLL(poll)(env, NULL, pidfd, 0) == 0);
    MEMORY(close)(env, NULL, pidfd);
    passed("listens at a name without a file, connects and accepts");

    jint memory = MEMORY(create)(env, NULL, 4096);
    CHECK(SOCKETS(receive)(env, NULL, accepted, (jbyteArray) &into, 0, (jintArray) &passed_on) == -EAGAIN);
    CHECK(SOCKETS(send)(env, NULL, client, (jbyteArray) &hello, memory, server) == 5);
    CHECK(SOCKETS(receive)(env, NULL, accepted, (jbyteArray) &into, 2, (jintArray) &passed_on) == 5);
    CHECK(!memcmp(got + 2, data, 5) && descriptors[0] >= 0 && descriptors[1] >= 0);
    CHECK(MEMORY(sealedBytes)(env, NULL, descriptors[0]) == 4096);
    CHECK(fcntl(descriptors[0], F_GETFD) == FD_CLOEXEC);
    MEMORY(close)(env, NULL, descriptors[0]);
    MEMORY(close)(env, NULL, descriptors[1]);

    CHECK(SOCKETS(ring)(env, NULL, client) == 0);
    data[0] = org_exsockets_verbs_soft_host_UnixSockets_PASSED;
    hello.length = 1;
    CHECK(SOCKETS(send)(env, NULL, client, (jbyteArray) &hello, memory, -1) == 1);
    jlong taken = SOCKETS(takePassed)(env, NULL, accepted);
    CHECK(taken >> 32 > 0 && !(jint) taken); /* The event stays. */
    MEMORY(close)(env, NULL, (jint) (taken >> 32) - 1);
    jlong drained = SOCKETS(drain)(env, NULL, accepted);
    CHECK(drained >> 32 > 0 && (jint) drained == 2);
    MEMORY(close)(env, NULL, (jint) (drained >> 32) - 1);
    CHECK(SOCKETS(drain)(env, NULL, accepted) == -EAGAIN);
    SOCKETS(readUrgentInLine)(env, NULL, client);
    CHECK(SOCKETS(send)(env, NULL, client, (jbyteArray) &hello, memory, server) == 1);
    drained = SOCKETS(drain)(env, NULL, accepted);
    CHECK(drained >> 32 > 0 && (jint) drained == 0); /* One too many. */
    MEMORY(close)(env, NULL, (jint) (drained >> 32) - 1);
    MEMORY(close)(env, NULL, memory);
    CHECK(SOCKETS(isLeft)(env, NULL, accepted));
    CHECK(!SOCKETS(close)(env, NULL, accepted));
    jint kept = SOCKETS(keepOpen)(env, NULL, accepted);
    CHECK(kept >= 0);
    struct array unwanted = { 2, (jint[]) { kept, accepted } };
    SOCKETS(closeAll)(env, NULL, (jintArray) &unwanted, 2);
    CHECK(fcntl(kept, F_GETFD) < 0 && fcntl(accepted, F_GETFD) < 0);
    CHECK(POLL(poll)(env, NULL, client, -1) == 1); /* Its end comes soon. */
    CHECK(SOCKETS(shutdown)(env, NULL, client) == 0);
    passed("passes descriptors, rings, and closes what is left unread");

    CHECK(SOCKETS(setBacklog)(env, NULL, server, 0) == 0);
    CHECK(SOCKETS(retire)(env, NULL, server) == 0);
    jint successor = SOCKETS(open)(env, NULL);
    CHECK(SOCKETS(listen)(env, NULL, successor, at, 5) == 0);
    MEMORY(close)(env, NULL, successor);
    MEMORY(close)(env, NULL, server);
    CHECK(SOCKETS(close)(env, NULL, client) && fcntl(client, F_GETFD) < 0);
    passed("retires, and leaves its name to others");
}


static void check_poll(void)
{
    int pipes[2];
    CHECK(POLL(version)(env, NULL) == org_exsockets_jdk_DescriptorPoll_VERSION);
    CHECK(!pipe(pipes));
    CHECK(POLL(poll)(env, NULL, pipes[0], 5 * NS_PER_MS) == 0);
    CHECK(write(pipes[1], "x", 1) == 1);
    CHECK(POLL(poll)(env, NULL, pipes[0], -1) == 1);
    CHECK(!POLL(hungUp)(env, NULL, pipes[0]));
    close(pipes[1]);
    CHECK(POLL(hungUp)(env, NULL, pipes[0]));
    close(pipes[0]);
    passed("polls");
}

static void *wake(void *word)
{
    __atomic_store_n((int *) word, 0, __ATOMIC_SEQ_CST);
    FUTEX(wake)(env, NULL, (jlong) word);
    return NULL;
}

/* Whoever sleeps may find the word changed or be woken; both are as it should be, sleeping to the end is not. */
static void check_futex(void)
{
    int *word = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    struct buffer buffer = { word, 4096 };
    pthread_t thread;
    int status;

    CHECK(word != MAP_FAILED);
    CHECK(FUTEX(address)(env, NULL, (jobject) &buffer) == (jlong) word);
    *word = 7;
    CHECK(FUTEX(sleep)(env, NULL, (jlong) word, 8, LONG_NS) == org_exsockets_jdk_Futex_WOKEN);
    CHECK(FUTEX(sleep)(env, NULL, (jlong) word, 7, 5 * NS_PER_MS) == org_exsockets_jdk_Futex_TIMED_OUT);
    CHECK(FUTEX(sleep)(env, NULL, (jlong) (word + 1) | 1, 7, NS_PER_MS) == -EINVAL);
    CHECK(!pthread_create(&thread, NULL, wake, word));
    CHECK(FUTEX(sleep)(env, NULL, (jlong) word, 7, LONG_NS) == org_exsockets_jdk_Futex_WOKEN);
    CHECK(!pthread_join(thread, NULL));
    *word = 7;
    pid_t child = fork();
    if (!child) {
        wake(word);
        _exit(0);
    }
    CHECK(FUTEX(sleep)(env, NULL, (jlong) word, 7, LONG_NS) == org_exsockets_jdk_Futex_WOKEN);
    CHECK(waitpid(child, &status, 0) == child && status == 0);
    munmap(word, 4096);
    CHECK(FUTEX(sleep)(env, NULL, (jlong) word, 7, NS_PER_MS) == -EFAULT);
    passed("sleeps on a word, and is woken by a thread and by a process");
}

/* libdisni.so and libexsverbs.so */

static void check_verbs(void)
{
    JavaVM vm = &vm_functions;
    jint descriptors[] = { 0 };
    jboolean ready[] = { false };
    struct array waited = { 1, descriptors }, outcome = { 1, ready };

    CHECK(FIND(JNI_OnLoad)(&vm, NULL) == JNI_VERSION_1_8);
    CHECK(VERBS(version)(env, NULL) == org_exsockets_verbs_disni_Verbs_VERSION);
    descriptors[0] = VERBS(createEvent)(env, NULL);
    CHECK(descriptors[0] >= 0);
    CHECK(VERBS(waitFor)(env, NULL, (jintArray) &waited, (jbooleanArray) &outcome, 1) == 0 && !ready[0]);
    VERBS(signalEvent)(env, NULL, descriptors[0]);
    CHECK(VERBS(waitFor)(env, NULL, (jintArray) &waited, (jbooleanArray) &outcome, -1) == 1 && ready[0]);
    VERBS(clearEvent)(env, NULL, descriptors[0]);
    CHECK(VERBS(waitFor)(env, NULL, (jintArray) &waited, (jbooleanArray) &outcome, 0) == 0 && !ready[0]);
    VERBS(closeEvent)(env, NULL, descriptors[0]);
    CHECK(!*thrown);
    passed("events to wait on");

    char expected[256];
    VERBS(waitFor)(env, NULL, NULL, NULL, 0);
    snprintf(expected, sizeof expected, "poll: %d: %s", EINVAL, strerror(EINVAL));
    CHECK(!strcmp(thrown, expected));
    VERBS(pointer)(env, NULL, 0x123456789);
    CHECK(strstr(thrown, "the handle is 0, closed, or of another kind"));
    passed("refuses in words what is wrong");
    VERBS(open)(env, NULL);
    CHECK(strstr(thrown, "dlopen: 0: libibverbs.so.1 cannot be loaded (Error loading shared library libibverbs.so.1"));
    passed("says that there is no libibverbs");
    *thrown = 0;
}

static void check_dispatcher(bool there)
{
    jint (*version)(JNIEnv *, jobject) = dlsym(handle, "Java_com_ibm_disni_verbs_impl_NativeDispatcher__1getVersion");
    CHECK(there ? version && version(env, NULL) == 32 : !version);
    passed(there ? "has DiSNI's natives" : "has none of DiSNI's natives");
}

/* Nothing may have brought another C library into this process. */
static void check_one_c_library(void)
{
    char line[PATH_MAX + 128];
    FILE *maps = fopen("/proc/self/maps", "r");
    CHECK(maps);
    while (fgets(line, sizeof line, maps))
        CHECK(!strstr(line, "libc.so.6") && !strstr(line, "libdl.so.2"));
    fclose(maps);
    library = "all three";
    passed("one C library in the process, musl");
}

int main(int count, char **arguments)
{
    if (count != 2)
        return 2;
    setvbuf(stdout, NULL, _IOLBF, 0);
    load(arguments[1], "libexspoll.so");
    check_copy();
    check_poll();
    check_futex();
    check_memory();
    check_owner();
    check_sockets();
    load(arguments[1], "libdisni.so");
    check_verbs();
    check_dispatcher(true);
    load(arguments[1], "libexsverbs.so");
    check_verbs();
    check_dispatcher(false);
    check_one_c_library();
    return 0;
}
