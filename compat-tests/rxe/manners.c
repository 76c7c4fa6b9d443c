/*
 * manners.so, preloaded: has the RDMA device behave as drivers of adapters do that are not at hand. EXS finds the functions
 * of libibverbs and librdmacm with dlsym, which is ours here; posting and polling it calls through the context, whose
 * operations are replaced. For the tests of AdapterMannersTest; for one device of the machine.
 *
 * The file that $MANNERS names is read whenever a device is queried; it has lines "NAME NUMBER":
 *
 *   inline N          most bytes inline; more is refused with ...
 *   refusal E         errno of what is refused; 0: none is set
 *   clamp 1           instead of refusing, less is granted, and told
 *   told N            max_qp_wr as the device tells it
 *   requests N        most requests of a queue pair; more is refused
 *   after N           the limits hold for queue pairs after the first N
 *   qp E, cq E        create_qp, create_cq fail with this errno, ...
 *   times N           ... so many times (default: always)
 *   transport N       ibv_transport_type
 *   immediates 0      RDMA_WRITE_WITH_IMM is refused
 *   late N            completions of requests are found only when the CQ has been polled N times more
 *   overtaken 1       the last message of a peer is found only in front of the first flushed receive
 *   send N, receive N the next request or receive that has completed has failed with this status
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <infiniband/verbs.h>
#include <limits.h>
#include <pthread.h>
#include <rdma/rdma_cma.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { HELD = 4096, VENDOR_ERROR = 0x77, LAST_MESSAGE_BYTES = 64, UNTIL_FLUSHED = -1 };

/* EXS marks receives so in their wr_id: the opcode of a failed completion is not valid. */
static const uint64_t receives = 1ULL << 62;

static struct {
    int bytes_inline, refusal, clamp, told, requests, after, qp, cq, times, transport, immediates, late, overtaken, send, receive;
} manners;

static struct ibv_context_ops real;
static int real_transport = INT_MIN;

/* Completions that are held back, the oldest first. Under the lock, as what is above, except in posting. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct {
    struct ibv_cq *cq;
    struct ibv_wc completion;
    int polls;
} held[HELD];
static int holding;

#define REAL(name) static __typeof__(&name) real_##name
REAL(ibv_query_device);
REAL(ibv_alloc_pd);
REAL(ibv_create_cq);
REAL(ibv_query_qp);
REAL(rdma_create_qp);

static void read_manners(void)
{
    static const struct {
        const char *name;
        int *number;
    } known[] = {
            {"inline", &manners.bytes_inline}, {"refusal", &manners.refusal},     {"clamp", &manners.clamp},
            {"told", &manners.told},           {"requests", &manners.requests},   {"after", &manners.after},
            {"qp", &manners.qp},               {"cq", &manners.cq},               {"times", &manners.times},
            {"transport", &manners.transport}, {"immediates", &manners.immediates}, {"late", &manners.late},
            {"send", &manners.send},           {"receive", &manners.receive},     {"overtaken", &manners.overtaken},
    };
    const char *path = getenv("MANNERS");
    FILE *file = path == NULL ? NULL : fopen(path, "r");
    char name[32];
    int number;

    memset(&manners, 0, sizeof manners);
    manners.bytes_inline = manners.told = manners.requests = manners.times = INT_MAX;
    manners.transport = INT_MIN;
    manners.immediates = 1;
    holding = 0;
    while (file != NULL && fscanf(file, "%31s %d", name, &number) == 2) {
        size_t i = 0;

        while (i < sizeof known / sizeof *known && strcmp(known[i].name, name) != 0)
            i++;
        if (i == sizeof known / sizeof *known) {
            fprintf(stderr, "manners: unknown: %s\n", name);
            abort();
        }
        *known[i].number = number;
    }
    if (file != NULL)
        fclose(file);
}

static int our_query_device(struct ibv_context *context, struct ibv_device_attr *attributes)
{
    int result = real_ibv_query_device(context, attributes);

    pthread_mutex_lock(&lock);
    read_manners();
    if (real_transport == INT_MIN)
        real_transport = (int) context->device->transport_type;
    context->device->transport_type =
            (enum ibv_transport_type) (manners.transport == INT_MIN ? real_transport : manners.transport);
    if (attributes->max_qp_wr > manners.told)
        attributes->max_qp_wr = manners.told;
    pthread_mutex_unlock(&lock);
    return result;
}

static struct ibv_cq *our_create_cq(struct ibv_context *context, int entries, void *cookie,
                                    struct ibv_comp_channel *channel, int vector)
{
    if (manners.cq != 0 && manners.times > 0) {
        manners.times--;
        errno = manners.cq;
        return NULL;
    }
    return real_ibv_create_cq(context, entries, cookie, channel, vector);
}

static int our_create_qp(struct rdma_cm_id *id, struct ibv_pd *pd, struct ibv_qp_init_attr *attributes)
{
    struct ibv_qp_cap *cap = &attributes->cap;
    bool too_much = cap->max_inline_data > (uint32_t) manners.bytes_inline
                    || cap->max_send_wr > (uint32_t) manners.requests || cap->max_recv_wr > (uint32_t) manners.requests;

    if (manners.after-- > 0)
        return real_rdma_create_qp(id, pd, attributes);
    if (manners.qp != 0 && manners.times > 0) {
        manners.times--;
        errno = manners.qp;
        return -1;
    }
    if (too_much && manners.clamp == 0) {
        errno = manners.refusal;
        return -1;
    }
    if (cap->max_inline_data > (uint32_t) manners.bytes_inline)
        cap->max_inline_data = (uint32_t) manners.bytes_inline;
    if (cap->max_send_wr > (uint32_t) manners.requests)
        cap->max_send_wr = (uint32_t) manners.requests;
    if (cap->max_recv_wr > (uint32_t) manners.requests)
        cap->max_recv_wr = (uint32_t) manners.requests;
    return real_rdma_create_qp(id, pd, attributes);
}

static int our_query_qp(struct ibv_qp *qp, struct ibv_qp_attr *attributes, int mask, struct ibv_qp_init_attr *initial)
{
    int result = real_ibv_query_qp(qp, attributes, mask, initial);

    /* soft-RoCE rounds up what it is asked for. */
    if (initial->cap.max_inline_data > (uint32_t) manners.bytes_inline)
        initial->cap.max_inline_data = (uint32_t) manners.bytes_inline;
    return result;
}

static int our_post_send(struct ibv_qp *qp, struct ibv_send_wr *request, struct ibv_send_wr **bad)
{
    uint32_t length = request->num_sge == 0 ? 0 : request->sg_list->length;
    bool bad_inline = (request->send_flags & IBV_SEND_INLINE) != 0
                      && (manners.bytes_inline == 0 || length > (uint32_t) manners.bytes_inline);

    *bad = request;
    if (bad_inline || (request->opcode == IBV_WR_RDMA_WRITE_WITH_IMM && manners.immediates == 0))
        return EINVAL;
    return real.post_send(qp, request, bad);
}

static void fail(struct ibv_wc *completion, int *status)
{
    if (*status == 0 || completion->status != IBV_WC_SUCCESS)
        return;
    completion->status = (enum ibv_wc_status) *status;
    completion->vendor_err = VENDOR_ERROR;
    *status = 0;
}

/* Moves what has been held back long enough, or until a flush, to `completions`; returns how many. */
static int overdue(struct ibv_cq *cq, bool flushed, int max, struct ibv_wc *completions)
{
    int count = 0, kept = 0;

    for (int i = 0; i < holding; i++) {
        bool ours = held[i].cq == cq;

        if (ours && count < max && (flushed ? held[i].polls == UNTIL_FLUSHED : held[i].polls != UNTIL_FLUSHED && held[i].polls >= manners.late))
            completions[count++] = held[i].completion;
        else {
            held[kept] = held[i];
            held[kept++].polls += ours && held[i].polls != UNTIL_FLUSHED;
        }
    }
    holding = kept;
    return count;
}

static void hold(struct ibv_cq *cq, const struct ibv_wc *completion, int polls)
{
    held[holding].cq = cq;
    held[holding].completion = *completion;
    held[holding++].polls = polls;
}

static int our_poll_cq(struct ibv_cq *cq, int max, struct ibv_wc *completions)
{
    struct ibv_wc completion;
    int found = 0, count = 0;

    pthread_mutex_lock(&lock);
    /* What is put in front of a flushed receive must have room. */
    while (count + 1 < max && (found = real.poll_cq(cq, 1, &completion)) > 0) {
        bool receive = completion.wr_id >= receives;
        bool last = receive && completion.status == IBV_WC_SUCCESS && completion.opcode == IBV_WC_RECV
                    && completion.byte_len == LAST_MESSAGE_BYTES;

        fail(&completion, receive ? &manners.receive : &manners.send);
        if (receive && completion.status == IBV_WC_WR_FLUSH_ERR)
            count += overdue(cq, true, 1, completions + count);
        if (manners.overtaken && last && holding < HELD)
            hold(cq, &completion, UNTIL_FLUSHED);
        else if (receive || manners.late == 0 || holding == HELD)
            completions[count++] = completion;
        else
            hold(cq, &completion, 0);
    }
    if (found >= 0)
        count += overdue(cq, false, max - count, completions + count);
    pthread_mutex_unlock(&lock);
    return found < 0 ? found : count;
}

static struct ibv_pd *our_alloc_pd(struct ibv_context *context)
{
    if (context->ops.post_send != our_post_send) {
        real = context->ops;
        context->ops.post_send = our_post_send;
        context->ops.poll_cq = our_poll_cq;
    }
    return real_ibv_alloc_pd(context);
}

/* RTLD_NEXT does not work through this: it would mean what comes after this library. */
void *dlsym(void *handle, const char *name)
{
    static void *(*next)(void *, const char *);
    void *found;

    if (next == NULL)
        *(void **) &next = dlvsym(RTLD_NEXT, "dlsym", "GLIBC_2.2.5");
    found = next(handle, name);
#define OURS(real_name, our_name) \
    if (found != NULL && strcmp(name, #real_name) == 0) { \
        *(void **) &real_##real_name = found; \
        return (void *) our_name; \
    }
    OURS(ibv_query_device, our_query_device)
    OURS(ibv_alloc_pd, our_alloc_pd)
    OURS(ibv_create_cq, our_create_cq)
    OURS(ibv_query_qp, our_query_qp)
    OURS(rdma_create_qp, our_create_qp)
    return found;
}
