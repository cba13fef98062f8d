#ifndef DUMP_DECIMAL_H
#define DUMP_DECIMAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * The decimal number in a text, "-12.5e3", times 10^power as a whole number, rounded half up;
 * exact, never through a double. Blanks around it are passed over. False if it is no number, not
 * finite, or larger than 9 * 10^18.
 */
bool decimal_scaled(const char *text, size_t len, int power, int64_t *out);

/* "-12": a whole number as it would be written back. False for other texts: "012", "+1", "1e3". */
bool decimal_is_whole(const char *text, size_t len, int64_t *out);

#endif
