/*
 * Natives of PortOwner.java: one exact question to the kernel, sock_diag(7), about the socket that a segment from nowhere
 * would reach. Its answer is there when the question has been sent.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <linux/inet_diag.h>
#include <linux/netlink.h>
#include <linux/sock_diag.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "org_exsockets_verbs_soft_meet_PortOwner.h"

#define IPV6_BYTES 16

struct question {
    struct nlmsghdr header;
    struct inet_diag_req_v2 socket;
};

struct answer {
    struct nlmsghdr header;
    union {
        struct nlmsgerr error;
        struct inet_diag_msg socket;
    };
    char attributes[1024]; /* None has been asked for. */
};

static jlong ask(int netlink, const struct question *question)
{
    if (send(netlink, question, sizeof *question, 0) < 0)
        return -errno;
    struct answer answer;
    ssize_t length = recv(netlink, &answer, sizeof answer, MSG_DONTWAIT);
    if (length < 0)
        return -errno;
    if (length >= (ssize_t) NLMSG_LENGTH(sizeof answer.error) && answer.header.nlmsg_type == NLMSG_ERROR)
        return answer.error.error ? answer.error.error : -EPROTO;
    if (length < (ssize_t) NLMSG_LENGTH(sizeof answer.socket) || answer.header.nlmsg_type != SOCK_DIAG_BY_FAMILY)
        return -EPROTO;
    return answer.socket.idiag_uid;
}

JNIEXPORT jlong JNICALL Java_org_exsockets_verbs_soft_meet_PortOwner_find(
    JNIEnv *env, jclass class, jbyteArray address, jint scope, jint port)
{
    (void) class;
    struct question question = {
        .header = { .nlmsg_len = sizeof question, .nlmsg_type = SOCK_DIAG_BY_FAMILY, .nlmsg_flags = NLM_F_REQUEST },
        .socket = {
            .sdiag_protocol = IPPROTO_TCP,
            .idiag_states = ~0u,
            .id = {
                .idiag_sport = htons((uint16_t) port),
                .idiag_if = (uint32_t) scope,
                .idiag_cookie = { INET_DIAG_NOCOOKIE, INET_DIAG_NOCOOKIE },
            },
        },
    };
    jsize bytes = (*env)->GetArrayLength(env, address);
    if (bytes > IPV6_BYTES)
        return -EINVAL;
    question.socket.sdiag_family = bytes == IPV6_BYTES ? AF_INET6 : AF_INET;
    (*env)->GetByteArrayRegion(env, address, 0, bytes, (jbyte *) question.socket.id.idiag_src);
    int netlink = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_SOCK_DIAG);
    if (netlink < 0)
        return -errno;
    jlong owner = ask(netlink, &question);
    close(netlink);
    return owner;
}
