#include "handles.h"

#include <errno.h>
#include <pthread.h>

enum { ENTRIES = 1 << HANDLE_INDEX_BITS };

/* Address space, not memory: a page is there once an entry of it has been used. Entry 0 never is. */
struct handle_entry handle_table[ENTRIES];

_Static_assert(sizeof(struct handle_entry) == 64, "an entry is a cache line");
_Static_assert(KIND_COUNT <= 1 << HANDLE_KIND_BITS, "kinds fit");

/* Protects all fields of all entries but tag and object (handles.h), and the two variables below. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static uint32_t first_free;     /* chained by next_free; 0 ends the chain */
static uint32_t used_up_to = 1; /* entries from here on were never used */

static struct handle_entry *entry_of(jlong handle)
{
    return &handle_table[(uint64_t) handle & HANDLE_INDEX_MASK];
}

static bool is_open(jlong handle)
{
    return handle != 0
           && atomic_load_explicit(&entry_of(handle)->tag, memory_order_relaxed) == (uint64_t) handle;
}

static void release_locked(struct handle_entry *entry)
{
    for (int i = 0; i < HANDLE_MAX_PARENTS; i++) {
        if (entry->parents[i] != 0)
            handle_table[entry->parents[i]].children--;
        entry->parents[i] = 0;
    }
    entry->handle = 0;
    entry->next_free = first_free;
    first_free = (uint32_t) (entry - handle_table);
}

int handle_reserve(enum handle_kind kind, const jlong parents[HANDLE_MAX_PARENTS], jlong *handle)
{
    int result = 0;

    pthread_mutex_lock(&lock);
    for (int i = 0; parents != NULL && i < HANDLE_MAX_PARENTS; i++) {
        if (parents[i] != 0 && !is_open(parents[i]))
            result = -EBADF;
    }
    if (result == 0 && first_free == 0 && used_up_to == ENTRIES)
        result = -ENFILE;
    if (result == 0) {
        uint32_t index = first_free != 0 ? first_free : used_up_to++;
        struct handle_entry *entry = &handle_table[index];

        if (index == first_free)
            first_free = entry->next_free;
        entry->generation++;
        entry->handle = entry->generation << (HANDLE_INDEX_BITS + HANDLE_KIND_BITS)
                        | (uint64_t) kind << HANDLE_INDEX_BITS | index;
        entry->children = 0;
        for (int i = 0; parents != NULL && i < HANDLE_MAX_PARENTS; i++) {
            entry->parents[i] = (uint32_t) ((uint64_t) parents[i] & HANDLE_INDEX_MASK);
            if (entry->parents[i] != 0)
                handle_table[entry->parents[i]].children++;
        }
        *handle = (jlong) entry->handle;
    }
    pthread_mutex_unlock(&lock);
    return result;
}

void handle_publish(jlong handle, void *object, enum handle_origin origin)
{
    struct handle_entry *entry = entry_of(handle);

    pthread_mutex_lock(&lock);
    entry->object = object;
    entry->origin = origin;
    atomic_store_explicit(&entry->tag, (uint64_t) handle, memory_order_release);
    pthread_mutex_unlock(&lock);
}

void handle_abandon(jlong handle)
{
    handle_closed(handle);
}

int handle_close(jlong handle, enum handle_kind kind, enum handle_origin origin, void **object)
{
    struct handle_entry *entry = entry_of(handle);
    int result = 0;

    pthread_mutex_lock(&lock);
    if (handle_get(handle, kind) == NULL)
        result = -EBADF;
    else if (entry->origin != origin)
        result = -EPERM;
    else if (entry->children != 0)
        result = -EBUSY;
    else {
        *object = entry->object;
        atomic_store_explicit(&entry->tag, 0, memory_order_relaxed);
    }
    pthread_mutex_unlock(&lock);
    return result;
}

void handle_closed(jlong handle)
{
    pthread_mutex_lock(&lock);
    release_locked(entry_of(handle));
    pthread_mutex_unlock(&lock);
}

void handle_reopen(jlong handle)
{
    pthread_mutex_lock(&lock);
    atomic_store_explicit(&entry_of(handle)->tag, (uint64_t) handle, memory_order_release);
    pthread_mutex_unlock(&lock);
}

enum handle_kind handle_kind_of(jlong handle)
{
    return (enum handle_kind) ((uint64_t) handle >> HANDLE_INDEX_BITS & HANDLE_KIND_MASK);
}

jlong handle_find(enum handle_kind kind, const void *object)
{
    jlong found = 0;

    pthread_mutex_lock(&lock);
    for (uint32_t i = 1; i < used_up_to && found == 0; i++) {
        jlong handle = (jlong) handle_table[i].handle;

        if (handle != 0 && handle_get(handle, kind) == object)
            found = handle;
    }
    pthread_mutex_unlock(&lock);
    return found;
}
