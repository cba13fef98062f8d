#ifndef TESTS_HUGE_H
#define TESTS_HUGE_H

#include <stdbool.h>
#include <stdint.h>

/*
 * The file of a dumped float32 tensor of any size: zeros that no disk holds, but for its last
 * element, a NaN. The directories above it must be there. False with errno if the file can't be
 * written.
 */
bool huge_write(const char *path, const char *node, unsigned slot, uint32_t rank,
                const int64_t *dim);

#endif
