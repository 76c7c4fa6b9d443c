#include "connections.h"

#include <errno.h>
#include <pthread.h>
#include <string.h>

#include "devices.h"
#include "handles.h"

_Static_assert(offsetof(struct cm_event, id) == 8, "CmEventDescriptor");
_Static_assert(offsetof(struct cm_event, private_length) == 24, "CmEventDescriptor");
_Static_assert(offsetof(struct cm_event, private_data) == 32, "CmEventDescriptor");
_Static_assert(sizeof(struct cm_event) == 288, "CmEventDescriptor");

/* Of each request and receive. */
enum { ELEMENTS = 1, MAX_RETRIES = 7 };

/* In InfiniBand's code, as all times of verbs: 1.28 ms. */
enum { RNR_TIMER = 14 };

/*
 * Taking a CONNECT_RESPONSE or REJECTED has librdmacm modify the id's queue pair inside rdma_get_cm_event. Another
 * thread that destroys that queue pair at this moment would free it under librdmacm's feet; this lock keeps the two
 * apart. It is never held while waiting: rdma_destroy_id, which waits until taken events are acknowledged, comes after.
 */
static pthread_mutex_t taking = PTHREAD_MUTEX_INITIALIZER;

static int failure(int result)
{
    return result == 0 ? 0 : errno > 0 ? -errno : -EIO;
}

int event_channel_create(jlong *handle)
{
    int result = handle_reserve(KIND_EVENT_CHANNEL, NULL, handle);
    struct rdma_event_channel *channel;

    if (result < 0)
        return result;
    errno = 0;
    channel = RDMA(create_event_channel)();
    if (channel == NULL)
        result = failure(-1);
    else {
        result = descriptor_unblock(channel->fd);
        if (result < 0)
            RDMA(destroy_event_channel)(channel);
    }
    if (result < 0)
        handle_abandon(*handle);
    else
        handle_publish(*handle, channel, ORIGIN_OURS);
    return result < 0 ? result : 0;
}

int event_channel_destroy(jlong handle)
{
    void *channel;
    int result = handle_close(handle, KIND_EVENT_CHANNEL, ORIGIN_OURS, &channel);

    if (result < 0)
        return result;
    RDMA(destroy_event_channel)(channel);
    handle_closed(handle);
    return 0;
}

int event_channel_descriptor(jlong handle)
{
    struct rdma_event_channel *channel = handle_get(handle, KIND_EVENT_CHANNEL);

    return channel == NULL ? -EBADF : descriptor_unblock(channel->fd);
}

/* The handle of an id that librdmacm tells of: ours carry it, those of somebody else are looked for. */
static jlong handle_of(struct rdma_cm_id *id)
{
    jlong handle;

    if (id == NULL)
        return 0;
    handle = (jlong) (intptr_t) id->context;
    return handle_get(handle, KIND_ID) == id ? handle : handle_find(KIND_ID, id);
}

static void copy_event(const struct rdma_cm_event *from, struct cm_event *to)
{
    const struct rdma_conn_param *parameters = &from->param.conn;

    memset(to, 0, offsetof(struct cm_event, private_data));
    to->type = (int32_t) from->event;
    to->status = from->status;
    switch (from->event) {
    case RDMA_CM_EVENT_CONNECT_REQUEST:
    case RDMA_CM_EVENT_CONNECT_RESPONSE:
    case RDMA_CM_EVENT_REJECTED:
    case RDMA_CM_EVENT_ESTABLISHED:
    case RDMA_CM_EVENT_DISCONNECTED:
        if (parameters->private_data != NULL) {
            to->private_length = parameters->private_data_len;
            memcpy(to->private_data, parameters->private_data, parameters->private_data_len);
        }
        break;
    default:
        break;
    }
}

/*
 * How long the peer waits before it repeats a message for which this end had no receive. The connection manager sets 0,
 * which is 655 ms. A device that refuses keeps that: such a message is an accident (DisniDevice.RNR_RETRIES).
 */
static void pace_retries(const struct rdma_cm_event *event)
{
    struct ibv_qp_attr attributes = {.min_rnr_timer = RNR_TIMER};

    if (event->event == RDMA_CM_EVENT_ESTABLISHED && event->id->qp != NULL)
        IBV(modify_qp)(event->id->qp, &attributes, IBV_QP_MIN_RNR_TIMER);
}

int event_take(jlong channel_handle, struct cm_event *into)
{
    struct rdma_event_channel *channel = handle_get(channel_handle, KIND_EVENT_CHANNEL);
    const jlong parents[HANDLE_MAX_PARENTS] = {channel_handle};
    struct rdma_cm_event *event;
    struct rdma_cm_id *request = NULL;
    jlong handle;
    int result;

    if (channel == NULL)
        return -EBADF;
    pthread_mutex_lock(&taking);
    errno = 0;
    result = failure(RDMA(get_cm_event)(channel, &event));
    if (result == 0)
        pace_retries(event);
    pthread_mutex_unlock(&taking);
    if (result == -EAGAIN || result == -EINTR)
        return 0;
    if (result < 0)
        return result;
    copy_event(event, into);
    /* Neither id can go away before the event is acknowledged: rdma_destroy_id waits for that. */
    if (event->event == RDMA_CM_EVENT_CONNECT_REQUEST) {
        into->listen_id = handle_of(event->listen_id);
        request = event->id;
        result = handle_reserve(KIND_ID, parents, &handle);
        if (result == 0) {
            request->context = (void *) (intptr_t) handle;
            handle_publish(handle, request, ORIGIN_OURS);
            into->id = handle;
        }
    } else {
        into->id = handle_of(event->id);
    }
    RDMA(ack_cm_event)(event);
    if (result < 0) {
        /* Nobody could ever answer or destroy it. */
        RDMA(reject)(request, NULL, 0);
        RDMA(destroy_id)(request);
        return result;
    }
    return 1;
}

int id_create(jlong channel_handle, int port_space, jlong *handle)
{
    struct rdma_event_channel *channel = handle_get(channel_handle, KIND_EVENT_CHANNEL);
    const jlong parents[HANDLE_MAX_PARENTS] = {channel_handle};
    struct rdma_cm_id *id;
    int result;

    if (channel == NULL)
        return -EBADF;
    result = handle_reserve(KIND_ID, parents, handle);
    if (result < 0)
        return result;
    errno = 0;
    result = failure(
            RDMA(create_id)(channel, &id, (void *) (intptr_t) *handle, (enum rdma_port_space) port_space));
    if (result < 0)
        handle_abandon(*handle);
    else
        handle_publish(*handle, id, ORIGIN_OURS);
    return result;
}

int id_destroy(jlong handle)
{
    struct rdma_cm_id *id = handle_get(handle, KIND_ID);
    void *object;
    int result;

    if (id == NULL)
        return -EBADF;
    if (id->qp != NULL) {
        result = qp_destroy(handle);
        if (result < 0)
            return result;
    }
    result = handle_close(handle, KIND_ID, ORIGIN_OURS, &object);
    if (result < 0)
        return result;
    errno = 0;
    result = failure(RDMA(destroy_id)(object));
    if (result < 0)
        handle_reopen(handle);
    else
        handle_closed(handle);
    return result;
}

int id_context(jlong handle, jlong *context)
{
    struct rdma_cm_id *id = handle_get(handle, KIND_ID);

    if (id == NULL)
        return -EBADF;
    *context = 0;
    return id->verbs == NULL ? 0 : context_of_connections(id->verbs, context);
}

int id_bind(jlong handle, struct sockaddr *address)
{
    struct rdma_cm_id *id = handle_get(handle, KIND_ID);

    if (id == NULL)
        return -EBADF;
    errno = 0;
    return failure(RDMA(bind_addr)(id, address));
}

int id_listen(jlong handle, int backlog)
{
    struct rdma_cm_id *id = handle_get(handle, KIND_ID);

    if (id == NULL)
        return -EBADF;
    errno = 0;
    return failure(RDMA(listen)(id, backlog));
}

int id_resolve_address(jlong handle, struct sockaddr *source, struct sockaddr *destination, int timeout_ms)
{
    struct rdma_cm_id *id = handle_get(handle, KIND_ID);

    if (id == NULL)
        return -EBADF;
    errno = 0;
    return failure(RDMA(resolve_addr)(id, source, destination, timeout_ms));
}

int id_resolve_route(jlong handle, int timeout_ms)
{
    struct rdma_cm_id *id = handle_get(handle, KIND_ID);

    if (id == NULL)
        return -EBADF;
    if (id->verbs == NULL)
        return -EINVAL; /* librdmacm would follow the pointer */
    errno = 0;
    return failure(RDMA(resolve_route)(id, timeout_ms));
}

/* librdmacm follows the pointers to device and queue pair without looking whether they are there. */
static int connectable(const struct rdma_cm_id *id, size_t length, int retries, int rnr_retries)
{
    if (id == NULL)
        return -EBADF;
    if (id->verbs == NULL || id->qp == NULL || length > UINT8_MAX)
        return -EINVAL;
    if (retries < 0 || retries > MAX_RETRIES || rnr_retries < 0 || rnr_retries > MAX_RETRIES)
        return -EINVAL;
    return 0;
}

static struct rdma_conn_param parameters_of(const void *private_data, size_t length, int retries, int rnr_retries)
{
    return (struct rdma_conn_param){
            .private_data = private_data,
            .private_data_len = (uint8_t) length,
            .responder_resources = RDMA_MAX_RESP_RES,
            .initiator_depth = RDMA_MAX_INIT_DEPTH,
            .retry_count = (uint8_t) retries,
            .rnr_retry_count = (uint8_t) rnr_retries,
    };
}

int id_connect(jlong handle, const void *private_data, size_t length, int retries, int rnr_retries)
{
    struct rdma_cm_id *id = handle_get(handle, KIND_ID);
    int result = connectable(id, length, retries, rnr_retries);
    struct rdma_conn_param parameters;

    if (result < 0)
        return result;
    parameters = parameters_of(private_data, length, retries, rnr_retries);
    errno = 0;
    return failure(RDMA(connect)(id, &parameters));
}

int id_accept(jlong handle, const void *private_data, size_t length, int rnr_retries)
{
    struct rdma_cm_id *id = handle_get(handle, KIND_ID);
    int result = connectable(id, length, 0, rnr_retries);
    struct rdma_conn_param parameters;

    if (result < 0)
        return result;
    parameters = parameters_of(private_data, length, 0, rnr_retries);
    errno = 0;
    return failure(RDMA(accept)(id, &parameters));
}

int id_reject(jlong handle, const void *private_data, size_t length)
{
    struct rdma_cm_id *id = handle_get(handle, KIND_ID);

    if (id == NULL)
        return -EBADF;
    if (length > UINT8_MAX)
        return -EINVAL;
    errno = 0;
    return failure(RDMA(reject)(id, private_data, (uint8_t) length));
}

int id_disconnect(jlong handle)
{
    struct rdma_cm_id *id = handle_get(handle, KIND_ID);

    if (id == NULL)
        return -EBADF;
    if (id->verbs == NULL)
        return -EINVAL;
    errno = 0;
    return failure(RDMA(disconnect)(id));
}

int qp_create(jlong id_handle, jlong pd_handle, jlong send_handle, jlong receive_handle,
              const struct qp_demand *demand, jlong *handle)
{
    struct rdma_cm_id *id = handle_get(id_handle, KIND_ID);
    struct ibv_pd *pd = handle_get(pd_handle, KIND_PD);
    struct ibv_cq *send_cq = handle_get(send_handle, KIND_CQ);
    struct ibv_cq *receive_cq = handle_get(receive_handle, KIND_CQ);
    const jlong parents[HANDLE_MAX_PARENTS] = {id_handle, pd_handle, send_handle, receive_handle};
    struct ibv_qp_init_attr attributes;
    int result;

    if (id == NULL || pd == NULL || send_cq == NULL || receive_cq == NULL)
        return -EBADF;
    if (id->verbs == NULL || id->verbs != pd->context || id->verbs != send_cq->context
        || id->verbs != receive_cq->context || id->qp != NULL)
        return -EINVAL;
    if (demand->max_send < 0 || demand->max_receive < 0 || demand->max_inline < 0)
        return -EINVAL;
    result = handle_reserve(KIND_QP, parents, handle);
    if (result < 0)
        return result;
    attributes = (struct ibv_qp_init_attr){
            .qp_context = (void *) (intptr_t) *handle,
            .send_cq = send_cq,
            .recv_cq = receive_cq,
            .cap = {.max_send_wr = (uint32_t) demand->max_send,
                    .max_recv_wr = (uint32_t) demand->max_receive,
                    .max_send_sge = ELEMENTS,
                    .max_recv_sge = ELEMENTS,
                    .max_inline_data = (uint32_t) demand->max_inline},
            .qp_type = (enum ibv_qp_type) demand->type,
    };
    errno = 0;
    result = failure(RDMA(create_qp)(id, pd, &attributes));
    if (result < 0)
        handle_abandon(*handle);
    else
        handle_publish(*handle, id->qp, ORIGIN_OURS);
    return result;
}

int qp_destroy(jlong id_handle)
{
    struct rdma_cm_id *id = handle_get(id_handle, KIND_ID);
    jlong handle;
    void *object;
    int result;

    if (id == NULL)
        return -EBADF;
    if (id->qp == NULL)
        return -EINVAL;
    handle = (jlong) (intptr_t) id->qp->qp_context;
    if (handle_get(handle, KIND_QP) != id->qp)
        handle = 0; /* somebody else has made it */
    if (handle != 0) {
        result = handle_close(handle, KIND_QP, ORIGIN_OURS, &object);
        if (result < 0)
            return result;
    }
    /* It does not say whether it has succeeded. */
    pthread_mutex_lock(&taking);
    RDMA(destroy_qp)(id);
    pthread_mutex_unlock(&taking);
    if (handle != 0)
        handle_closed(handle);
    return 0;
}
