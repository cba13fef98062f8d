#ifndef TESTS_SMALL_TAR_H
#define TESTS_SMALL_TAR_H

#include "dump/base/str.h"

/* Archives written by hand. */

/* A member and its bytes; type as tar has it: '0' a file, '5' a directory, '2' a link... */
void put_tar_member(struct str *out, const char *name, char type, const void *bytes, size_t len);
void put_tar_end(struct str *out);
/* A .npy file of two int16 elements, 1 and 2. */
void put_small_array(struct str *out);

/* The bytes as gzip and zstd pack them; these of zstd are only smaller where bytes are alike. */
void put_gzip(struct str *out, const void *bytes, size_t len);
void put_zstd(struct str *out, const void *bytes, size_t len);

#endif
