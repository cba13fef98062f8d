#ifndef TUI_ALONE_UTF8_H
#define TUI_ALONE_UTF8_H

#include <stddef.h>

/*
 * Sets the locale C.UTF-8, which the static program brings along: what the C library knows of
 * characters is a file of the system, and where nothing is installed there is none.
 */
void alone_utf8(void);

/* That file, as the system had it where the program was built. */
extern const unsigned char alone_ctype[];
extern const size_t alone_ctype_bytes;

#endif
