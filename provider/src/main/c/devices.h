/*
 * Contexts, protection domains, memory regions, completion channels and queues, for both faces of this library. All
 * functions return 0 or more, or -errno; handles are checked here.
 */
#ifndef EXS_DEVICES_H
#define EXS_DEVICES_H

#include <jni.h>
#include <stddef.h>
#include <stdint.h>

#include "libraries.h"

/* Makes a descriptor non-blocking and returns it. */
int descriptor_unblock(int descriptor);

/*
 * The handle of a context that librdmacm has opened. The same one each time, and lasting: librdmacm would close the
 * context of a removed device with the device's last id, under the PDs, MRs and CQs that still lie on it; it is asked
 * here not to. The price: a driver that cannot take a device away from a process (rdma_rxe; those of adapters can) keeps
 * "rdma link delete" waiting until this process ends, as librdmacm does by itself while the device is the only one.
 */
int context_of_connections(struct ibv_context *context, jlong *handle);

int context_open(const char *name, jlong *handle);
int context_close(jlong handle);

/* The descriptor of asynchronous events, non-blocking. */
int context_descriptor(jlong handle);

int pd_create(jlong context, jlong *pd);
int pd_destroy(jlong pd);
int mr_create(jlong pd, void *address, size_t length, int access, jlong *mr);
int mr_destroy(jlong mr);
int completion_channel_create(jlong context, jlong *channel);
int completion_channel_destroy(jlong channel);

/* The channel's descriptor, non-blocking. */
int completion_channel_descriptor(jlong channel);

/* Takes and acknowledges one event: 1 and its CQ (0 if it has no handle), or 0 if there is none. */
int completion_event_take(jlong channel, jlong *cq);

/* channel may be 0. */
int cq_create(jlong context, jlong channel, int entries, int vector, jlong *cq);
int cq_destroy(jlong cq);

#endif
