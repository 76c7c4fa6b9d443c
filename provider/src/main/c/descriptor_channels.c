/* Natives of DescriptorChannels.java: a channel of the JDK's own over a descriptor. The JDK makes such ones for pipes. */
#include "org_exsockets_jdk_DescriptorChannels.h"

JNIEXPORT jobject JNICALL Java_org_exsockets_jdk_DescriptorChannels_make(JNIEnv *env, jclass class, jobject provider, jint fd)
{
    (void) class;
    jclass holder_class = (*env)->FindClass(env, "java/io/FileDescriptor");
    jclass channel_class = holder_class ? (*env)->FindClass(env, "sun/nio/ch/SourceChannelImpl") : NULL;
    if (!channel_class)
        return NULL;
    jmethodID new_holder = (*env)->GetMethodID(env, holder_class, "<init>", "()V");
    jfieldID number = new_holder ? (*env)->GetFieldID(env, holder_class, "fd", "I") : NULL;
    jmethodID new_channel = number ? (*env)->GetMethodID(env, channel_class, "<init>",
                                             "(Ljava/nio/channels/spi/SelectorProvider;Ljava/io/FileDescriptor;)V")
                                   : NULL;
    jobject holder = new_channel ? (*env)->NewObject(env, holder_class, new_holder) : NULL;
    if (!holder)
        return NULL;
    (*env)->SetIntField(env, holder, number, fd);
    return (*env)->NewObject(env, channel_class, new_channel, provider, holder);
}
