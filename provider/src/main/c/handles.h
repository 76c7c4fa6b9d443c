/*
 * Handles: the numbers by which Java names native objects.
 *
 *     63            22 21      18 17         0
 *    +----------------+----------+------------+
 *    | generation     | kind     | index      |     always > 0
 *    +----------------+----------+------------+
 *
 * The index selects an entry of one static table, so no number, however wrong, leads outside of it. A handle is valid
 * while its entry's tag equals it; an entry used again gets another generation, so an old handle stays invalid for
 * good.
 *
 * Who writes, who reads: everything but the tag and the object is read and written under the table's lock only. Tags
 * are read without a lock, by the data path: publish stores the object, then the tag (release); handle_get loads the
 * tag (acquire), then the object, and so never sees a tag without its object. Closing takes the tag away before the
 * object is destroyed: of two threads that close the same handle exactly one gets the object. What this does not
 * protect: a thread inside a call with an object that another thread destroys meanwhile. That is the caller's to avoid.
 *
 * Parents: an object counts in those it depends on (a queue pair in its PD, CQs and id), and an object with children
 * is not closed (EBUSY). Verbs refuse most of this themselves, but not all of it, and not after a device was removed.
 */
#ifndef EXS_HANDLES_H
#define EXS_HANDLES_H

#include <jni.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The numbers are those of Verbs.java. */
enum handle_kind {
    KIND_CONTEXT = 1,
    KIND_PD,
    KIND_MR,
    KIND_COMPLETION_CHANNEL,
    KIND_CQ,
    KIND_QP,
    KIND_ID,
    KIND_EVENT_CHANNEL,
    KIND_COUNT
};

enum { HANDLE_INDEX_BITS = 18, HANDLE_KIND_BITS = 4, HANDLE_MAX_PARENTS = 4 };

#define HANDLE_INDEX_MASK ((UINT64_C(1) << HANDLE_INDEX_BITS) - 1)
#define HANDLE_KIND_MASK ((UINT64_C(1) << HANDLE_KIND_BITS) - 1)

/* How an object came into the table, and so who may take it out. */
enum handle_origin {
    ORIGIN_OURS,    /* made here, destroyed here */
    ORIGIN_ADOPTED, /* made by somebody else: forgotten, never destroyed */
    ORIGIN_LASTING  /* owned by librdmacm: stays until the process ends */
};

/* One cache line each; the data path reads only the first two fields. */
struct handle_entry {
    _Alignas(64) _Atomic uint64_t tag;
    void *object;
    uint64_t handle; /* the tag, kept while it is taken away for closing; 0 if free */
    uint64_t generation;
    uint32_t children;
    uint32_t next_free;
    uint32_t parents[HANDLE_MAX_PARENTS];
    enum handle_origin origin;
};

extern struct handle_entry handle_table[];

/* The object behind a handle; NULL if the handle is not an open one of that kind. */
static inline void *handle_get(jlong handle, enum handle_kind kind)
{
    uint64_t value = (uint64_t) handle;
    struct handle_entry *entry = &handle_table[value & HANDLE_INDEX_MASK];

    if (atomic_load_explicit(&entry->tag, memory_order_acquire) != value
        || (value >> HANDLE_INDEX_BITS & HANDLE_KIND_MASK) != kind)
        return NULL;
    return entry->object;
}

/*
 * Reserves a handle, not valid yet, and counts it in its parents (0 is none), all of which must be open. Returns 0, or
 * -EBADF for a parent, or -ENFILE if the table is full.
 */
int handle_reserve(enum handle_kind kind, const jlong parents[HANDLE_MAX_PARENTS], jlong *handle);

/* Makes a reserved handle valid. */
void handle_publish(jlong handle, void *object, enum handle_origin origin);

/* Gives back a reserved handle. */
void handle_abandon(jlong handle);

/*
 * Takes an object out of use, to destroy it: ours for destroying, an adopted one for forgetting. Then handle_closed, or
 * handle_reopen if it could not be destroyed, must follow. Returns 0, or -EBADF, -EBUSY if something depends on it,
 * -EPERM if it is of another origin.
 */
int handle_close(jlong handle, enum handle_kind kind, enum handle_origin origin, void **object);
void handle_closed(jlong handle);
void handle_reopen(jlong handle);

/* The kind of a handle, open or not; 0 if it is none. */
enum handle_kind handle_kind_of(jlong handle);

/* The open handle of an object: looks at every entry, so for adopted objects only. 0 if there is none. */
jlong handle_find(enum handle_kind kind, const void *object);

#endif
