/*
 * libibverbs and librdmacm, found when first needed, so that this library loads on hosts without them. Once found they
 * stay; `libraries` is written once, under a lock, before libraries_open returns 0 to anybody. A call with a valid
 * handle needs no check: no handle exists before that.
 */
#ifndef EXS_LIBRARIES_H
#define EXS_LIBRARIES_H

#include <infiniband/verbs.h>
#include <rdma/rdma_cma.h>

/* Posting, polling and arming are not here: the header calls the device's driver directly. */
#define IBVERBS_FUNCTIONS(F) \
    F(get_device_list) F(free_device_list) F(get_device_name) F(open_device) F(close_device) F(query_device) \
    F(query_port) F(query_gid) F(get_async_event) F(ack_async_event) F(alloc_pd) F(dealloc_pd) F(reg_mr) F(dereg_mr) \
    F(create_comp_channel) F(destroy_comp_channel) F(create_cq) F(destroy_cq) F(get_cq_event) F(ack_cq_events) \
    F(modify_qp) F(query_qp)

#define RDMACM_FUNCTIONS(F) \
    F(get_devices) F(create_event_channel) F(destroy_event_channel) F(create_id) F(destroy_id) F(bind_addr) \
    F(resolve_addr) F(resolve_route) F(create_qp) F(destroy_qp) F(listen) F(connect) F(accept) F(reject) \
    F(disconnect) F(get_cm_event) F(ack_cm_event) F(set_option)

struct libraries {
#define IBVERBS_MEMBER(name) __typeof__(&ibv_##name) ibv_##name##_;
#define RDMACM_MEMBER(name) __typeof__(&rdma_##name) rdma_##name##_;
    IBVERBS_FUNCTIONS(IBVERBS_MEMBER)
    RDMACM_FUNCTIONS(RDMACM_MEMBER)
#undef IBVERBS_MEMBER
#undef RDMACM_MEMBER
};

extern struct libraries libraries;

/* verbs.h makes macros of some of its functions' names; the trailing underscore keeps out of their way. */
#define IBV(name) libraries.ibv_##name##_
#define RDMA(name) libraries.rdma_##name##_

/* Finds both, once. Returns NULL, or why not, in words for the user that stay valid. */
const char *libraries_open(void);

#endif
