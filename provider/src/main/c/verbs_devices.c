/* Natives of Verbs.java: devices and their asynchronous events. */
#include <errno.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

#include "devices.h"
#include "failure.h"
#include "handles.h"
#include "libraries.h"
#include "org_exsockets_verbs_disni_Verbs.h"

/* The layout of DeviceDescriptor.java. */
struct device_description {
    int32_t ports;
    int32_t max_qp;
    int32_t max_qp_wr;
    int32_t max_cq;
    int32_t max_cqe;
    int32_t max_mr;
    int32_t max_sge;
    int32_t transport;
    uint64_t max_mr_size;
    uint32_t vendor;
    uint32_t part;
    int32_t port_state;
    int32_t active_mtu;
    int32_t physical_state;
    int32_t link_layer;
    int32_t active_width;
    int32_t active_speed;
    uint8_t gid[16];
    uint64_t page_sizes;
    int32_t system_page;
    int32_t ack_delay;
};

_Static_assert(offsetof(struct device_description, transport) == 28, "DeviceDescriptor");
_Static_assert(offsetof(struct device_description, max_mr_size) == 32, "DeviceDescriptor");
_Static_assert(offsetof(struct device_description, port_state) == 48, "DeviceDescriptor");
_Static_assert(offsetof(struct device_description, gid) == 72, "DeviceDescriptor");
_Static_assert(offsetof(struct device_description, page_sizes) == 88, "DeviceDescriptor");
_Static_assert(sizeof(struct device_description) == 104, "DeviceDescriptor");

JNIEXPORT jint JNICALL Java_org_exsockets_verbs_disni_Verbs_version(JNIEnv *env, jclass class)
{
    (void) env;
    (void) class;
    return org_exsockets_verbs_disni_Verbs_VERSION;
}

JNIEXPORT void JNICALL Java_org_exsockets_verbs_disni_Verbs_open(JNIEnv *env, jclass class)
{
    (void) class;
    libraries_usable(env);
}

static jobjectArray names_of(JNIEnv *env, struct ibv_device **devices, int count)
{
    jclass strings = (*env)->FindClass(env, "java/lang/String");
    jobjectArray names = strings == NULL ? NULL : (*env)->NewObjectArray(env, count, strings, NULL);

    for (int i = 0; names != NULL && i < count; i++) {
        jstring name = (*env)->NewStringUTF(env, IBV(get_device_name)(devices[i]));

        if (name == NULL)
            return NULL;
        (*env)->SetObjectArrayElement(env, names, i, name);
        (*env)->DeleteLocalRef(env, name);
    }
    return names;
}

JNIEXPORT jobjectArray JNICALL Java_org_exsockets_verbs_disni_Verbs_deviceNames(JNIEnv *env, jclass class)
{
    struct ibv_device **devices;
    jobjectArray names;
    int count = 0;

    (void) class;
    if (!libraries_usable(env))
        return NULL;
    errno = 0;
    devices = IBV(get_device_list)(&count);
    if (devices == NULL && errno == ENOMEM) {
        fail(env, "ibv_get_device_list", ENOMEM);
        return NULL;
    }
    /* Without a kernel half there is no list: no devices, too. */
    names = names_of(env, devices, devices == NULL ? 0 : count);
    if (devices != NULL)
        IBV(free_device_list)(devices);
    return names;
}

JNIEXPORT jlong JNICALL Java_org_exsockets_verbs_disni_Verbs_openDevice(JNIEnv *env, jclass class, jstring name)
{
    const char *characters;
    jlong handle = 0;
    int result;

    (void) class;
    if (name == NULL) {
        fail(env, "ibv_open_device", EINVAL);
        return 0;
    }
    if (!libraries_usable(env))
        return 0;
    characters = (*env)->GetStringUTFChars(env, name, NULL);
    if (characters == NULL)
        return 0;
    result = context_open(characters, &handle);
    (*env)->ReleaseStringUTFChars(env, name, characters);
    return failed(env, "ibv_open_device", result) ? 0 : handle;
}

JNIEXPORT void JNICALL Java_org_exsockets_verbs_disni_Verbs_closeDevice(JNIEnv *env, jclass class, jlong handle)
{
    (void) class;
    failed(env, "ibv_close_device", context_close(handle));
}

JNIEXPORT jstring JNICALL Java_org_exsockets_verbs_disni_Verbs_deviceName(JNIEnv *env, jclass class, jlong handle)
{
    struct ibv_context *context = handle_get(handle, KIND_CONTEXT);

    (void) class;
    if (context == NULL) {
        fail(env, "ibv_get_device_name", EBADF);
        return NULL;
    }
    return (*env)->NewStringUTF(env, IBV(get_device_name)(context->device));
}

static int32_t mtu_bytes(enum ibv_mtu mtu)
{
    return mtu >= IBV_MTU_256 && mtu <= IBV_MTU_4096 ? 128 << (int) mtu : 0;
}

static int describe(struct ibv_context *context, uint8_t port, struct device_description *into)
{
    struct ibv_device_attr device = {0};
    struct ibv_port_attr attributes = {0};
    union ibv_gid gid = {{0}};
    int result = IBV(query_device)(context, &device);

    /* The library's own function fills the older, shorter form of the same structure. */
    if (result == 0)
        result = IBV(query_port)(context, port, (struct _compat_ibv_port_attr *) &attributes);
    if (result != 0)
        return result < 0 ? -EIO : -result;
    (void) IBV(query_gid)(context, port, 0, &gid);
    *into = (struct device_description){
            .ports = device.phys_port_cnt,
            .max_qp = device.max_qp,
            .max_qp_wr = device.max_qp_wr,
            .max_cq = device.max_cq,
            .max_cqe = device.max_cqe,
            .max_mr = device.max_mr,
            .max_sge = device.max_sge,
            .transport = (int32_t) context->device->transport_type,
            .max_mr_size = device.max_mr_size,
            .vendor = device.vendor_id,
            .part = device.vendor_part_id,
            .port_state = (int32_t) attributes.state,
            .active_mtu = mtu_bytes(attributes.active_mtu),
            .physical_state = attributes.phys_state,
            .link_layer = attributes.link_layer,
            .active_width = attributes.active_width,
            .active_speed = attributes.active_speed,
            .page_sizes = device.page_size_cap,
            .system_page = getpagesize(),
            .ack_delay = device.local_ca_ack_delay,
    };
    memcpy(into->gid, gid.raw, sizeof into->gid);
    return 0;
}

JNIEXPORT void JNICALL Java_org_exsockets_verbs_disni_Verbs_queryDevice(JNIEnv *env, jclass class, jlong handle,
                                                                       jint port, jobject into)
{
    struct ibv_context *context = handle_get(handle, KIND_CONTEXT);
    struct device_description description;
    int result;

    (void) class;
    if (context == NULL)
        result = -EBADF;
    else if (port < 1 || port > UINT8_MAX)
        result = -EINVAL;
    else
        result = describe(context, (uint8_t) port, &description);
    if (!failed(env, "ibv_query_device", result))
        copy_out(env, "ibv_query_device", into, &description, sizeof description);
}

JNIEXPORT jint JNICALL Java_org_exsockets_verbs_disni_Verbs_asyncDescriptor(JNIEnv *env, jclass class, jlong handle)
{
    int result = context_descriptor(handle);

    (void) class;
    return failed(env, "ibv_get_async_event", result) ? -1 : result;
}

/* The number of the queue pair or port that an event concerns; 0 for the others. */
static uint32_t concerned(const struct ibv_async_event *event)
{
    switch (event->event_type) {
    case IBV_EVENT_QP_FATAL:
    case IBV_EVENT_QP_REQ_ERR:
    case IBV_EVENT_QP_ACCESS_ERR:
    case IBV_EVENT_COMM_EST:
    case IBV_EVENT_SQ_DRAINED:
    case IBV_EVENT_PATH_MIG:
    case IBV_EVENT_PATH_MIG_ERR:
    case IBV_EVENT_QP_LAST_WQE_REACHED:
        /* Cannot go away before the event is acknowledged: ibv_destroy_qp waits for that. */
        return event->element.qp->qp_num;
    case IBV_EVENT_PORT_ACTIVE:
    case IBV_EVENT_PORT_ERR:
    case IBV_EVENT_LID_CHANGE:
    case IBV_EVENT_PKEY_CHANGE:
    case IBV_EVENT_SM_CHANGE:
    case IBV_EVENT_CLIENT_REREGISTER:
    case IBV_EVENT_GID_CHANGE:
        return (uint32_t) event->element.port_num;
    default:
        return 0;
    }
}

JNIEXPORT jlong JNICALL Java_org_exsockets_verbs_disni_Verbs_nextAsyncEvent(JNIEnv *env, jclass class, jlong handle)
{
    struct ibv_context *context = handle_get(handle, KIND_CONTEXT);
    struct ibv_async_event event;
    uint64_t number;

    (void) class;
    if (context == NULL) {
        fail(env, "ibv_get_async_event", EBADF);
        return 0;
    }
    errno = 0;
    if (IBV(get_async_event)(context, &event) != 0) {
        if (errno != EAGAIN && errno != EINTR)
            fail(env, "ibv_get_async_event", errno > 0 ? errno : EIO);
        return 0;
    }
    number = concerned(&event);
    IBV(ack_async_event)(&event);
    return (jlong) (number << 32 | (1 + (uint32_t) event.event_type));
}
