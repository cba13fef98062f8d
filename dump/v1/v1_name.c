/* Tensor names are read from their end: the leaf may hold anything, underscores and digits too. */
#include "dump/v1/v1_name.h"

#include <string.h>

#define DIGITS "0123456789"
#define LETTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

bool v1_begins(const char *name, const char *with)
{
	return !strncmp(name, with, strlen(with));
}

/* text[0..len) as a decimal number of at most 18 digits. */
static bool number(const char *text, size_t len, int64_t *value)
{
	*value = 0;
	if (!len || len > 18)
		return false;
	for (size_t i = 0; i < len; i++) {
		if (text[i] < '0' || text[i] > '9')
			return false;
		*value = *value * 10 + (text[i] - '0');
	}
	return true;
}

/* The time, with or without "-N" behind it, from text to the end. */
static bool stamp(const char *text, int64_t *time_us)
{
	size_t digits = strspn(text, DIGITS);
	const char *rest = text + digits;

	if (!number(text, digits, time_us))
		return false;
	return !*rest || (*rest == '-' && rest[1] && !rest[1 + strspn(rest + 1, DIGITS)]);
}

/* Start of the field that ends before `end`; NULL if no underscore comes before it. */
static const char *field_before(const char *name, const char *end)
{
	const char *bar = memrchr(name, '_', (size_t)(end - name));

	return bar ? bar + 1 : NULL;
}

bool v1_tensor_name(const char *name, struct v1_name *out)
{
	const char *time = field_before(name, name + strlen(name));
	const char *op = time ? field_before(name, time - 1) : NULL;
	const char *slot = op ? field_before(name, op - 1) : NULL;
	int64_t slot_number;

	if (!slot || !stamp(time, &out->time_us) ||
	    !number(slot, (size_t)(op - 1 - slot), &slot_number) || slot_number > INT32_MAX)
		return false;
	out->debug_op = op;
	out->debug_op_len = (size_t)(time - 1 - op);
	if (!out->debug_op_len || strspn(op, DIGITS LETTERS) < out->debug_op_len)
		return false;
	out->slot = (uint32_t)slot_number;
	out->leaf_len = (size_t)(slot - 1 - name);
	return true;
}

int64_t v1_stamp(const char *name)
{
	const char *time = field_before(name, name + strlen(name));
	int64_t time_us;

	return time && stamp(time, &time_us) ? time_us : 0;
}

/* "device_XLA_GPU_0" is "device:XLA_GPU:0": a type may hold '_', a number does not. */
static void put_device_item(const char *item, size_t len, struct str *out)
{
	const char *type = item + strlen("device_");
	const char *bar = memrchr(type, '_', (size_t)(item + len - type));

	str_puts(out, "device:");
	if (!bar) {
		str_put(out, type, (size_t)(item + len - type));
		return;
	}
	str_put(out, type, (size_t)(bar - type));
	str_putc(out, ':');
	str_put(out, bar + 1, (size_t)(item + len - bar) - 1);
}

/*
 * Any other item, as tfdbg does: "device_" becomes "device:", then the first '_' that is left a
 * ':'.
 */
static void put_item(const char *item, size_t len, struct str *out)
{
	size_t begin = out->len;
	char *bar;

	while (len) {
		const char *found = memmem(item, len, "device_", 7);
		size_t n = found ? (size_t)(found - item) : len;

		str_put(out, item, n);
		if (found) {
			str_puts(out, "device:");
			n += 7;
		}
		item += n;
		len -= n;
	}
	bar = out->len > begin ? memchr(out->text + begin, '_', out->len - begin) : NULL;
	if (bar)
		*bar = ':';
}

void v1_device_of_dir(const char *dir, struct str *out)
{
	const char *item = dir + strlen(V1_DEVICE);

	for (;;) {
		size_t len = strcspn(item, ",");

		if (len >= 7 && v1_begins(item, "device_"))
			put_device_item(item, len, out);
		else
			put_item(item, len, out);
		if (!item[len])
			return;
		str_putc(out, '/');
		item += len + 1;
	}
}

void v1_dir_of_device(const char *device, struct str *out)
{
	str_puts(out, V1_DEVICE);
	for (; *device; device++)
		str_putc(out, *device == ':' ? '_' : *device == '/' ? ',' : *device);
}

bool v1_is_run_dir(const char *name)
{
	size_t digits = v1_begins(name, "run_") ? strspn(name + 4, DIGITS) : 0;

	return digits && name[4 + digits] == '_' && name[5 + digits];
}

bool v1_run_name(const char *name, struct run_name *out)
{
	const char *time = name + strlen("run_");
	size_t digits;

	if (!v1_is_run_dir(name))
		return false;
	digits = strspn(time, DIGITS);
	out->suffix = time + digits + 1;
	if (!number(time, digits, &out->time_us))
		out->time_us = -1;
	if (!number(out->suffix, strlen(out->suffix), &out->counter))
		out->counter = -1;
	return true;
}

/* Compares decimal numbers of any length. */
static int number_order(const char *a, size_t a_len, const char *b, size_t b_len)
{
	while (a_len && *a == '0') {
		a++;
		a_len--;
	}
	while (b_len && *b == '0') {
		b++;
		b_len--;
	}
	if (a_len != b_len)
		return a_len < b_len ? -1 : 1;
	return memcmp(a, b, a_len);
}

int v1_run_order(const char *a, const char *b)
{
	bool a_run = v1_is_run_dir(a), b_run = v1_is_run_dir(b);
	size_t a_len, b_len;
	int order;

	if (!a_run || !b_run)
		return a_run != b_run ? (a_run ? 1 : -1) : strcmp(a, b);
	a += 4;
	b += 4;
	a_len = strspn(a, DIGITS);
	b_len = strspn(b, DIGITS);
	order = number_order(a, a_len, b, b_len);
	if (order)
		return order;
	a += a_len + 1;
	b += b_len + 1;
	a_len = strspn(a, DIGITS);
	b_len = strspn(b, DIGITS);
	if (!a[a_len] && !b[b_len])
		order = number_order(a, a_len, b, b_len);
	return order ? order : strcmp(a, b);
}
