/* CRC-32C: known answers, pieces of any length and alignment, the instruction beside the table. */
#include "tests/suite.h"

#include <string.h>

#include "dump/format/crc32c.h"

#define BYTES(s) s, sizeof s - 1

/* The first four are of RFC 3720, B.4. */
static const struct { const char *bytes; size_t len; uint32_t crc; } known[] = {
	{ BYTES("\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0"), 0x8a9136aa },
	{ BYTES("\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff"
	        "\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff"), 0x62a8ab43 },
	{ BYTES("\0\1\2\3\4\5\6\7\x08\x09\x0a\x0b\x0c\x0d\x0e\x0f\x10\x11\x12\x13\x14\x15\x16\x17"
	        "\x18\x19\x1a\x1b\x1c\x1d\x1e\x1f"), 0x46dd794e },
	{ BYTES("\x1f\x1e\x1d\x1c\x1b\x1a\x19\x18\x17\x16\x15\x14\x13\x12\x11\x10\x0f\x0e\x0d\x0c"
	        "\x0b\x0a\x09\x08\7\6\5\4\3\2\1\0"), 0x113fdb5c },
	{ BYTES("123456789"), 0xe3069283 },
	{ BYTES("a"), 0xc1d04330 },
	{ NULL, 0, 0 },
};

START_TEST(known_answers)
{
	ck_assert_uint_eq(crc32c(0, known[_i].bytes, known[_i].len), known[_i].crc);
	ck_assert_uint_eq(crc32c_by_table(0, known[_i].bytes, known[_i].len), known[_i].crc);
}
END_TEST

static const struct { const char *bytes; size_t len; uint32_t masked; } masked[] = {
	{ NULL, 0, 0xa282ead8 },
	{ BYTES("123456789"), 0xc78ab0e5 },
	{ BYTES("\0\0\0\0\0\0\0\0"), 0x07980329 },
	{ BYTES("\1\0\0\0\0\0\0\0"), 0x41de7501 },
	{ BYTES("\x10\0\0\0\0\0\0\0"), 0x18fefb95 },
	{ BYTES("\0\1\0\0\0\0\0\0"), 0xdf08b32f },
};

START_TEST(masked_as_tensorflow_does)
{
	ck_assert_uint_eq(crc32c_masked(crc32c(0, masked[_i].bytes, masked[_i].len)),
	                  masked[_i].masked);
}
END_TEST

/* One bit at a time: the definition. */
static uint32_t by_definition(const unsigned char *bytes, size_t len)
{
	uint32_t crc = 0xffffffff;

	for (size_t i = 0; i < len; i++) {
		crc ^= bytes[i];
		for (int bit = 0; bit < 8; bit++)
			crc = crc & 1 ? crc >> 1 ^ 0x82f63b78 : crc >> 1;
	}
	return ~crc;
}

START_TEST(any_length_and_alignment_in_two_pieces)
{
	unsigned char noise[80];
	uint32_t state = 1;

	for (size_t i = 0; i < sizeof noise; i++)
		noise[i] = (unsigned char)((state = state * 1664525 + 1013904223) >> 24);
	for (size_t from = 0; from < 9; from++)
		for (size_t len = 0; from + len <= sizeof noise; len++) {
			const unsigned char *at = noise + from;
			uint32_t crc = by_definition(at, len);
			size_t first = (from * 7 + len / 2) % (len + 1), rest = len - first;

			ck_assert_uint_eq(crc32c(0, at, len), crc);
			ck_assert_uint_eq(crc32c_by_table(0, at, len), crc);
			ck_assert_uint_eq(crc32c(crc32c(0, at, first), at + first, rest), crc);
			ck_assert_uint_eq(crc32c_by_table(crc32c_by_table(0, at, first),
			                                  at + first, rest), crc);
		}
}
END_TEST

START_TEST(each_byte_has_its_entry)
{
	for (int i = 0; i < 256; i++) {
		unsigned char byte = (unsigned char)i;

		ck_assert_uint_eq(crc32c_by_table(0, &byte, 1), by_definition(&byte, 1));
	}
}
END_TEST

SUITE_MAIN("crc32c",
	tcase_add_loop_test(t, known_answers, 0, ROWS(known));
	tcase_add_loop_test(t, masked_as_tensorflow_does, 0, ROWS(masked));
	tcase_add_test(t, any_length_and_alignment_in_two_pieces);
	tcase_add_test(t, each_byte_has_its_entry);
)
