#include "cmds/format.h"

#include <stddef.h>

void put_size(struct str *out, int64_t bytes)
{
	static const struct { int64_t unit; char letter; } units[] = {
		{ INT64_C(1) << 30, 'G' }, { 1 << 20, 'M' }, { 1 << 10, 'k' },
	};

	if (bytes < 0) {
		str_puts(out, "None");
		return;
	}
	for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
		if (bytes >= units[i].unit) {
			str_fmt(out, "%.2f%c", (double)bytes / (double)units[i].unit, units[i].letter);
			return;
		}
	}
	str_fmt(out, "%d", (int)bytes);
}

void put_rel_ms(struct str *out, int64_t time_us, int64_t t0_us)
{
	str_fmt(out, "%.3f", ((double)time_us - (double)t0_us) / 1000.0);
}
