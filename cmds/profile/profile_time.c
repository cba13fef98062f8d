#include "cmds/profile/profile_time.h"

#include <stdio.h>
#include <string.h>

static const char *const unit_names[N_TIME_UNITS] = { "us", "ms", "s" };

static const int64_t unit_us[N_TIME_UNITS] = { 1, 1000, 1000000 };

bool time_unit_parse(const char *word, enum time_unit *unit)
{
	for (*unit = 0; *unit < N_TIME_UNITS; ++*unit)
		if (!strcmp(word, unit_names[*unit]))
			return true;
	return false;
}

/* Whole µs of up to ten digits are written by "%.10g" as they are. */
static bool is_whole(int64_t us, enum time_unit unit)
{
	return unit == TIME_US && us > -10000000000 && us < 10000000000;
}

void put_unit_time(struct str *out, int64_t us, enum time_unit unit)
{
	if (us && is_whole(us, unit)) {
		str_int(out, us);
		str_puts(out, unit_names[unit]);
	} else if (us) {
		str_fmt(out, "%.10g%s", (double)us / (double)unit_us[unit], unit_names[unit]);
	} else {
		str_putc(out, '0');
	}
}

size_t unit_time_length(int64_t us, enum time_unit unit)
{
	uint64_t rest = us < 0 ? -(uint64_t)us : (uint64_t)us;
	size_t digits = 0;

	if (!us)
		return 1;
	if (!is_whole(us, unit))
		return (size_t)snprintf(NULL, 0, "%.10g%s", (double)us / (double)unit_us[unit],
		                        unit_names[unit]);
	for (; rest; rest /= 10)
		digits++;
	return digits + (us < 0) + strlen("us");
}

int64_t saturated_sum(int64_t a, int64_t b)
{
	int64_t sum;

	return __builtin_add_overflow(a, b, &sum) ? (a < 0 ? INT64_MIN : INT64_MAX) : sum;
}

int64_t record_op_us(const struct record_times *times)
{
	int64_t us;

	if (__builtin_sub_overflow(times->op_end_us, times->op_start_us, &us))
		return times->op_end_us < 0 ? INT64_MIN : INT64_MAX;
	return us;
}

int64_t record_exec_us(const struct record_times *times)
{
	return times->all_end_us;
}
