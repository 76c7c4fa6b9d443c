#include "libraries.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

struct libraries libraries;

/* Protects what follows. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static bool opened;
static char obstacle[512];

static void *find_library(const char *file)
{
    void *library = dlopen(file, RTLD_NOW | RTLD_LOCAL);

    if (library == NULL)
        snprintf(obstacle, sizeof obstacle,
                 "%s cannot be loaded (%s): install the packages rdma-core (or libibverbs1) and librdmacm1", file,
                 dlerror());
    return library;
}

static bool find_function(void *library, const char *file, const char *name, void *into)
{
    void *function = dlsym(library, name);

    if (function == NULL) {
        snprintf(obstacle, sizeof obstacle, "%s has no function %s: install newer packages of rdma-core", file, name);
        return false;
    }
    /* A function pointer is an object pointer by POSIX, not by C. */
    memcpy(into, &function, sizeof function);
    return true;
}

static bool find_all(void)
{
    static const char verbs_file[] = "libibverbs.so.1";
    static const char cm_file[] = "librdmacm.so.1";
    struct libraries found;
    void *verbs = find_library(verbs_file);
    void *cm = verbs == NULL ? NULL : find_library(cm_file);
    bool complete = cm != NULL;

#define FIND_IBVERBS(name) complete = complete && find_function(verbs, verbs_file, "ibv_" #name, &found.ibv_##name##_);
#define FIND_RDMACM(name) complete = complete && find_function(cm, cm_file, "rdma_" #name, &found.rdma_##name##_);
    IBVERBS_FUNCTIONS(FIND_IBVERBS)
    RDMACM_FUNCTIONS(FIND_RDMACM)
    if (complete)
        libraries = found;
    return complete;
}

const char *libraries_open(void)
{
    pthread_mutex_lock(&lock);
    if (!opened)
        opened = find_all();
    /* The text is only rewritten by a later failure, whose text is as good. */
    const char *result = opened ? NULL : obstacle;
    pthread_mutex_unlock(&lock);
    return result;
}
