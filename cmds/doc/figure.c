#include "cmds/doc/figure.h"

#include <math.h>
#include <string.h>

static const struct { const char *name; double ns; } units[] = {
	[UNIT_US] = { "us", 1e3 }, [UNIT_MS] = { "ms", 1e6 }, [UNIT_S] = { "s", 1e9 },
};

static enum figure_unit unit_for(int64_t ns)
{
	uint64_t size = ns < 0 ? 0 - (uint64_t)ns : (uint64_t)ns;

	if (size < 1000)
		return UNIT_AUTO;
	return size < 1000000 ? UNIT_US : size < 1000000000 ? UNIT_MS : UNIT_S;
}

void put_time(struct str *out, int64_t ns, enum figure_unit unit)
{
	double value;

	if (!ns) {
		str_putc(out, '0');
		return;
	}
	if (unit == UNIT_AUTO)
		unit = unit_for(ns);
	if (unit == UNIT_AUTO) {
		str_fmt(out, "%lldns", (long long)ns);
		return;
	}
	value = (double)ns / units[unit].ns;
	str_fmt(out, "%.*f%s", fabs(value) < 10 ? 3 : fabs(value) < 100 ? 2 : 1, value,
	        units[unit].name);
}

void put_signed_time(struct str *out, int64_t ns)
{
	if (ns > 0)
		str_putc(out, '+');
	put_time(out, ns, UNIT_AUTO);
}

void put_after(struct str *out, int64_t ns)
{
	str_putc(out, '+');
	put_time(out, ns, UNIT_AUTO);
}

void put_after_us(struct str *out, int64_t us)
{
	int64_t ns;

	if (__builtin_mul_overflow(us, 1000, &ns))
		str_putc(out, '-');
	else
		put_after(out, ns);
}

bool figure_unit_parse(const char *word, enum figure_unit *unit)
{
	for (*unit = UNIT_US; *unit <= UNIT_S; ++*unit)
		if (!strcmp(word, units[*unit].name))
			return true;
	*unit = UNIT_AUTO;
	return false;
}

void put_percent(struct str *out, double percent)
{
	if (percent > 0 && percent < .05)
		str_puts(out, "<0.1");
	else
		str_fmt(out, "%.1f", percent);
}

void put_share(struct str *out, double percent)
{
	put_percent(out, round(percent * 1e4) / 1e4);
}

double percent_of(int64_t part, int64_t whole)
{
	return whole ? 100.0 * (double)part / (double)whole : 0;
}

void data_us(struct data *data, int64_t ns)
{
	if (ns % 1000 == 0)
		data_int(data, ns / 1000);
	else
		data_float(data, (double)ns / 1000.0, 64);
}

void data_rounded(struct data *data, double value)
{
	data_float(data, round(value * 1e4) / 1e4, 64);
}

void key_us(struct data *data, const char *key, int64_t ns)
{
	data_key(data, key);
	data_us(data, ns);
}

void key_int(struct data *data, const char *key, int64_t value)
{
	data_key(data, key);
	data_int(data, value);
}

void key_str(struct data *data, const char *key, const char *text)
{
	data_key(data, key);
	data_str(data, text);
}
