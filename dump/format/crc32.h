#ifndef DUMP_CRC32_H
#define DUMP_CRC32_H

#include <stddef.h>
#include <stdint.h>

/* The CRC-32 of zlib and PNG over bytes that follow those of sum; 0: they are the first. */
uint32_t crc32_add(uint32_t sum, const void *bytes, size_t n);

#endif
