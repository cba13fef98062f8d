#ifndef CMDS_FIGURE_H
#define CMDS_FIGURE_H

#include <stdbool.h>
#include <stdint.h>

#include "cmds/doc/data.h"
#include "dump/base/str.h"

/* Times and shares of profile views, as text and as typed data. All put_ functions append. */

/* "0", "835ns", "1.234us", "12.34ms", "123.4s": in the unit, or the largest that fits. */
enum figure_unit { UNIT_AUTO, UNIT_US, UNIT_MS, UNIT_S };
void put_time(struct str *out, int64_t ns, enum figure_unit unit);
void put_signed_time(struct str *out, int64_t ns);       /* "+1.234us", "-835ns", "0" */
void put_after(struct str *out, int64_t ns);             /* "+0", "+1.234us" after a start */
void put_after_us(struct str *out, int64_t us);          /* "-": too large for nanoseconds */
bool figure_unit_parse(const char *word, enum figure_unit *unit);    /* us, ms, s */

/* "12.3"; "<0.1" if it is not 0 but would round to 0.0. */
void put_percent(struct str *out, double percent);
/* The same after rounding to four decimals, as typed data has it; smaller shares are "0.0". */
void put_share(struct str *out, double percent);
double percent_of(int64_t part, int64_t whole);          /* 0 if whole is 0 */

/* Numbers: nanoseconds as microseconds with up to three decimals; others rounded to four. */
void data_us(struct data *data, int64_t ns);
void data_rounded(struct data *data, double value);

/* A key and its value, into an open object. */
void key_us(struct data *data, const char *key, int64_t ns);
void key_int(struct data *data, const char *key, int64_t value);
void key_str(struct data *data, const char *key, const char *text);

#endif
