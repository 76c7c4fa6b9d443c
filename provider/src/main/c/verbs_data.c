/* Natives of Verbs.java: completions and the data path. Handles are checked in place, and nothing else costs time. */
#include <endian.h>
#include <errno.h>
#include <stddef.h>
#include <stdint.h>

#include "devices.h"
#include "failure.h"
#include "handles.h"
#include "libraries.h"
#include "org_exsockets_verbs_disni_Verbs.h"

#define VERBS(name) org_exsockets_verbs_disni_Verbs_##name

_Static_assert(VERBS(OPCODE_RDMA_WRITE) == IBV_WR_RDMA_WRITE, "opcodes");
_Static_assert(VERBS(OPCODE_RDMA_WRITE_WITH_IMM) == IBV_WR_RDMA_WRITE_WITH_IMM, "opcodes");
_Static_assert(VERBS(OPCODE_SEND) == IBV_WR_SEND, "opcodes");
_Static_assert(VERBS(FLAG_SIGNALED) == IBV_SEND_SIGNALED, "flags");
_Static_assert(VERBS(FLAG_SOLICITED) == IBV_SEND_SOLICITED, "flags");
_Static_assert(VERBS(FLAG_INLINE) == IBV_SEND_INLINE, "flags");

/* WcDescriptor.java reads the real structure. */
_Static_assert(sizeof(struct ibv_wc) == 48, "WcDescriptor");
_Static_assert(offsetof(struct ibv_wc, status) == 8, "WcDescriptor");
_Static_assert(offsetof(struct ibv_wc, opcode) == 12, "WcDescriptor");
_Static_assert(offsetof(struct ibv_wc, vendor_err) == 16, "WcDescriptor");
_Static_assert(offsetof(struct ibv_wc, byte_len) == 20, "WcDescriptor");
_Static_assert(offsetof(struct ibv_wc, imm_data) == 24, "WcDescriptor");
_Static_assert(offsetof(struct ibv_wc, wc_flags) == 36, "WcDescriptor");

enum {
    ALL_FLAGS = IBV_SEND_FENCE | IBV_SEND_SIGNALED | IBV_SEND_SOLICITED | IBV_SEND_INLINE,
    RECEIVES_AT_ONCE = 64
};

JNIEXPORT jint JNICALL Java_org_exsockets_verbs_disni_Verbs_completionDescriptor(JNIEnv *env, jclass class,
                                                                                jlong channel)
{
    int result = completion_channel_descriptor(channel);

    (void) class;
    return failed(env, "ibv_get_cq_event", result) ? -1 : result;
}

JNIEXPORT jlong JNICALL Java_org_exsockets_verbs_disni_Verbs_nextCompletionEvent(JNIEnv *env, jclass class,
                                                                                jlong channel)
{
    jlong cq = 0;
    int result;

    (void) class;
    /* An event of a CQ that is being destroyed is nobody's; another one may be behind it. */
    do
        result = completion_event_take(channel, &cq);
    while (result > 0 && cq == 0);
    return failed(env, "ibv_get_cq_event", result) ? 0 : cq;
}

JNIEXPORT void JNICALL Java_org_exsockets_verbs_disni_Verbs_requestNotification(JNIEnv *env, jclass class,
                                                                               jlong handle,
                                                                               jboolean solicited_only)
{
    struct ibv_cq *cq = handle_get(handle, KIND_CQ);
    int result;

    (void) class;
    if (cq == NULL) {
        fail(env, "ibv_req_notify_cq", EBADF);
        return;
    }
    result = ibv_req_notify_cq(cq, solicited_only);
    if (result != 0)
        fail(env, "ibv_req_notify_cq", result);
}

JNIEXPORT jint JNICALL Java_org_exsockets_verbs_disni_Verbs_poll(JNIEnv *env, jclass class, jlong handle,
                                                                jlong address, jint max)
{
    struct ibv_cq *cq = handle_get(handle, KIND_CQ);
    struct ibv_wc *completions = (struct ibv_wc *) (uintptr_t) address;
    int count;

    (void) class;
    if (cq == NULL) {
        fail(env, "ibv_poll_cq", EBADF);
        return 0;
    }
    if (max <= 0 || completions == NULL) {
        if (max != 0)
            fail(env, "ibv_poll_cq", EINVAL);
        return 0;
    }
    count = ibv_poll_cq(cq, max, completions);
    if (count < 0) {
        fail(env, "ibv_poll_cq", EIO);
        return 0;
    }
    for (int i = 0; i < count; i++)
        completions[i].imm_data = be32toh(completions[i].imm_data);
    return count;
}

JNIEXPORT jint JNICALL Java_org_exsockets_verbs_disni_Verbs_postSend(JNIEnv *env, jclass class, jlong handle,
                                                                    jint opcode, jint flags, jlong wr_id,
                                                                    jlong local_address, jint length, jint lkey,
                                                                    jlong remote_address, jint rkey, jint immediate)
{
    struct ibv_qp *qp = handle_get(handle, KIND_QP);
    struct ibv_sge element = {
            .addr = (uint64_t) local_address, .length = (uint32_t) length, .lkey = (uint32_t) lkey};
    struct ibv_send_wr request = {
            .wr_id = (uint64_t) wr_id,
            .sg_list = &element,
            .num_sge = length != 0,
            .opcode = (enum ibv_wr_opcode) opcode,
            .send_flags = (unsigned int) flags,
            .imm_data = htobe32((uint32_t) immediate),
            .wr.rdma = {.remote_addr = (uint64_t) remote_address, .rkey = (uint32_t) rkey},
    };
    struct ibv_send_wr *bad;
    int result;

    (void) class;
    if (qp == NULL) {
        fail(env, "ibv_post_send", EBADF);
        return 0;
    }
    if (opcode < IBV_WR_RDMA_WRITE || opcode > IBV_WR_RDMA_READ || (flags & ~ALL_FLAGS) != 0 || length < 0)
        return EINVAL;
    /* Inline data is read here and now. */
    if (local_address == 0 && length != 0)
        return EINVAL;
    result = ibv_post_send(qp, &request, &bad);
    return result < 0 ? -result : result;
}

/* Posts up to RECEIVES_AT_ONCE receives. Returns how many, and in *error why not all. */
static int post_receives(struct ibv_qp *qp, uint64_t wr_id, uint64_t address, uint32_t length, uint32_t lkey,
                         int count, int *error)
{
    struct ibv_recv_wr requests[RECEIVES_AT_ONCE];
    struct ibv_sge elements[RECEIVES_AT_ONCE];
    struct ibv_recv_wr *bad = requests;

    for (int i = 0; i < count; i++) {
        elements[i] = (struct ibv_sge){.addr = address + (uint64_t) i * length, .length = length, .lkey = lkey};
        requests[i] = (struct ibv_recv_wr){.wr_id = wr_id + (uint64_t) i,
                                           .next = i + 1 < count ? &requests[i + 1] : NULL,
                                           .sg_list = &elements[i],
                                           .num_sge = length != 0};
    }
    *error = ibv_post_recv(qp, requests, &bad);
    return *error == 0 ? count : bad >= requests && bad < requests + count ? (int) (bad - requests) : 0;
}

JNIEXPORT jint JNICALL Java_org_exsockets_verbs_disni_Verbs_postReceives(JNIEnv *env, jclass class, jlong handle,
                                                                        jlong first_wr_id, jlong address, jint length,
                                                                        jint lkey, jint count)
{
    struct ibv_qp *qp = handle_get(handle, KIND_QP);
    int posted = 0;
    int error = 0;

    (void) class;
    if (qp == NULL)
        error = EBADF;
    else if (length < 0 || count < 0)
        error = EINVAL;
    while (error == 0 && posted < count) {
        int batch = count - posted < RECEIVES_AT_ONCE ? count - posted : RECEIVES_AT_ONCE;

        posted += post_receives(qp, (uint64_t) first_wr_id + (uint64_t) posted,
                                (uint64_t) address + (uint64_t) posted * (uint64_t) length, (uint32_t) length,
                                (uint32_t) lkey, batch, &error);
    }
    /* A full queue is no failure, and what was posted must be told. */
    if (error != 0 && error != ENOMEM && posted == 0)
        fail(env, "ibv_post_recv", error);
    return posted;
}

JNIEXPORT void JNICALL Java_org_exsockets_verbs_disni_Verbs_setError(JNIEnv *env, jclass class, jlong handle)
{
    struct ibv_qp *qp = handle_get(handle, KIND_QP);
    struct ibv_qp_attr attributes = {.qp_state = IBV_QPS_ERR};
    int result = qp == NULL ? EBADF : IBV(modify_qp)(qp, &attributes, IBV_QP_STATE);

    (void) class;
    if (result != 0)
        fail(env, "ibv_modify_qp", result);
}

JNIEXPORT jint JNICALL Java_org_exsockets_verbs_disni_Verbs_inlineLimit(JNIEnv *env, jclass class, jlong handle)
{
    struct ibv_qp *qp = handle_get(handle, KIND_QP);
    struct ibv_qp_attr attributes = {0};
    struct ibv_qp_init_attr initial = {0};
    int result = qp == NULL ? EBADF : IBV(query_qp)(qp, &attributes, IBV_QP_CAP, &initial);

    (void) class;
    if (result != 0) {
        fail(env, "ibv_query_qp", result);
        return 0;
    }
    return (jint) initial.cap.max_inline_data;
}
