/*
 * The native methods of com.ibm.disni.verbs.impl.NativeDispatcher, version 32. Object ids are handles (handles.h), so
 * that a wrong or destroyed one gets an IOException where the method declares one, and a negative result elsewhere.
 * Addresses that Java passes are its own native memory; only null is refused.
 *
 * Events are acknowledged where they are taken: DiSNI hands back too little to find them again.
 */
#include <errno.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdint.h>
#include <string.h>

#include "connections.h"
#include "devices.h"
#include "failure.h"
#include "handles.h"
#include "libraries.h"

#define NATIVE(type, name) JNIEXPORT type JNICALL Java_com_ibm_disni_verbs_impl_NativeDispatcher__1##name

enum { DISPATCHER_VERSION = 32 };

/* DiSNI writes these structures in place, at offsets of its own or those it asks for. */
_Static_assert(sizeof(struct ibv_send_wr) == 128, "NatIbvSendWR");
_Static_assert(offsetof(struct ibv_send_wr, wr.rdma.remote_addr) == 40, "NatIbvSendWR");
_Static_assert(offsetof(struct ibv_send_wr, wr.rdma.rkey) == 48, "NatIbvSendWR");
_Static_assert(sizeof(struct ibv_recv_wr) == 32, "NatIbvRecvWR");
_Static_assert(sizeof(struct ibv_sge) == 16, "NatIbvSge");
_Static_assert(sizeof(struct ibv_wc) == 48, "NatIbvWC");
_Static_assert(sizeof(struct sockaddr_in) == 16, "SockAddrIn");

static void *at(jlong address)
{
    return (void *) (intptr_t) address;
}

/* Waits until a descriptor is readable. Returns 1, or 0 after the time-out or a signal, or -errno. */
static int await(int descriptor, jint timeout_ms)
{
    struct pollfd polled = {.fd = descriptor, .events = POLLIN};
    int result = poll(&polled, 1, timeout_ms);

    if (result < 0)
        return errno == EINTR ? 0 : -errno;
    return result;
}

/* DiSNI speaks of IPv4 addresses only. A wrong id is told before a wrong address is read. */
static int address_at(jlong id, jlong address, struct sockaddr_in *into)
{
    if (handle_get(id, KIND_ID) == NULL)
        return -EBADF;
    if (address == 0)
        return -EINVAL;
    memcpy(into, at(address), sizeof *into);
    return into->sin_family == AF_INET ? 0 : -EAFNOSUPPORT;
}

/* Connections. */

NATIVE(jlong, createEventChannel)(JNIEnv *env, jobject self)
{
    jlong channel = -1;

    (void) self;
    if (!libraries_usable(env) || failed(env, "rdma_create_event_channel", event_channel_create(&channel)))
        return -1;
    return channel;
}

NATIVE(jlong, createId)(JNIEnv *env, jobject self, jlong channel, jshort port_space)
{
    jlong id = -1;

    (void) self;
    return failed(env, "rdma_create_id", id_create(channel, port_space, &id)) ? -1 : id;
}

NATIVE(jlong, createQP)(JNIEnv *env, jobject self, jlong id, jlong pd, jlong send_cq, jlong receive_cq, jint type,
                        jint max_send, jint max_receive, jint max_inline)
{
    const struct qp_demand demand = {
            .type = type, .max_send = max_send, .max_receive = max_receive, .max_inline = max_inline};
    jlong qp = -1;

    (void) self;
    return failed(env, "rdma_create_qp", qp_create(id, pd, send_cq, receive_cq, &demand, &qp)) ? -1 : qp;
}

NATIVE(void, bindAddr)(JNIEnv *env, jobject self, jlong id, jlong address)
{
    struct sockaddr_in copy;
    int result = address_at(id, address, &copy);

    (void) self;
    failed(env, "rdma_bind_addr", result < 0 ? result : id_bind(id, (struct sockaddr *) &copy));
}

NATIVE(void, listen)(JNIEnv *env, jobject self, jlong id, jint backlog)
{
    (void) self;
    failed(env, "rdma_listen", id_listen(id, backlog));
}

NATIVE(void, resolveAddr)(JNIEnv *env, jobject self, jlong id, jlong source, jlong destination, jint timeout_ms)
{
    struct sockaddr_in from;
    struct sockaddr_in to;
    int result = address_at(id, destination, &to);

    (void) self;
    if (result == 0 && source != 0)
        result = address_at(id, source, &from);
    if (result == 0)
        result = id_resolve_address(id, source == 0 ? NULL : (struct sockaddr *) &from, (struct sockaddr *) &to,
                                    timeout_ms);
    failed(env, "rdma_resolve_addr", result);
}

NATIVE(void, resolveRoute)(JNIEnv *env, jobject self, jlong id, jint timeout_ms)
{
    (void) self;
    failed(env, "rdma_resolve_route", id_resolve_route(id, timeout_ms));
}

NATIVE(jint, getCmEvent)(JNIEnv *env, jobject self, jlong channel, jlong listen_id, jlong id, jint timeout_ms)
{
    int descriptor = event_channel_descriptor(channel);
    struct cm_event event;

    (void) env;
    (void) self;
    if (descriptor < 0 || listen_id == 0 || id == 0 || await(descriptor, timeout_ms) <= 0
        || event_take(channel, &event) <= 0)
        return -1;
    memcpy(at(listen_id), &event.listen_id, sizeof event.listen_id);
    memcpy(at(id), &event.id, sizeof event.id);
    return event.type;
}

NATIVE(void, connect)(JNIEnv *env, jobject self, jlong id, jint retries, jint rnr_retries, jlong private_data,
                      jbyte length)
{
    (void) self;
    failed(env, "rdma_connect",
           private_data == 0 && length != 0
                   ? -EINVAL
                   : id_connect(id, at(private_data), (uint8_t) length, retries, rnr_retries));
}

NATIVE(void, accept)(JNIEnv *env, jobject self, jlong id, jint retries, jint rnr_retries)
{
    (void) self;
    (void) retries; /* the connecting side's say */
    failed(env, "rdma_accept", id_accept(id, NULL, 0, rnr_retries));
}

NATIVE(jint, ackCmEvent)(JNIEnv *env, jobject self, jint type)
{
    (void) env;
    (void) self;
    (void) type;
    return 0;
}

NATIVE(jint, disconnect)(JNIEnv *env, jobject self, jlong id)
{
    (void) env;
    (void) self;
    return id_disconnect(id);
}

NATIVE(jint, destroyEventChannel)(JNIEnv *env, jobject self, jlong channel)
{
    (void) env;
    (void) self;
    return event_channel_destroy(channel);
}

NATIVE(jint, destroyCmId)(JNIEnv *env, jobject self, jlong id)
{
    (void) env;
    (void) self;
    return id_destroy(id);
}

NATIVE(jint, destroyQP)(JNIEnv *env, jobject self, jlong id)
{
    (void) env;
    (void) self;
    return qp_destroy(id);
}

/* The Java side destroys the id once more afterwards; its handle is closed by then. */
NATIVE(jint, destroyEp)(JNIEnv *env, jobject self, jlong id)
{
    (void) env;
    (void) self;
    return id_destroy(id);
}

static jint give_address(const struct sockaddr *address, jlong into)
{
    if (into == 0 || address->sa_family != AF_INET)
        return -1;
    memcpy(at(into), address, sizeof(struct sockaddr_in));
    return 0;
}

NATIVE(jint, getSrcAddr)(JNIEnv *env, jobject self, jlong handle, jlong into)
{
    struct rdma_cm_id *id = handle_get(handle, KIND_ID);

    (void) env;
    (void) self;
    return id == NULL ? -EBADF : give_address(rdma_get_local_addr(id), into);
}

NATIVE(jint, getDstAddr)(JNIEnv *env, jobject self, jlong handle, jlong into)
{
    struct rdma_cm_id *id = handle_get(handle, KIND_ID);

    (void) env;
    (void) self;
    return id == NULL ? -EBADF : give_address(rdma_get_peer_addr(id), into);
}

/* -1 is DiSNI's way to say that there is none, as for a listener on the wildcard address. */
NATIVE(jlong, getContext)(JNIEnv *env, jobject self, jlong id)
{
    jlong context = 0;

    (void) self;
    return failed(env, "context of an id", id_context(id, &context)) || context == 0 ? -1 : context;
}

/* Verbs. */

NATIVE(jlong, allocPd)(JNIEnv *env, jobject self, jlong context)
{
    jlong pd = -1;

    (void) self;
    return failed(env, "ibv_alloc_pd", pd_create(context, &pd)) ? -1 : pd;
}

NATIVE(jint, deallocPd)(JNIEnv *env, jobject self, jlong pd)
{
    (void) env;
    (void) self;
    return pd_destroy(pd);
}

NATIVE(jlong, createCompChannel)(JNIEnv *env, jobject self, jlong context)
{
    jlong channel = -1;

    (void) self;
    return failed(env, "ibv_create_comp_channel", completion_channel_create(context, &channel)) ? -1 : channel;
}

NATIVE(jint, destroyCompChannel)(JNIEnv *env, jobject self, jlong channel)
{
    (void) env;
    (void) self;
    return completion_channel_destroy(channel);
}

NATIVE(jlong, createCQ)(JNIEnv *env, jobject self, jlong context, jlong channel, jint entries, jint vector)
{
    jlong cq = -1;

    (void) self;
    return failed(env, "ibv_create_cq", cq_create(context, channel, entries, vector, &cq)) ? -1 : cq;
}

NATIVE(jint, destroyCQ)(JNIEnv *env, jobject self, jlong cq)
{
    (void) env;
    (void) self;
    return cq_destroy(cq);
}

/* DiSNI's Java half never passes attributes. */
NATIVE(jint, modifyQP)(JNIEnv *env, jobject self, jlong qp, jlong attributes)
{
    (void) self;
    (void) attributes;
    fail(env, "ibv_modify_qp", handle_get(qp, KIND_QP) == NULL ? EBADF : EOPNOTSUPP);
    return -1;
}

NATIVE(jlong, regMr)(JNIEnv *env, jobject self, jlong pd, jlong address, jint length, jint access, jlong lkey,
                     jlong rkey, jlong mr_handle)
{
    jlong handle = -1;
    struct ibv_mr *mr;
    int result = length < 0 || lkey == 0 || rkey == 0 || mr_handle == 0
                         ? -EINVAL
                         : mr_create(pd, at(address), (size_t) length, access, &handle);

    (void) self;
    if (failed(env, "ibv_reg_mr", result))
        return -1;
    mr = handle_get(handle, KIND_MR);
    memcpy(at(lkey), &mr->lkey, sizeof mr->lkey);
    memcpy(at(rkey), &mr->rkey, sizeof mr->rkey);
    memcpy(at(mr_handle), &mr->handle, sizeof mr->handle);
    return handle;
}

NATIVE(void, deregMr)(JNIEnv *env, jobject self, jlong mr)
{
    (void) self;
    failed(env, "ibv_dereg_mr", mr_destroy(mr));
}

NATIVE(jint, queryOdpSupport)(JNIEnv *env, jobject self, jlong context)
{
    (void) env;
    (void) self;
    return handle_get(context, KIND_CONTEXT) == NULL ? -EBADF : 0;
}

NATIVE(jint, expPrefetchMr)(JNIEnv *env, jobject self, jlong mr, jlong address, jint length)
{
    (void) self;
    (void) address;
    (void) length;
    fail(env, "prefetch of memory", handle_get(mr, KIND_MR) == NULL ? EBADF : EOPNOTSUPP);
    return -1;
}

NATIVE(void, postSend)(JNIEnv *env, jobject self, jlong handle, jlong requests)
{
    struct ibv_qp *qp = handle_get(handle, KIND_QP);
    struct ibv_send_wr *bad;
    int result = qp == NULL ? EBADF : requests == 0 ? EINVAL : ibv_post_send(qp, at(requests), &bad);

    (void) self;
    if (result != 0)
        fail(env, "ibv_post_send", result);
}

NATIVE(void, postRecv)(JNIEnv *env, jobject self, jlong handle, jlong requests)
{
    struct ibv_qp *qp = handle_get(handle, KIND_QP);
    struct ibv_recv_wr *bad;
    int result = qp == NULL ? EBADF : requests == 0 ? EINVAL : ibv_post_recv(qp, at(requests), &bad);

    (void) self;
    if (result != 0)
        fail(env, "ibv_post_recv", result);
}

NATIVE(jint, getCqEvent)(JNIEnv *env, jobject self, jlong channel, jint timeout_ms)
{
    int descriptor = completion_channel_descriptor(channel);
    int result = descriptor < 0 ? descriptor : await(descriptor, timeout_ms);
    jlong cq;

    (void) self;
    if (result > 0)
        result = completion_event_take(channel, &cq);
    return failed(env, "ibv_get_cq_event", result) || result == 0 ? -1 : 0;
}

NATIVE(jint, ackCqEvent)(JNIEnv *env, jobject self, jlong cq, jint count)
{
    (void) env;
    (void) self;
    (void) count;
    return handle_get(cq, KIND_CQ) == NULL ? -EBADF : 0;
}

NATIVE(jint, pollCQ)(JNIEnv *env, jobject self, jlong handle, jint max, jlong completions)
{
    struct ibv_cq *cq = handle_get(handle, KIND_CQ);
    int result = cq == NULL ? -EBADF : max < 0 || completions == 0 ? -EINVAL : ibv_poll_cq(cq, max, at(completions));

    (void) self;
    return failed(env, "ibv_poll_cq", result) ? -1 : result;
}

NATIVE(jint, reqNotifyCQ)(JNIEnv *env, jobject self, jlong handle, jint solicited_only)
{
    struct ibv_cq *cq = handle_get(handle, KIND_CQ);
    int result = cq == NULL ? EBADF : ibv_req_notify_cq(cq, solicited_only);

    (void) self;
    if (result == 0)
        return 0;
    fail(env, "ibv_req_notify_cq", result);
    return -1;
}

NATIVE(jint, getQpNum)(JNIEnv *env, jobject self, jlong handle)
{
    struct ibv_qp *qp = handle_get(handle, KIND_QP);

    (void) self;
    if (qp != NULL)
        return (jint) qp->qp_num;
    fail(env, "number of a queue pair", EBADF);
    return -1;
}

NATIVE(jint, getContextFd)(JNIEnv *env, jobject self, jlong handle)
{
    struct ibv_context *context = handle_get(handle, KIND_CONTEXT);

    (void) self;
    if (context != NULL)
        return context->cmd_fd;
    fail(env, "descriptor of a context", EBADF);
    return -1;
}

NATIVE(jint, getContextNumCompVectors)(JNIEnv *env, jobject self, jlong handle)
{
    struct ibv_context *context = handle_get(handle, KIND_CONTEXT);

    (void) self;
    if (context != NULL)
        return context->num_comp_vectors;
    fail(env, "completion vectors of a context", EBADF);
    return -1;
}

NATIVE(jint, getPdHandle)(JNIEnv *env, jobject self, jlong handle)
{
    struct ibv_pd *pd = handle_get(handle, KIND_PD);

    (void) self;
    if (pd != NULL)
        return (jint) pd->handle;
    fail(env, "number of a protection domain", EBADF);
    return -1;
}

/* What DiSNI checks when it starts. */

#define NUMBER(name, value) \
    NATIVE(jint, name)(JNIEnv *env, jobject self) \
    { \
        (void) env; \
        (void) self; \
        return (jint) (value); \
    }

NUMBER(getSockAddrInSize, sizeof(struct sockaddr_in))
NUMBER(getIbvRecvWRSize, sizeof(struct ibv_recv_wr))
NUMBER(getIbvSendWRSize, sizeof(struct ibv_send_wr))
NUMBER(getIbvSgeSize, sizeof(struct ibv_sge))
NUMBER(getIbvWCSize, sizeof(struct ibv_wc))
NUMBER(getRemoteAddressOffset, offsetof(struct ibv_send_wr, wr.rdma.remote_addr))
NUMBER(getRKeyOffset, offsetof(struct ibv_send_wr, wr.rdma.rkey))
NUMBER(getVersion, DISPATCHER_VERSION)
