/*
 * Exceptions. C functions of this library return 0 or more, or -errno; the JNI functions turn that into a
 * VerbsException and return at once, with nothing pending before.
 */
#ifndef EXS_FAILURE_H
#define EXS_FAILURE_H

#include <jni.h>
#include <stdbool.h>
#include <stddef.h>

/* Throws a VerbsException: call failed with -error (or error). */
void fail(JNIEnv *env, const char *call, int error);

/* The same with words of our own; error may be 0. */
void fail_because(JNIEnv *env, const char *call, int error, const char *explanation);

/* If result is negative, throws and returns true. */
static inline bool failed(JNIEnv *env, const char *call, int result)
{
    if (__builtin_expect(result >= 0, 1))
        return false;
    fail(env, call, result);
    return true;
}

/* Whether a buffer is direct and has at least `length` bytes; throws if not. */
bool writable(JNIEnv *env, const char *call, jobject buffer, size_t length);

/* Copies to the start of a direct buffer; throws if it is not `writable`. */
void copy_out(JNIEnv *env, const char *call, jobject buffer, const void *from, size_t length);

/* Finds libibverbs and librdmacm; throws and returns false if they are not there. */
bool libraries_usable(JNIEnv *env);

#endif
