#include "dump/format/crc32.h"

#include <zlib.h>

uint32_t crc32_add(uint32_t sum, const void *bytes, size_t n)
{
	return (uint32_t)crc32_z(sum, bytes, n);
}
