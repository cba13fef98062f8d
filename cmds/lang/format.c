#include "cmds/lang/format.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

/* n / 2^shift with two digits behind the point, rounded as printf does: of two as near the even. */
static void put_hundredths(struct str *out, int64_t n, int shift)
{
	int64_t unit = INT64_C(1) << shift, whole = n >> shift;
	int64_t rest = (n & (unit - 1)) * 100, hundredths = rest >> shift;

	rest = 2 * (rest & (unit - 1));
	hundredths += rest > unit || (rest == unit && hundredths % 2);
	str_int(out, whole + hundredths / 100);
	hundredths %= 100;
	str_put(out, (char[]){ '.', (char)('0' + hundredths / 10), (char)('0' + hundredths % 10) },
	        3);
}

void put_size(struct str *out, int64_t bytes)
{
	static const struct { int shift; char letter; } units[] = {
		{ 30, 'G' }, { 20, 'M' }, { 10, 'k' },
	};

	if (bytes < 0) {
		str_puts(out, "None");
		return;
	}
	for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
		if (bytes >> units[i].shift) {
			put_hundredths(out, bytes, units[i].shift);
			str_putc(out, units[i].letter);
			return;
		}
	}
	str_int(out, bytes);
}

/* "1e+05" becomes "1e5", "1e-05" becomes "1e-5". */
static void cut_exponent(char *text)
{
	char *e = strchr(text, 'e'), *digits;

	if (!e)
		return;
	digits = e + 1 + (e[1] == '+' || e[1] == '-');
	digits += strspn(digits, "0");
	e += 1 + (e[1] == '-');
	memmove(e, digits, strlen(digits) + 1);
}

void put_short(struct str *out, double x)
{
	char text[32] = "nan";

	for (int digits = 4; digits > 0 && !isnan(x); digits--) {
		snprintf(text, sizeof text, "%.*g", digits, x);
		cut_exponent(text);
		if (strlen(text) <= SHORT_COLUMNS)
			break;
	}
	str_puts(out, text);
}

/* Below this all digits of a quotient by 1000 are exact in a double. */
#define EXACT_US INT64_C(1000000000000)

void put_rel_ms(struct str *out, int64_t time_us, int64_t t0_us)
{
	int64_t us;

	if (time_us < 0) {
		str_putc(out, '-');
	} else if (__builtin_sub_overflow(time_us, t0_us, &us) || us < 0 || us >= EXACT_US) {
		str_fmt(out, "%.3f", ((double)time_us - (double)t0_us) / 1000.0);
	} else {
		char part[] = { '.', (char)('0' + us / 100 % 10), (char)('0' + us / 10 % 10),
		                (char)('0' + us % 10) };

		str_int(out, us / 1000);
		str_put(out, part, sizeof part);
	}
}
