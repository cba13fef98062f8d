/*
 * Two steps, as in tfdbg: the form gives the texts of the operands, each of which only has to begin
 * with a number; then the unit reads the operands as a whole.
 */
#include "cmds/lang/interval.h"

#include <math.h>
#include <string.h>

#include "cmds/lang/python.h"
#include "dump/base/path.h"
#include "dump/base/str.h"

/* A part of the typed text. */
struct part {
	const char *text;
	size_t len;
};

struct form {
	struct part low, high;   /* len 0: no end on this side */
	bool low_in, high_in;
};

static struct part strip(const char *text, size_t len)
{
	text = python_strip(text, &len);
	return (struct part){ text, len };
}

static size_t count_digits(struct part part, size_t from)
{
	size_t n = 0;

	while (from + n < part.len && is_digit(part.text[from + n]))
		n++;
	return n;
}

/* [-+]?(\d+(\.\d*)?|\.\d+) at the beginning; an exponent would change nothing. */
static bool begins_with_number(struct part part)
{
	size_t at = part.len && (part.text[0] == '-' || part.text[0] == '+');

	if (count_digits(part, at))
		return true;
	return at < part.len && part.text[at] == '.' && count_digits(part, at + 1);
}

/* "<N" and its kin; sign is one of < <= > >=. */
static bool read_half(struct part all, const char *sign, struct form *out, struct err *err)
{
	size_t n = strlen(sign);
	struct part value = strip(all.text + n, all.len - n);

	if (!begins_with_number(value))
		return err_at(err, ERR_VALUE, "command", n,
		              "Invalid value string after %s in '%.*s'", sign, (int)all.len,
		              all.text);
	*out = (struct form){0};
	if (sign[0] == '<') {
		out->high = value;
		out->high_in = n == 2;
	} else {
		out->low = value;
		out->low_in = n == 2;
	}
	return true;
}

static bool read_item(struct part all, const char *text, size_t len, const char *which,
                      struct part *out, struct err *err)
{
	*out = strip(text, len);
	if (begins_with_number(*out))
		return true;
	return err_at(err, ERR_VALUE, "command", (uint64_t)(out->text - all.text),
	              "Invalid %s item in interval: '%.*s'", which, (int)out->len, out->text);
}

/* all begins and ends with brackets. */
static bool read_pair(struct part all, struct form *out, struct err *err)
{
	const char *end = all.text + all.len - 1;
	const char *comma = all.len > 1 ? memchr(all.text + 1, ',', all.len - 2) : NULL;

	if (!comma || memchr(comma + 1, ',', (size_t)(end - comma - 1)))
		return err_at(err, ERR_VALUE, "command", 0,
		              "Incorrect interval format: %.*s. Interval should "
		              "specify two values: [min, max] or (min, max).",
		              (int)all.len, all.text);
	out->low_in = all.text[0] == '[';
	out->high_in = *end == ']';
	return read_item(all, all.text + 1, (size_t)(comma - all.text - 1), "first", &out->low,
	                 err) &&
	       read_item(all, comma + 1, (size_t)(end - comma - 1), "second", &out->high, err);
}

static bool read_form(struct part all, struct form *out, struct err *err)
{
	static const char *const signs[] = { "<=", "<", ">=", ">" };

	for (size_t i = 0; i < sizeof signs / sizeof *signs; i++) {
		size_t n = strlen(signs[i]);

		if (all.len >= n && !memcmp(all.text, signs[i], n))
			return read_half(all, signs[i], out, err);
	}
	if (!all.len || !strchr("[(", all.text[0]) || !strchr("])", all.text[all.len - 1]))
		return err_at(err, ERR_VALUE, "command", 0,
		              "Invalid interval format: %.*s. Valid formats are: "
		              "[min, max], (min, max), <max, >min",
		              (int)all.len, all.text);
	return read_pair(all, out, err);
}

/* int() of a float, kept within 64 bits. */
static int64_t whole(double x)
{
	if (isnan(x))
		return 0;
	if (x >= 0x1p63)
		return INT64_MAX;
	if (x < -0x1p63)
		return INT64_MIN;
	return (int64_t)x;
}

static bool read_size(struct part part, int64_t *out, struct err *err)
{
	static const struct { char letter; double bytes; } units[] = {
		{ 'k', 0x1p10 }, { 'M', 0x1p20 }, { 'G', 0x1p30 },
	};
	double x;

	if (part.len && part.text[part.len - 1] == 'B')
		part.len--;
	if (part.len && count_digits(part, 0) == part.len)
		return python_int(part.text, part.len, out);
	for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
		if (!part.len || part.text[part.len - 1] != units[i].letter)
			continue;
		if (!python_float_read(part.text, part.len - 1, 0, &x, err))
			return false;
		*out = whole(x * units[i].bytes);
		return true;
	}
	return err_at(err, ERR_VALUE, "command", 0,
	              "Failed to parsed human-readable byte size str: \"%.*s\"", (int)part.len,
	              part.text);
}

static bool read_time(struct part part, int64_t *out, struct err *err)
{
	static const struct { const char *suffix; double us; } units[] = {
		{ "us", 1 }, { "ms", 1e3 }, { "s", 1e6 }, { "", 1 },
	};
	size_t i = 0;
	double x;

	while (!span_ends(part.text, part.len, units[i].suffix))
		i++;
	part.len -= strlen(units[i].suffix);
	if (!python_float_read(part.text, part.len, 0, &x, err))
		return false;
	if (x < 0)
		return err_at(err, ERR_VALUE, "command", 0,
		              "Invalid time %.*s. Time value must be positive.", (int)part.len,
		              part.text);
	*out = whole(x * units[i].us);
	return true;
}

bool interval_parse(const char *text, enum interval_unit unit, struct interval *out,
                    struct err *err)
{
	bool (*read)(struct part, int64_t *, struct err *) =
		unit == INTERVAL_SIZE ? read_size : read_time;
	struct interval made = { 0, INT64_MAX, false, true };
	struct form form;

	if (!read_form(strip(text, strlen(text)), &form, err))
		return false;
	made.low_in = form.low_in;
	if (form.low.len && !read(form.low, &made.low, err))
		return false;
	if (form.high.len) {
		made.high_in = form.high_in;
		if (!read(form.high, &made.high, err))
			return false;
	}
	if (made.low > made.high)
		return err_at(err, ERR_VALUE, "command", 0,
		              "Invalid interval %s. Start %s end of interval.", text,
		              unit == INTERVAL_SIZE ? "of interval must be less than or equal to"
		                                    : "must be before");
	*out = made;
	return true;
}

bool interval_holds(const struct interval *interval, int64_t value)
{
	if (value < interval->low || (value == interval->low && !interval->low_in))
		return false;
	return value < interval->high || (value == interval->high && interval->high_in);
}

bool interval_is(const char *text)
{
	struct form form;

	return read_form(strip(text, strlen(text)), &form, NULL);
}
