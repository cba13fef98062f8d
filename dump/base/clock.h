#ifndef BASE_CLOCK_H
#define BASE_CLOCK_H

#include <stdint.h>

/* Milliseconds since some time, by a clock that never goes back. From any thread. */
int64_t clock_ms(void);

#endif
