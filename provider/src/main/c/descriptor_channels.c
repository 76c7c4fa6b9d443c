/* Natives of DescriptorChannels.java: a channel of the JDK's own over a descriptor. The JDK makes such ones for pipes. */
#include "org_exsockets_jdk_DescriptorChannels.h"

JNIEXPORT jobject JNICALL Java_org_exsockets_jdk_DescriptorChannels_holder(JNIEnv *env, jclass class, jint fd)
{
    (void) class;
    jclass type = (*env)->FindClass(env, "java/io/FileDescriptor");
    jmethodID new = type ? (*env)->GetMethodID(env, type, "<init>", "()V") : NULL;
    jfieldID number = new ? (*env)->GetFieldID(env, type, "fd", "I") : NULL;
    jobject holder = number ? (*env)->NewObject(env, type, new) : NULL;
    if (holder)
        (*env)->SetIntField(env, holder, number, fd);
    return holder;
}

JNIEXPORT jobject JNICALL Java_org_exsockets_jdk_DescriptorChannels_make(JNIEnv *env, jclass class, jobject provider,
                                                                        jobject holder)
{
    (void) class;
    jclass type = (*env)->FindClass(env, "sun/nio/ch/SourceChannelImpl");
    jmethodID new = type ? (*env)->GetMethodID(env, type, "<init>",
                                   "(Ljava/nio/channels/spi/SelectorProvider;Ljava/io/FileDescriptor;)V")
                         : NULL;
    return new ? (*env)->NewObject(env, type, new, provider, holder) : NULL;
}
