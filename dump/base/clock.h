#ifndef BASE_CLOCK_H
#define BASE_CLOCK_H

#include <stdint.h>

/* Milliseconds of a clock that never goes back; from when does not matter (CLOCK_MONOTONIC). Any thread. */
int64_t clock_ms(void);

#endif
