/*
 * Copies whose stores go past the caches ("non-temporal"): the writer of memory that another core reads then neither
 * fetches the lines it overwrites nor leaves them dirty in its own cache. No JNI in here.
 */
#ifndef EXS_COPY_H
#define EXS_COPY_H

#include <stdbool.h>
#include <stddef.h>

/* By what a copy stores; Java knows the numbers (NativeCopy). */
enum copy_method { COPY_BASELINE, COPY_AVX2, COPY_AVX512, COPY_METHODS };

/* Whether this processor and its kernel have what the method needs. */
bool copy_supported(int method);

/* The best of the supported methods. */
int copy_best(void);

/*
 * Copies `length` bytes that do not overlap, by a supported method. Whole lines of the target are stored past the
 * caches, what is left at both ends by ordinary stores. All of it is ordered before every later store of this thread.
 */
void copy_past_caches(int method, void *to, const void *from, size_t length);

#endif
