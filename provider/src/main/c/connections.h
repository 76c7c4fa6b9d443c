/*
 * Event channels, ids and queue pairs, for both faces of this library: NativeDispatcher's and Verbs'. All functions
 * return 0 or more, or -errno; handles are checked here.
 */
#ifndef EXS_CONNECTIONS_H
#define EXS_CONNECTIONS_H

#include <jni.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>

#include "libraries.h"

enum { PRIVATE_DATA_MAX = 256 };

/* The layout of CmEventDescriptor.java. */
struct cm_event {
    int32_t type;
    int32_t status;
    int64_t id;
    int64_t listen_id;
    uint32_t private_length;
    uint32_t reserved;
    uint8_t private_data[PRIVATE_DATA_MAX];
};

int event_channel_create(jlong *channel);
int event_channel_destroy(jlong channel);

/* The channel's descriptor, non-blocking. */
int event_channel_descriptor(jlong channel);

/* Takes and acknowledges one event without blocking. Returns 1, or 0 if there is none. */
int event_take(jlong channel, struct cm_event *event);

int id_create(jlong channel, int port_space, jlong *id);

/* Destroys the id's queue pair, too, whoever has made it. */
int id_destroy(jlong id);

/* 0 in *context if the id is not bound to a device. */
int id_context(jlong id, jlong *context);

int id_bind(jlong id, struct sockaddr *address);
int id_listen(jlong id, int backlog);
int id_resolve_address(jlong id, struct sockaddr *source, struct sockaddr *destination, int timeout_ms);
int id_resolve_route(jlong id, int timeout_ms);
int id_connect(jlong id, const void *private_data, size_t length, int retries, int rnr_retries);
int id_accept(jlong id, const void *private_data, size_t length, int rnr_retries);
int id_reject(jlong id, const void *private_data, size_t length);
int id_disconnect(jlong id);

struct qp_demand {
    int type;
    int max_send;
    int max_receive;
    int max_inline;
};

int qp_create(jlong id, jlong pd, jlong send_cq, jlong receive_cq, const struct qp_demand *demand, jlong *qp);

/* Destroys the queue pair of an id. */
int qp_destroy(jlong id);

#endif
