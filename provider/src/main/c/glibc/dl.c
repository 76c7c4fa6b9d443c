/*
 * To link against only: names the functions of libdl as they were called before glibc 2.34 moved them into libc, under
 * the version that the build gives. The library then loads on older systems, too; newer ones still know the old names.
 */
#include <stddef.h>

void *dlopen(const char *file, int mode);
void *dlsym(void *library, const char *name);
char *dlerror(void);

void *dlopen(const char *file, int mode)
{
    (void) file;
    (void) mode;
    return NULL;
}

void *dlsym(void *library, const char *name)
{
    (void) library;
    (void) name;
    return NULL;
}

char *dlerror(void)
{
    return NULL;
}
