#include "failure.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "error_text.h"
#include "libraries.h"

/* Set by JNI_OnLoad, before any other function of this library can run; constant from then on. */
static jclass exception_class;
static jmethodID exception_constructor;

JNIEXPORT jint JNICALL JNI_OnLoad(JavaVM *vm, void *reserved)
{
    JNIEnv *env;
    jclass found;

    (void) reserved;
    if ((*vm)->GetEnv(vm, (void **) &env, JNI_VERSION_1_8) != JNI_OK)
        return JNI_ERR;
    found = (*env)->FindClass(env, "org/exsockets/verbs/disni/VerbsException");
    if (found == NULL)
        return JNI_ERR;
    exception_constructor =
            (*env)->GetMethodID(env, found, "<init>", "(Ljava/lang/String;ILjava/lang/String;)V");
    exception_class = (*env)->NewGlobalRef(env, found);
    return exception_constructor == NULL || exception_class == NULL ? JNI_ERR : JNI_VERSION_1_8;
}

void fail_because(JNIEnv *env, const char *call, int error, const char *explanation)
{
    jstring call_string = (*env)->NewStringUTF(env, call);
    jstring explanation_string = call_string == NULL ? NULL : (*env)->NewStringUTF(env, explanation);
    jobject exception;

    if (explanation_string == NULL)
        return; /* OutOfMemoryError is pending. */
    exception = (*env)->NewObject(env, exception_class, exception_constructor, call_string, (jint) abs(error),
                                  explanation_string);
    if (exception != NULL)
        (*env)->Throw(env, exception);
}

/* Numbers of errno(3) whose usual words do not tell the user what is meant here. */
static const char *explanation_of(const char *call, int error)
{
    bool registers = strcmp(call, "ibv_reg_mr") == 0;

    switch (error) {
    case EBADF:
        return "no such open object: the handle is 0, closed, or of another kind";
    case EBUSY:
        return "still in use by other objects";
    case EPERM:
        return "not permitted, or not an object that may be destroyed here";
    case ENFILE:
        return "too many objects";
    case ENOMEM:
        return registers ? "cannot lock the memory: the limit of locked memory (ulimit -l) may be too low" : NULL;
    case ENODEV:
    case ENOENT:
        return strcmp(call, "rdma_create_event_channel") == 0
                       ? "no RDMA device is usable: there is none, or the kernel module rdma_ucm is not loaded"
                       : NULL;
    default:
        return NULL;
    }
}

void fail(JNIEnv *env, const char *call, int error)
{
    char buffer[128];
    const char *explanation;

    error = abs(error);
    explanation = explanation_of(call, error);
    fail_because(env, call, error, explanation != NULL ? explanation : error_text(error, buffer, sizeof buffer));
}

bool writable(JNIEnv *env, const char *call, jobject buffer, size_t length)
{
    if (buffer == NULL || (*env)->GetDirectBufferAddress(env, buffer) == NULL) {
        fail_because(env, call, EINVAL, "the buffer is null or not direct");
        return false;
    }
    if ((*env)->GetDirectBufferCapacity(env, buffer) < (jlong) length) {
        fail_because(env, call, EINVAL, "the buffer is too small");
        return false;
    }
    return true;
}

void copy_out(JNIEnv *env, const char *call, jobject buffer, const void *from, size_t length)
{
    if (writable(env, call, buffer, length))
        memcpy((*env)->GetDirectBufferAddress(env, buffer), from, length);
}

bool libraries_usable(JNIEnv *env)
{
    const char *obstacle = libraries_open();

    if (obstacle == NULL)
        return true;
    fail_because(env, "dlopen", 0, obstacle);
    return false;
}
