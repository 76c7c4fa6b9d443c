/*
 * Natives of Verbs.java: objects of an upstream libdisni, whose handles are raw pointers. Nothing can tell whether such
 * a pointer is good; the caller takes it from where that library has put it.
 */
#include <errno.h>
#include <stdint.h>

#include "devices.h"
#include "failure.h"
#include "handles.h"
#include "libraries.h"
#include "org_exsockets_verbs_disni_Verbs.h"

_Static_assert(KIND_CONTEXT == org_exsockets_verbs_disni_Verbs_KIND_CONTEXT, "kinds");
_Static_assert(KIND_PD == org_exsockets_verbs_disni_Verbs_KIND_PD, "kinds");
_Static_assert(KIND_MR == org_exsockets_verbs_disni_Verbs_KIND_MR, "kinds");
_Static_assert(KIND_COMPLETION_CHANNEL == org_exsockets_verbs_disni_Verbs_KIND_COMPLETION_CHANNEL, "kinds");
_Static_assert(KIND_CQ == org_exsockets_verbs_disni_Verbs_KIND_CQ, "kinds");
_Static_assert(KIND_QP == org_exsockets_verbs_disni_Verbs_KIND_QP, "kinds");
_Static_assert(KIND_ID == org_exsockets_verbs_disni_Verbs_KIND_ID, "kinds");
_Static_assert(KIND_EVENT_CHANNEL == org_exsockets_verbs_disni_Verbs_KIND_EVENT_CHANNEL, "kinds");

/* Events are taken without blocking here, also from descriptors that were made elsewhere. */
static int unblock(enum handle_kind kind, void *object)
{
    switch (kind) {
    case KIND_CONTEXT:
        return descriptor_unblock(((struct ibv_context *) object)->async_fd);
    case KIND_COMPLETION_CHANNEL:
        return descriptor_unblock(((struct ibv_comp_channel *) object)->fd);
    case KIND_EVENT_CHANNEL:
        return descriptor_unblock(((struct rdma_event_channel *) object)->fd);
    default:
        return 0;
    }
}

JNIEXPORT jlong JNICALL Java_org_exsockets_verbs_disni_Verbs_adopt(JNIEnv *env, jclass class, jint kind,
                                                                  jlong pointer)
{
    void *object = (void *) (intptr_t) pointer;
    jlong handle = 0;
    int result;

    (void) class;
    if (!libraries_usable(env))
        return 0;
    if (kind < KIND_CONTEXT || kind >= KIND_COUNT || object == NULL) {
        fail(env, "adopt", EINVAL);
        return 0;
    }
    result = unblock((enum handle_kind) kind, object);
    if (result >= 0)
        result = handle_reserve((enum handle_kind) kind, NULL, &handle);
    if (failed(env, "adopt", result))
        return 0;
    handle_publish(handle, object, ORIGIN_ADOPTED);
    return handle;
}

JNIEXPORT void JNICALL Java_org_exsockets_verbs_disni_Verbs_forget(JNIEnv *env, jclass class, jlong handle)
{
    void *object;

    (void) class;
    if (!failed(env, "forget", handle_close(handle, handle_kind_of(handle), ORIGIN_ADOPTED, &object)))
        handle_closed(handle);
}

JNIEXPORT jlong JNICALL Java_org_exsockets_verbs_disni_Verbs_pointer(JNIEnv *env, jclass class, jlong handle)
{
    void *object = handle_get(handle, handle_kind_of(handle));

    (void) class;
    if (object == NULL)
        fail(env, "pointer", EBADF);
    return (jlong) (intptr_t) object;
}
