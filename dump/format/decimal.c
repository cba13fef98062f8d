#include "dump/format/decimal.h"

#include <string.h>

#include "dump/base/str.h"

#define MOST INT64_C(9000000000000000000)
#define EXPONENT_MOST 100000     /* beyond it all is 0 or too large */

struct digits {
	const char *at, *end;    /* of the mantissa, the point among them */
	int64_t whole;           /* digits before the point */
	int64_t exponent;
	bool negative;
};

static bool is_blank(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

static bool read_exponent(const char *at, const char *end, int64_t *exponent)
{
	bool negative = at < end && *at == '-';

	if (at < end && (*at == '-' || *at == '+'))
		at++;
	if (at == end)
		return false;
	for (; at < end; at++) {
		if (!is_digit(*at))
			return false;
		if (*exponent < EXPONENT_MOST)
			*exponent = *exponent * 10 + (*at - '0');
	}
	if (negative)
		*exponent = -*exponent;
	return true;
}

static bool read_parts(const char *at, const char *end, struct digits *d)
{
	bool any = false, point = false;

	*d = (struct digits){ .negative = at < end && *at == '-' };
	if (at < end && (*at == '-' || *at == '+'))
		at++;
	d->at = at;
	for (; at < end && (is_digit(*at) || (*at == '.' && !point)); at++) {
		point |= *at == '.';
		any |= *at != '.';
		d->whole += !point;
	}
	d->end = at;
	if (!any)
		return false;
	if (at == end)
		return true;
	return (*at == 'e' || *at == 'E') && read_exponent(at + 1, end, &d->exponent);
}

/* Appends a zero or another digit. */
static bool append(int64_t *value, int digit)
{
	if (*value > (MOST - digit) / 10)
		return false;
	*value = *value * 10 + digit;
	return true;
}

bool decimal_scaled(const char *text, size_t len, int power, int64_t *out)
{
	const char *end = text + len;
	int64_t value = 0, place;
	int half = 0;            /* the first digit behind the whole number */
	bool beyond = false;     /* is anything but 0 behind that? */
	struct digits d;

	while (text < end && is_blank(*text))
		text++;
	while (text < end && is_blank(end[-1]))
		end--;
	if (!read_parts(text, end, &d))
		return false;
	place = d.whole + d.exponent + power;
	for (const char *at = d.at; at < d.end; at++) {
		if (*at == '.')
			continue;
		place--;
		if (place >= 0 && !append(&value, *at - '0'))
			return false;
		if (place == -1)
			half = *at - '0';
		else if (place < -1)
			beyond |= *at != '0';
	}
	for (; value && place > 0; place--)
		if (!append(&value, 0))
			return false;
	if (d.negative)
		value += half > 5 || (half == 5 && beyond);
	else
		value += half >= 5;
	*out = d.negative ? -value : value;
	return true;
}

bool decimal_is_whole(const char *text, size_t len, int64_t *out)
{
	size_t sign = len && *text == '-';
	int64_t value = 0;

	if (len == sign || len > 19 + sign || (text[sign] == '0' && len > 1))
		return false;
	for (size_t i = sign; i < len; i++)
		if (!is_digit(text[i]) || __builtin_mul_overflow(value, 10, &value)
		    || __builtin_add_overflow(value, text[i] - '0', &value))
			return false;
	*out = sign ? -value : value;
	return true;
}
