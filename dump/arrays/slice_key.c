#include "dump/arrays/slice_key.h"

#include <stddef.h>

enum { SIGNED_MOST = 10 };       /* bytes of a number with a sign */

/* How many bytes follow, and these, the highest first. */
static void put_unsigned(struct str *out, uint64_t number)
{
	int n = 0;

	while (n < 8 && number >> (8 * n))
		n++;
	str_putc(out, (char)n);
	while (n-- > 0)
		str_putc(out, (char)(number >> (8 * n)));
}

/*
 * The highest byte first, the sign in all that is not needed. As many ones as there are bytes stand
 * before the number, and then a zero; of a negative one all these are turned.
 */
static void put_signed(struct str *out, int64_t number)
{
	uint64_t size = (uint64_t)(number < 0 ? ~number : number);
	unsigned char byte[SIGNED_MOST];
	int len = 1;

	while (len < SIGNED_MOST && size >> (7 * len - 1))
		len++;
	for (int i = 0; i < len; i++) {
		int shift = 8 * (len - 1 - i);

		byte[i] = shift < 64 ? (unsigned char)((uint64_t)number >> shift)
		                     : (unsigned char)(number < 0 ? 0xff : 0);
	}
	for (int i = 0; i < len; i++)
		byte[i / 8] ^= (unsigned char)(0x80 >> i % 8);
	str_put(out, (const char *)byte, (size_t)len);
}

void put_slice_key(struct str *out, struct text name, uint32_t rank, const int64_t *start,
                   const int64_t *length)
{
	put_unsigned(out, 0);
	for (size_t i = 0; i < name.len; i++) {
		str_putc(out, name.at[i]);
		if (name.at[i] == '\0')
			str_putc(out, '\xff');
		else if (name.at[i] == '\xff')
			str_putc(out, '\0');
	}
	str_put(out, "\0\1", 2);
	put_unsigned(out, rank);
	for (uint32_t k = 0; k < rank; k++) {
		put_signed(out, start[k]);
		put_signed(out, length[k]);
	}
}
