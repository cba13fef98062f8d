#ifndef CMDS_PROFILE_TIME_H
#define CMDS_PROFILE_TIME_H

#include <stdbool.h>
#include <stdint.h>

#include "dump/base/err.h"
#include "dump/base/str.h"
#include "dump/profile/step.h"

/* Times of lp and ps, as time_to_readable_str in tfdbg's cli_shared.py writes a given unit. */
enum time_unit { TIME_US, TIME_MS, TIME_S, N_TIME_UNITS };

/* False for any other word. */
bool time_unit_parse(const char *word, enum time_unit *unit);
/* "0", "250us", "0.25ms" */
void put_unit_time(struct str *out, int64_t us, enum time_unit unit);
/* Its length, without making it. */
size_t unit_time_length(int64_t us, enum time_unit unit);

/* Sums that stay within 64 bits. */
int64_t saturated_sum(int64_t a, int64_t b);

/* What lp calls op time and execution time, in us. */
int64_t record_op_us(const struct record_times *times);
int64_t record_exec_us(const struct record_times *times);

#endif
