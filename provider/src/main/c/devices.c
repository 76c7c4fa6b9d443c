#include "devices.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <string.h>

#include "handles.h"

enum { MAX_CONTEXTS = 256 };

/* The contexts that librdmacm has opened and their handles; nothing ever leaves. Both under the lock. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct {
    struct ibv_context *context;
    jlong handle;
} known[MAX_CONTEXTS];

int descriptor_unblock(int descriptor)
{
    int flags = fcntl(descriptor, F_GETFL);

    if (flags < 0 || ((flags & O_NONBLOCK) == 0 && fcntl(descriptor, F_SETFL, flags | O_NONBLOCK) < 0))
        return -errno;
    return descriptor;
}

static int failure(int result)
{
    return result > 0 ? -result : result == 0 ? 0 : errno > 0 ? -errno : -EIO;
}

/* Publishes an object, or gives its reserved handle back because it is NULL. */
static int conclude(jlong handle, void *object)
{
    int error = errno;

    if (object == NULL) {
        handle_abandon(handle);
        return error > 0 ? -error : -ENOMEM;
    }
    handle_publish(handle, object, ORIGIN_OURS);
    return 0;
}

/* Follows handle_close. */
static int conclude_close(jlong handle, int result)
{
    if (result < 0)
        handle_reopen(handle);
    else
        handle_closed(handle);
    return result;
}

static int remember(struct ibv_context *context, int place, jlong *handle)
{
    int result = descriptor_unblock(context->async_fd);

    if (result >= 0)
        result = handle_reserve(KIND_CONTEXT, NULL, handle);
    if (result < 0)
        return result;
    /* Counts a use of every device in librdmacm, which a call to rdma_free_devices would end; none comes. */
    (void) RDMA(get_devices)(NULL);
    known[place].context = context;
    known[place].handle = *handle;
    handle_publish(*handle, context, ORIGIN_LASTING);
    return 0;
}

int context_of_connections(struct ibv_context *context, jlong *handle)
{
    int place = 0;
    int result = 0;

    pthread_mutex_lock(&lock);
    while (place < MAX_CONTEXTS && known[place].context != NULL && known[place].context != context)
        place++;
    if (place == MAX_CONTEXTS)
        result = -ENFILE;
    else if (known[place].context == context)
        *handle = known[place].handle;
    else
        result = remember(context, place, handle);
    pthread_mutex_unlock(&lock);
    return result;
}

int context_open(const char *name, jlong *handle)
{
    struct ibv_device **devices = IBV(get_device_list)(NULL);
    struct ibv_context *context = NULL;
    int result;

    if (devices == NULL)
        return -ENODEV;
    result = handle_reserve(KIND_CONTEXT, NULL, handle);
    if (result == 0) {
        errno = ENODEV;
        for (int i = 0; devices[i] != NULL && context == NULL; i++) {
            if (strcmp(IBV(get_device_name)(devices[i]), name) == 0)
                context = IBV(open_device)(devices[i]);
        }
        if (context != NULL)
            (void) descriptor_unblock(context->async_fd);
        result = conclude(*handle, context);
    }
    IBV(free_device_list)(devices);
    return result;
}

int context_close(jlong handle)
{
    void *context;
    int result = handle_close(handle, KIND_CONTEXT, ORIGIN_OURS, &context);

    if (result < 0)
        return result;
    errno = 0;
    return conclude_close(handle, failure(IBV(close_device)(context)));
}

int context_descriptor(jlong handle)
{
    struct ibv_context *context = handle_get(handle, KIND_CONTEXT);

    return context == NULL ? -EBADF : descriptor_unblock(context->async_fd);
}

int pd_create(jlong context_handle, jlong *handle)
{
    struct ibv_context *context = handle_get(context_handle, KIND_CONTEXT);
    const jlong parents[HANDLE_MAX_PARENTS] = {context_handle};
    int result;

    if (context == NULL)
        return -EBADF;
    result = handle_reserve(KIND_PD, parents, handle);
    errno = 0;
    return result < 0 ? result : conclude(*handle, IBV(alloc_pd)(context));
}

int pd_destroy(jlong handle)
{
    void *pd;
    int result = handle_close(handle, KIND_PD, ORIGIN_OURS, &pd);

    return result < 0 ? result : conclude_close(handle, failure(IBV(dealloc_pd)(pd)));
}

int mr_create(jlong pd_handle, void *address, size_t length, int access, jlong *handle)
{
    struct ibv_pd *pd = handle_get(pd_handle, KIND_PD);
    const jlong parents[HANDLE_MAX_PARENTS] = {pd_handle};
    int result;

    if (pd == NULL)
        return -EBADF;
    if (address == NULL)
        return -EINVAL;
    result = handle_reserve(KIND_MR, parents, handle);
    errno = 0;
    return result < 0 ? result : conclude(*handle, IBV(reg_mr)(pd, address, length, access));
}

int mr_destroy(jlong handle)
{
    void *mr;
    int result = handle_close(handle, KIND_MR, ORIGIN_OURS, &mr);

    return result < 0 ? result : conclude_close(handle, failure(IBV(dereg_mr)(mr)));
}

int completion_channel_create(jlong context_handle, jlong *handle)
{
    struct ibv_context *context = handle_get(context_handle, KIND_CONTEXT);
    const jlong parents[HANDLE_MAX_PARENTS] = {context_handle};
    struct ibv_comp_channel *channel;
    int result;

    if (context == NULL)
        return -EBADF;
    result = handle_reserve(KIND_COMPLETION_CHANNEL, parents, handle);
    if (result < 0)
        return result;
    errno = 0;
    channel = IBV(create_comp_channel)(context);
    if (channel != NULL) {
        result = descriptor_unblock(channel->fd);
        if (result < 0) {
            IBV(destroy_comp_channel)(channel);
            handle_abandon(*handle);
            return result;
        }
    }
    return conclude(*handle, channel);
}

int completion_channel_destroy(jlong handle)
{
    void *channel;
    int result = handle_close(handle, KIND_COMPLETION_CHANNEL, ORIGIN_OURS, &channel);

    return result < 0 ? result : conclude_close(handle, failure(IBV(destroy_comp_channel)(channel)));
}

int completion_channel_descriptor(jlong handle)
{
    struct ibv_comp_channel *channel = handle_get(handle, KIND_COMPLETION_CHANNEL);

    return channel == NULL ? -EBADF : descriptor_unblock(channel->fd);
}

int completion_event_take(jlong handle, jlong *cq_handle)
{
    struct ibv_comp_channel *channel = handle_get(handle, KIND_COMPLETION_CHANNEL);
    struct ibv_cq *cq;
    void *context;

    if (channel == NULL)
        return -EBADF;
    errno = 0;
    if (IBV(get_cq_event)(channel, &cq, &context) != 0)
        return errno == EAGAIN || errno == EINTR ? 0 : failure(-1);
    /* The CQ cannot go away before its event is acknowledged: ibv_destroy_cq waits for that. */
    *cq_handle = (jlong) (intptr_t) context;
    if (handle_get(*cq_handle, KIND_CQ) != cq)
        *cq_handle = handle_find(KIND_CQ, cq);
    IBV(ack_cq_events)(cq, 1);
    return 1;
}

int cq_create(jlong context_handle, jlong channel_handle, int entries, int vector, jlong *handle)
{
    struct ibv_context *context = handle_get(context_handle, KIND_CONTEXT);
    struct ibv_comp_channel *channel =
            channel_handle == 0 ? NULL : handle_get(channel_handle, KIND_COMPLETION_CHANNEL);
    const jlong parents[HANDLE_MAX_PARENTS] = {context_handle, channel_handle};
    int result;

    if (context == NULL || (channel_handle != 0 && channel == NULL))
        return -EBADF;
    if (entries < 1 || vector < 0 || (channel != NULL && channel->context != context))
        return -EINVAL;
    result = handle_reserve(KIND_CQ, parents, handle);
    errno = 0;
    return result < 0 ? result
                      : conclude(*handle, IBV(create_cq)(context, entries, (void *) (intptr_t) *handle, channel,
                                                         vector));
}

int cq_destroy(jlong handle)
{
    void *cq;
    int result = handle_close(handle, KIND_CQ, ORIGIN_OURS, &cq);

    return result < 0 ? result : conclude_close(handle, failure(IBV(destroy_cq)(cq)));
}
