/*
 * What the system says about an errno. Of strerror_r there are two: glibc's returns the text, musl's and POSIX' an int. Under
 * the name that is used here both have the latter.
 */
#ifndef EXS_ERROR_TEXT_H
#define EXS_ERROR_TEXT_H

#include <stddef.h>

int __xpg_strerror_r(int error, char *text, size_t length);

static inline const char *error_text(int error, char *text, size_t length)
{
    /* Fails for a number that is none, and has written that into the text. */
    (void) __xpg_strerror_r(error, text, length);
    return text;
}

#endif
