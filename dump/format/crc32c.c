/*
 * Each byte shifts the CRC by eight bits and adds what the table says of the bits that fell out.
 * The table is linear: an entry is the sum (xor) of those of its bits, so eight numbers make it.
 * The instruction of a processor does the same to eight bytes at once.
 */
#include "dump/format/crc32c.h"

#include <string.h>

#if defined(__ARM_FEATURE_CRC32) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#include <arm_acle.h>
#define ARM_INSTRUCTION
#endif

#define BIT(i, bit, entry) ((i) & (bit) ? (entry) : 0u)
#define X1(i) \
	(BIT(i, 1, 0xf26b8303u) ^ BIT(i, 2, 0xe13b70f7u) ^ BIT(i, 4, 0xc79a971fu) ^ \
	 BIT(i, 8, 0x8ad958cfu) ^ BIT(i, 16, 0x105ec76fu) ^ BIT(i, 32, 0x20bd8edeu) ^ \
	 BIT(i, 64, 0x417b1dbcu) ^ BIT(i, 128, 0x82f63b78u))
#define X4(i) X1(i), X1((i) + 1), X1((i) + 2), X1((i) + 3)
#define X16(i) X4(i), X4((i) + 4), X4((i) + 8), X4((i) + 12)
#define X64(i) X16(i), X16((i) + 16), X16((i) + 32), X16((i) + 48)

static const uint32_t table[256] = { X64(0), X64(64), X64(128), X64(192) };

uint32_t crc32c_by_table(uint32_t crc, const void *bytes, size_t len)
{
	const unsigned char *at = bytes;

	crc = ~crc;
	for (; len > 0; len--)
		crc = crc >> 8 ^ table[(crc ^ *at++) & 0xff];
	return ~crc;
}

#if defined(__x86_64__)
#define INSTRUCTION __attribute__((target("sse4.2")))
#define HAS_INSTRUCTION() __builtin_cpu_supports("sse4.2")
#define OF_8(crc, word) ((uint32_t)__builtin_ia32_crc32di((crc), (word)))
#define OF_1(crc, byte) __builtin_ia32_crc32qi((crc), (byte))
#elif defined(ARM_INSTRUCTION)
#define INSTRUCTION
#define HAS_INSTRUCTION() 1
#define OF_8(crc, word) __crc32cd((crc), (word))
#define OF_1(crc, byte) __crc32cb((crc), (byte))
#endif

#ifdef INSTRUCTION
INSTRUCTION static uint32_t by_instruction(uint32_t crc, const void *bytes, size_t len)
{
	const unsigned char *at = bytes;

	crc = ~crc;
	for (; len >= 8; len -= 8, at += 8) {
		uint64_t word;

		memcpy(&word, at, 8);
		crc = OF_8(crc, word);
	}
	for (; len > 0; len--)
		crc = OF_1(crc, *at++);
	return ~crc;
}
#endif

uint32_t crc32c(uint32_t crc, const void *bytes, size_t len)
{
#ifdef INSTRUCTION
	if (HAS_INSTRUCTION())
		return by_instruction(crc, bytes, len);
#endif
	return crc32c_by_table(crc, bytes, len);
}
