#include "dump/summary/fields.h"

#include <math.h>
#include <string.h>

#include "dump/base/bytes.h"

enum { VARINT = 0, FIXED64 = 1, BYTES = 2 };

void varint_put(struct str *out, uint64_t number)
{
	for (; number >= 0x80; number >>= 7)
		str_putc(out, (char)(number | 0x80));
	str_putc(out, (char)number);
}

bool varint_take(struct text *at, uint64_t *number)
{
	uint64_t v = 0;

	for (unsigned i = 0; i < at->len && i < 10; i++) {
		unsigned char byte = (unsigned char)at->at[i];

		if (i == 9 && byte > 1)
			return false;
		v |= (uint64_t)(byte & 0x7f) << (7 * i);
		if (byte < 0x80) {
			at->at += i + 1;
			at->len -= i + 1;
			*number = v;
			return true;
		}
	}
	return false;
}

static void put_key(struct str *out, uint32_t field, unsigned type)
{
	varint_put(out, (uint64_t)field << 3 | type);
}

void field_put_number(struct str *out, uint32_t field, uint64_t number)
{
	if (!number)
		return;
	put_key(out, field, VARINT);
	varint_put(out, number);
}

void field_put_int(struct str *out, uint32_t field, int64_t number)
{
	field_put_number(out, field, zigzag(number));
}

static uint64_t bits_of(double number)
{
	uint64_t bits;

	if (isnan(number))
		return 0x7ff8000000000000u;
	memcpy(&bits, &number, sizeof bits);
	return bits;
}

void field_put_double(struct str *out, uint32_t field, double number)
{
	if (bits_of(number))
		field_put_any_double(out, field, number);
}

void field_put_any_double(struct str *out, uint32_t field, double number)
{
	uint64_t bits = bits_of(number);

	put_key(out, field, FIXED64);
	for (unsigned i = 0; i < sizeof bits; i++)
		str_putc(out, (char)(bits >> (8 * i)));
}

void field_put_element(struct str *out, uint32_t field, const void *bytes, size_t len)
{
	put_key(out, field, BYTES);
	varint_put(out, len);
	if (len)
		str_put(out, bytes, len);
}

void field_put_bytes(struct str *out, uint32_t field, const void *bytes, size_t len)
{
	if (len)
		field_put_element(out, field, bytes, len);
}

void field_put_text(struct str *out, uint32_t field, const char *text)
{
	if (text)
		field_put_bytes(out, field, text, strlen(text));
}

static bool take_fixed(struct text *message, uint64_t *value)
{
	if (message->len < sizeof *value)
		return false;
	*value = little_endian((const unsigned char *)message->at, sizeof *value);
	message->at += sizeof *value;
	message->len -= sizeof *value;
	return true;
}

static bool take_bytes(struct text *message, struct text *bytes)
{
	uint64_t len;

	if (!varint_take(message, &len) || len > message->len)
		return false;
	*bytes = (struct text){ message->at, (size_t)len };
	message->at += len;
	message->len -= (size_t)len;
	return true;
}

bool message_next(struct text *message, struct message_field *field, bool *damaged)
{
	uint64_t key;
	bool ok;

	if (!message->len)
		return false;
	*field = (struct message_field){0};
	ok = varint_take(message, &key) && key >> 3 && key <= UINT32_MAX;
	if (ok) {
		field->number = (uint32_t)(key >> 3);
		field->is_bytes = (key & 7) == BYTES;
		switch (key & 7) {
		case VARINT: ok = varint_take(message, &field->value); break;
		case FIXED64: ok = take_fixed(message, &field->value); break;
		case BYTES: ok = take_bytes(message, &field->bytes); break;
		default: ok = false;
		}
	}
	*damaged = !ok;
	return ok;
}

double field_double(const struct message_field *field)
{
	double number;

	memcpy(&number, &field->value, sizeof number);
	return number;
}

const char *field_text(const struct message_field *field, struct arena *mem)
{
	return arena_copy(mem, field->bytes.len ? field->bytes.at : "", field->bytes.len);
}
