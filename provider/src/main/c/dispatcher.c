/*
 * Native methods of com.ibm.disni.verbs.impl.NativeDispatcher, version 32: those that what we use of DiSNI calls. Object
 * ids are handles (handles.h), so that a wrong or destroyed one gets an IOException where the method declares one, and a
 * negative result elsewhere. Addresses that Java passes are its own native memory; only null is refused.
 */
#include <errno.h>
#include <netinet/in.h>
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

NATIVE(jlong, createQP)(JNIEnv *env, jobject self, jlong id, jlong pd, jlong send_cq, jlong receive_cq, jint type,
                        jint max_send, jint max_receive, jint max_inline)
{
    const struct qp_demand demand = {
            .type = type, .max_send = max_send, .max_receive = max_receive, .max_inline = max_inline};
    jlong qp = -1;

    (void) self;
    return failed(env, "rdma_create_qp", qp_create(id, pd, send_cq, receive_cq, &demand, &qp)) ? -1 : qp;
}

NATIVE(jint, destroyQP)(JNIEnv *env, jobject self, jlong id)
{
    (void) env;
    (void) self;
    return qp_destroy(id);
}

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
