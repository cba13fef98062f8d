/*
 * One pass is enough for floats. Whether exponents are needed follows from the smallest and the
 * largest value. The columns left of the point follow from the largest values, as text grows with
 * the value. Only the number of decimals depends on every element, and that has a limit: once it is
 * reached no further element has to be converted to text.
 */
#include "cmds/array/field.h"

#include <math.h>
#include <string.h>

#include "cmds/lang/number.h"

#define PRECISION 8     /* most decimals */

void field_scan_start(struct field_scan *scan, const struct dtype_info *type)
{
	*scan = (struct field_scan){ .type = type };
}

/* Decimals of the mantissa in its shortest digits, or when rounded to 8 decimals. */
static int mantissa_decimals(double x, const struct digits *d)
{
	struct digits cut;

	if (d->n - 1 <= PRECISION)
		return d->n - 1;
	rounded_digits(x, PRECISION + 1, &cut);
	return cut.n - 1;
}

/*
 * Decimals without an exponent. For values that will be written with one the result does not
 * matter.
 */
static int decimals(double x, const struct digits *d)
{
	struct digits cut;

	if (d->n <= d->point || d->point < -PRECISION / 2)
		return 0;
	if (d->n - d->point <= PRECISION)
		return d->n - d->point;
	rounded_digits(x, d->point + PRECISION, &cut);
	return cut.n > cut.point ? cut.n - cut.point : 0;
}

static void scan_decimals(struct float_scan *s, double x)
{
	struct digits d;
	int n;

	if (s->decimals == PRECISION && s->mantissa_decimals == PRECISION)
		return;
	shortest_digits(x, s->bits, &d);
	n = mantissa_decimals(x, &d);
	if (n > s->mantissa_decimals)
		s->mantissa_decimals = n;
	n = decimals(x, &d);
	if (n > s->decimals)
		s->decimals = n;
}

static void scan_float(struct float_scan *s, double x)
{
	double size = fabs(x);

	if (!isfinite(x)) {
		s->any_odd = true;
		s->any_neg_inf |= x < 0;
		return;
	}
	s->any = true;
	if (signbit(x)) {
		s->any_negative = true;
		if (size > s->max_neg)
			s->max_neg = size;
	}
	if (size == 0)
		return;
	if (!s->any_nonzero || size > s->max)
		s->max = size;
	if (!s->any_nonzero || size < s->min)
		s->min = size;
	s->any_nonzero = true;
	scan_decimals(s, x);
}

static void scan_wholes(struct field_scan *scan, const unsigned char *elems, size_t n)
{
	const struct dtype_info *type = scan->type;
	bool is_wide = type->dtype == DTYPE_UINT64;
	const unsigned char *min = elems, *max = elems;
	struct str text = { 0 };

	for (size_t i = 1; i < n; i++) {
		const unsigned char *elem = elems + i * type->elem_bytes;
		int64_t x = int_value(type->dtype, elem);
		int64_t low = int_value(type->dtype, min), high = int_value(type->dtype, max);

		if (is_wide ? (uint64_t)x < (uint64_t)low : x < low)
			min = elem;
		if (is_wide ? (uint64_t)x > (uint64_t)high : x > high)
			max = elem;
	}
	for (int i = 0; i < 2; i++) {
		str_reset(&text);
		put_whole(&text, type, i ? max : min);
		if ((int)text.len > scan->whole_width)
			scan->whole_width = (int)text.len;
	}
	str_release(&text);
}

void field_scan_add(struct field_scan *scan, const void *elems, size_t n)
{
	const unsigned char *elem = elems;
	double real, imag;

	switch (scan->type->kind) {
	case KIND_FLOAT:
	case KIND_COMPLEX:
		for (size_t i = 0; i < n; i++, elem += scan->type->elem_bytes) {
			scan->real.bits = float_parts(scan->type, elem, &real, &imag);
			scan_float(&scan->real, real);
			if (scan->type->kind != KIND_COMPLEX)
				continue;
			scan->imag.bits = scan->real.bits;
			scan_float(&scan->imag, imag);
		}
		break;
	case KIND_INT:
	case KIND_UINT:
	case KIND_QUANT:
		if (n)
			scan_wholes(scan, elem, n);
		break;
	default:
		break;
	}
}

/*
 * Is the ratio of the extremes above 1000? numpy divides in the array's own type, so for float16 it
 * depends on which way the quotient is rounded.
 */
static bool spreads(const struct float_scan *s)
{
	if (s->bits == 64)
		return s->max / s->min > 1000;
	if (s->bits == 32)
		return (float)s->max / (float)s->min > 1000;
	/* float16 values near 1000 are 0.5 apart, and a tie rounds to 1000 */
	return (float)s->max / (float)s->min > 1000.25f;
}

static bool needs_exponent(const struct float_scan *s)
{
	return s->any_nonzero && (s->max >= 1e8 || s->min < 0.0001 || spreads(s));
}

/* Digits before the point of a value that is written without an exponent. */
static int whole_digits(double x, int bits)
{
	struct digits d;

	if (x == 0)
		return 1;
	shortest_digits(x, bits, &d);
	if (d.n - d.point > PRECISION)
		rounded_digits(x, d.point + PRECISION, &d);
	return d.point > 1 ? d.point : 1;
}

/* Digits of the exponent of x, at least 2. */
static int exponent_digits(const struct float_scan *s, double x)
{
	struct digits d;

	shortest_digits(x, s->bits, &d);
	if (d.n - 1 > PRECISION)
		rounded_digits(x, PRECISION + 1, &d);
	return d.point - 1 >= 100 || d.point - 1 <= -100 ? 3 : 2;
}

static void settle_scientific(struct float_column *c, const struct float_scan *s)
{
	int low = exponent_digits(s, s->min), high = exponent_digits(s, s->max);

	c->scientific = true;
	c->exponent_digits = low > high ? low : high;
	c->left = c->plus || s->any_negative ? 2 : 1;
	c->right = s->mantissa_decimals;
}

static void settle_fixed(struct float_column *c, const struct float_scan *s)
{
	int all = whole_digits(s->any_nonzero ? s->max : 0, s->bits) + c->plus;
	int negative = s->any_negative ? whole_digits(s->max_neg, s->bits) + 1 : 0;

	c->left = all > negative ? all : negative;
	c->right = s->decimals;
}

static void settle_floats(struct float_column *c, const struct float_scan *s, bool plus)
{
	int after, word;

	*c = (struct float_column){ .bits = s->bits, .plus = plus };
	if (needs_exponent(s))
		settle_scientific(c, s);
	else if (s->any)
		settle_fixed(c, s);
	after = 1 + c->right + (c->scientific ? c->exponent_digits + 2 : 0);
	if (s->any_odd) {
		word = plus || s->any_neg_inf ? 4 : 3;
		if (c->left < word - after)
			c->left = word - after;
	}
	c->width = c->left + after;
}

void field_settle(struct field *field, const struct field_scan *scan, uint32_t rank)
{
	*field = (struct field){ .type = scan->type };
	switch (scan->type->kind) {
	case KIND_FLOAT:
		settle_floats(&field->real, &scan->real, false);
		field->width = field->real.width;
		break;
	case KIND_COMPLEX:
		settle_floats(&field->real, &scan->real, false);
		settle_floats(&field->imag, &scan->imag, true);
		field->width = field->real.width + field->imag.width + 1;
		break;
	case KIND_BOOL:
		field->width = rank ? (int)strlen("False") : 0;
		break;
	case KIND_QUANT:
		field->width = scan->whole_width + (int)strlen("(,)");
		break;
	case KIND_INT:
	case KIND_UINT:
		field->width = scan->whole_width;
		break;
	default:
		break;
	}
}

/* nan or inf, right-aligned in the column. */
static void put_word(const struct float_column *c, double x, struct str *out)
{
	const char *word = isnan(x) ? "nan" : "inf";
	const char *sign = x < 0 ? "-" : c->plus ? "+" : "";

	str_fmt(out, "%*s%s", c->width - 3, sign, word);
}

/* Padding and sign before an integer part of so many digits. */
static void put_left(const struct float_column *c, double x, int digits, struct str *out)
{
	bool sign = signbit(x) || c->plus;
	int pad = c->left - digits - sign;

	str_fill(out, ' ', (size_t)(pad > 0 ? pad : 0));
	if (sign)
		str_putc(out, signbit(x) ? '-' : '+');
}

static void put_fixed(const struct float_column *c, double x, struct str *out)
{
	struct digits d = { .n = 0 };
	int zeros, wanted;

	if (x != 0)
		shortest_digits(x, c->bits, &d);
	if (d.point > d.n)              /* the whole part is exact to the units */
		rounded_digits(x, d.point, &d);
	else if (d.n - d.point > PRECISION)
		rounded_digits(x, d.point + PRECISION, &d);
	wanted = d.point > 0 ? d.point : 0;
	put_left(c, x, wanted ? wanted : 1, out);
	if (!wanted)
		str_putc(out, '0');
	for (int i = 0; i < wanted; i++)
		str_putc(out, i < d.n ? d.digit[i] : '0');
	str_putc(out, '.');
	if (d.n > d.point) {
		zeros = d.point < 0 ? -d.point : 0;
		str_fill(out, '0', (size_t)zeros);
		str_put(out, d.digit + wanted, (size_t)(d.n - wanted));
		wanted = zeros + d.n - wanted;
	} else {
		wanted = 0;
	}
	str_fill(out, ' ', (size_t)(c->right > wanted ? c->right - wanted : 0));
}

static void put_scientific(const struct float_column *c, double x, struct str *out)
{
	struct digits d = { .digit = "0", .n = 1, .point = 1 };
	int exponent;

	if (x != 0) {
		shortest_digits(x, c->bits, &d);
		if (d.n - 1 != c->right)
			rounded_digits(x, c->right + 1, &d);
	}
	exponent = d.point - 1;
	put_left(c, x, 1, out);
	str_putc(out, d.digit[0]);
	str_putc(out, '.');
	str_put(out, d.digit + 1, (size_t)d.n - 1);
	str_fill(out, '0', (size_t)(c->right - (d.n - 1)));
	str_fmt(out, "e%c%0*d", exponent < 0 ? '-' : '+', c->exponent_digits,
	        exponent < 0 ? -exponent : exponent);
}

static void put_column(const struct float_column *c, double x, struct str *out)
{
	if (!isfinite(x))
		put_word(c, x, out);
	else if (c->scientific)
		put_scientific(c, x, out);
	else
		put_fixed(c, x, out);
}

static void put_complex(const struct field *field, const void *elem, struct str *out)
{
	double real, imag;
	size_t end;

	float_parts(field->type, elem, &real, &imag);
	put_column(&field->real, real, out);
	put_column(&field->imag, imag, out);
	end = out->len;
	while (out->text[end - 1] == ' ')
		end--;
	str_putc(out, ' ');             /* the j goes before the spaces */
	out->text[end] = 'j';
}

/* Right-aligned text; brackets are not padded but what they hold. */
static void put_padded(const struct field *field, const void *elem, struct str *out)
{
	bool quantised = field->type->kind == KIND_QUANT;
	size_t width = (size_t)field->width - (quantised ? strlen("(,)") : 0);
	size_t begin, len, pad;

	if (quantised)
		str_putc(out, '(');
	begin = out->len;
	if (quantised)
		put_whole(out, field->type, elem);
	else
		put_scalar(out, field->type, elem);
	len = out->len - begin;
	pad = width > len ? width - len : 0;
	str_fill(out, ' ', pad);
	memmove(out->text + begin + pad, out->text + begin, len);
	memset(out->text + begin, ' ', pad);
	if (quantised)
		str_puts(out, ",)");
}

void field_put(const struct field *field, const void *elem, struct str *out)
{
	double real, imag;

	if (field->type->kind == KIND_FLOAT) {
		float_parts(field->type, elem, &real, &imag);
		put_column(&field->real, real, out);
	} else if (field->type->kind == KIND_COMPLEX) {
		put_complex(field, elem, out);
	} else if (field->width) {
		put_padded(field, elem, out);
	} else {
		put_scalar(out, field->type, elem);
	}
}
