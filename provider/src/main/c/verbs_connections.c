/* Natives of Verbs.java: the connection manager. */
#include <errno.h>
#include <netinet/in.h>
#include <stdbool.h>
#include <string.h>

#include "connections.h"
#include "devices.h"
#include "failure.h"
#include "handles.h"
#include "libraries.h"
#include "org_exsockets_verbs_disni_Verbs.h"

/* What the connection manager carries over InfiniBand, the least of all transports, after its own header. */
enum { CONNECT_DATA_MAX = 56, ACCEPT_DATA_MAX = 196, REJECT_DATA_MAX = 148 };

enum { MAX_PORT = 65535 };

union address {
    struct sockaddr any;
    struct sockaddr_in v4;
    struct sockaddr_in6 v6;
};

static int address_from(JNIEnv *env, jbyteArray bytes, jint scope, jint port, union address *into)
{
    jsize length = bytes == NULL ? 0 : (*env)->GetArrayLength(env, bytes);

    if (port < 0 || port > MAX_PORT)
        return -EINVAL;
    memset(into, 0, sizeof *into);
    if (length == sizeof into->v4.sin_addr) {
        into->v4.sin_family = AF_INET;
        into->v4.sin_port = htons((uint16_t) port);
        (*env)->GetByteArrayRegion(env, bytes, 0, length, (jbyte *) &into->v4.sin_addr);
        return 0;
    }
    if (length == sizeof into->v6.sin6_addr) {
        into->v6.sin6_family = AF_INET6;
        into->v6.sin6_port = htons((uint16_t) port);
        into->v6.sin6_scope_id = (uint32_t) scope;
        (*env)->GetByteArrayRegion(env, bytes, 0, length, (jbyte *) &into->v6.sin6_addr);
        return 0;
    }
    return -EINVAL;
}

/* Address and port as Verbs.sourceAddress tells of them. */
static jbyteArray address_to(JNIEnv *env, const char *call, const struct sockaddr *from)
{
    const union address *address = (const union address *) from;
    jbyte bytes[sizeof address->v6.sin6_addr + sizeof address->v6.sin6_port];
    size_t length;
    jbyteArray array;

    if (from->sa_family == AF_INET) {
        length = sizeof address->v4.sin_addr;
        memcpy(bytes, &address->v4.sin_addr, length);
        memcpy(bytes + length, &address->v4.sin_port, sizeof address->v4.sin_port);
    } else if (from->sa_family == AF_INET6) {
        length = sizeof address->v6.sin6_addr;
        memcpy(bytes, &address->v6.sin6_addr, length);
        memcpy(bytes + length, &address->v6.sin6_port, sizeof address->v6.sin6_port);
    } else {
        fail_because(env, call, EINVAL, "the id has no such address yet");
        return NULL;
    }
    length += sizeof address->v4.sin_port;
    array = (*env)->NewByteArray(env, (jsize) length);
    if (array != NULL)
        (*env)->SetByteArrayRegion(env, array, 0, (jsize) length, bytes);
    return array;
}

/* Copies private data, at most `limit` bytes. Returns their number. */
static int data_from(JNIEnv *env, jbyteArray array, int limit, jbyte into[PRIVATE_DATA_MAX])
{
    jsize length = array == NULL ? 0 : (*env)->GetArrayLength(env, array);

    if (length > limit)
        return -EINVAL;
    if (length > 0)
        (*env)->GetByteArrayRegion(env, array, 0, length, into);
    return (int) length;
}

JNIEXPORT jlong JNICALL Java_org_exsockets_verbs_disni_Verbs_createEventChannel(JNIEnv *env, jclass class)
{
    jlong channel = 0;

    (void) class;
    if (!libraries_usable(env) || failed(env, "rdma_create_event_channel", event_channel_create(&channel)))
        return 0;
    return channel;
}

JNIEXPORT void JNICALL Java_org_exsockets_verbs_disni_Verbs_destroyEventChannel(JNIEnv *env, jclass class,
                                                                               jlong channel)
{
    (void) class;
    failed(env, "rdma_destroy_event_channel", event_channel_destroy(channel));
}

JNIEXPORT jint JNICALL Java_org_exsockets_verbs_disni_Verbs_eventDescriptor(JNIEnv *env, jclass class, jlong channel)
{
    int result = event_channel_descriptor(channel);

    (void) class;
    return failed(env, "rdma_get_cm_event", result) ? -1 : result;
}

JNIEXPORT jlong JNICALL Java_org_exsockets_verbs_disni_Verbs_createId(JNIEnv *env, jclass class, jlong channel)
{
    jlong id = 0;

    (void) class;
    return failed(env, "rdma_create_id", id_create(channel, RDMA_PS_TCP, &id)) ? 0 : id;
}

JNIEXPORT void JNICALL Java_org_exsockets_verbs_disni_Verbs_destroyId(JNIEnv *env, jclass class, jlong id)
{
    (void) class;
    failed(env, "rdma_destroy_id", id_destroy(id));
}

JNIEXPORT jlong JNICALL Java_org_exsockets_verbs_disni_Verbs_context(JNIEnv *env, jclass class, jlong id)
{
    jlong context = 0;

    (void) class;
    return failed(env, "context of an id", id_context(id, &context)) ? 0 : context;
}

JNIEXPORT void JNICALL Java_org_exsockets_verbs_disni_Verbs_bind(JNIEnv *env, jclass class, jlong id,
                                                                jbyteArray bytes, jint scope, jint port)
{
    union address address;
    int result = address_from(env, bytes, scope, port, &address);

    (void) class;
    failed(env, "rdma_bind_addr", result < 0 ? result : id_bind(id, &address.any));
}

/* librdmacm takes some options as a byte, and the others as an int. */
JNIEXPORT void JNICALL Java_org_exsockets_verbs_disni_Verbs_setOption(JNIEnv *env, jclass class, jlong handle,
                                                                     jint option, jint value)
{
    struct rdma_cm_id *id = handle_get(handle, KIND_ID);
    bool small = option == RDMA_OPTION_ID_TOS || option == RDMA_OPTION_ID_ACK_TIMEOUT;
    uint8_t byte = (uint8_t) value;
    int word = value;

    (void) class;
    errno = EIO;
    if (id == NULL)
        fail(env, "rdma_set_option", EBADF);
    else if (small && (value < 0 || value > UINT8_MAX))
        fail(env, "rdma_set_option", EINVAL);
    else if (RDMA(set_option)(id, RDMA_OPTION_ID, option, small ? (void *) &byte : &word,
                              small ? sizeof byte : sizeof word) != 0)
        fail(env, "rdma_set_option", errno);
}

JNIEXPORT void JNICALL Java_org_exsockets_verbs_disni_Verbs_listen(JNIEnv *env, jclass class, jlong id, jint backlog)
{
    (void) class;
    failed(env, "rdma_listen", id_listen(id, backlog));
}

JNIEXPORT void JNICALL Java_org_exsockets_verbs_disni_Verbs_resolveAddress(JNIEnv *env, jclass class, jlong id,
                                                                          jbyteArray source, jint source_scope,
                                                                          jbyteArray destination,
                                                                          jint destination_scope, jint port,
                                                                          jint timeout_ms)
{
    union address from;
    union address to;
    int result = address_from(env, destination, destination_scope, port, &to);

    (void) class;
    if (result == 0 && source != NULL)
        result = address_from(env, source, source_scope, 0, &from);
    if (result == 0)
        result = id_resolve_address(id, source == NULL ? NULL : &from.any, &to.any, timeout_ms);
    failed(env, "rdma_resolve_addr", result);
}

JNIEXPORT void JNICALL Java_org_exsockets_verbs_disni_Verbs_resolveRoute(JNIEnv *env, jclass class, jlong id,
                                                                        jint timeout_ms)
{
    (void) class;
    failed(env, "rdma_resolve_route", id_resolve_route(id, timeout_ms));
}

JNIEXPORT jbyteArray JNICALL Java_org_exsockets_verbs_disni_Verbs_sourceAddress(JNIEnv *env, jclass class,
                                                                               jlong handle)
{
    struct rdma_cm_id *id = handle_get(handle, KIND_ID);

    (void) class;
    if (id == NULL) {
        fail(env, "rdma_get_local_addr", EBADF);
        return NULL;
    }
    return address_to(env, "rdma_get_local_addr", rdma_get_local_addr(id));
}

JNIEXPORT jbyteArray JNICALL Java_org_exsockets_verbs_disni_Verbs_destinationAddress(JNIEnv *env, jclass class,
                                                                                    jlong handle)
{
    struct rdma_cm_id *id = handle_get(handle, KIND_ID);

    (void) class;
    if (id == NULL) {
        fail(env, "rdma_get_peer_addr", EBADF);
        return NULL;
    }
    return address_to(env, "rdma_get_peer_addr", rdma_get_peer_addr(id));
}

JNIEXPORT jint JNICALL Java_org_exsockets_verbs_disni_Verbs_devicePort(JNIEnv *env, jclass class, jlong handle)
{
    struct rdma_cm_id *id = handle_get(handle, KIND_ID);

    (void) class;
    if (id == NULL) {
        fail(env, "port of an id", EBADF);
        return 0;
    }
    return id->port_num;
}

JNIEXPORT void JNICALL Java_org_exsockets_verbs_disni_Verbs_connect(JNIEnv *env, jclass class, jlong id,
                                                                   jbyteArray private_data, jint retries,
                                                                   jint rnr_retries)
{
    jbyte data[PRIVATE_DATA_MAX];
    int length = data_from(env, private_data, CONNECT_DATA_MAX, data);

    (void) class;
    failed(env, "rdma_connect", length < 0 ? length : id_connect(id, data, (size_t) length, retries, rnr_retries));
}

JNIEXPORT void JNICALL Java_org_exsockets_verbs_disni_Verbs_accept(JNIEnv *env, jclass class, jlong id,
                                                                  jbyteArray private_data, jint rnr_retries)
{
    jbyte data[PRIVATE_DATA_MAX];
    int length = data_from(env, private_data, ACCEPT_DATA_MAX, data);

    (void) class;
    failed(env, "rdma_accept", length < 0 ? length : id_accept(id, data, (size_t) length, rnr_retries));
}

JNIEXPORT void JNICALL Java_org_exsockets_verbs_disni_Verbs_reject(JNIEnv *env, jclass class, jlong id,
                                                                  jbyteArray private_data)
{
    jbyte data[PRIVATE_DATA_MAX];
    int length = data_from(env, private_data, REJECT_DATA_MAX, data);

    (void) class;
    failed(env, "rdma_reject", length < 0 ? length : id_reject(id, data, (size_t) length));
}

JNIEXPORT void JNICALL Java_org_exsockets_verbs_disni_Verbs_disconnect(JNIEnv *env, jclass class, jlong id)
{
    (void) class;
    failed(env, "rdma_disconnect", id_disconnect(id));
}

JNIEXPORT jboolean JNICALL Java_org_exsockets_verbs_disni_Verbs_nextCmEvent(JNIEnv *env, jclass class, jlong channel,
                                                                           jobject into)
{
    static const char call[] = "rdma_get_cm_event";
    struct cm_event event;
    int result;

    (void) class;
    /* Before an event is taken: one that cannot be handed over would be lost. */
    if (!writable(env, call, into, sizeof event))
        return JNI_FALSE;
    result = event_take(channel, &event);
    if (failed(env, call, result) || result == 0)
        return JNI_FALSE;
    copy_out(env, call, into, &event, offsetof(struct cm_event, private_data) + event.private_length);
    return JNI_TRUE;
}
