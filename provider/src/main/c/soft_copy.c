/* Natives of NativeCopy.java. Addresses and lengths have been checked there. */
#include <stdint.h>

#include "copy.h"
#include "org_exsockets_verbs_soft_copy_NativeCopy.h"

_Static_assert(COPY_BASELINE == org_exsockets_verbs_soft_copy_NativeCopy_BASELINE, "methods are numbered as in Java");
_Static_assert(COPY_METHODS == org_exsockets_verbs_soft_copy_NativeCopy_METHODS, "methods are numbered as in Java");

JNIEXPORT jboolean JNICALL Java_org_exsockets_verbs_soft_copy_NativeCopy_supports(JNIEnv *env, jclass class, jint method)
{
    (void) env, (void) class;
    return copy_supported(method);
}

JNIEXPORT jint JNICALL Java_org_exsockets_verbs_soft_copy_NativeCopy_best(JNIEnv *env, jclass class)
{
    (void) env, (void) class;
    return copy_best();
}

JNIEXPORT void JNICALL Java_org_exsockets_verbs_soft_copy_NativeCopy_copy(JNIEnv *env, jclass class, jint method, jlong from,
                                                                    jlong to, jint length)
{
    (void) env, (void) class;
    copy_past_caches(method, (void *) (intptr_t) to, (const void *) (intptr_t) from, (size_t) length);
}
