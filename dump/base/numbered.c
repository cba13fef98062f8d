#include "dump/base/numbered.h"

#include <stdbool.h>
#include <string.h>

enum { FEW = 64 };               /* are inserted one by one */

static bool is_sorted(const struct numbered *rows, size_t n)
{
	for (size_t i = 1; i < n; i++)
		if (rows[i - 1].key > rows[i].key)
			return false;
	return true;
}

static void insert_each(struct numbered *rows, size_t n)
{
	for (size_t i = 1; i < n; i++) {
		struct numbered row = rows[i];
		size_t at = i;

		for (; at && rows[at - 1].key > row.key; at--)
			rows[at] = rows[at - 1];
		rows[at] = row;
	}
}

/* From the lowest byte up; bytes that all keys share are skipped. */
void numbered_sort(struct numbered *rows, struct numbered *other, size_t n)
{
	struct numbered *from = rows, *to = other;

	if (is_sorted(rows, n))
		return;
	if (n <= FEW) {
		insert_each(rows, n);
		return;
	}
	for (int shift = 0; shift < 64; shift += 8) {
		size_t count[256] = {0}, sum = 0;
		struct numbered *swap;

		for (size_t i = 0; i < n; i++)
			count[from[i].key >> shift & 0xff]++;
		if (count[from[0].key >> shift & 0xff] == n)
			continue;
		for (int b = 0; b < 256; b++) {
			size_t here = count[b];

			count[b] = sum;
			sum += here;
		}
		for (size_t i = 0; i < n; i++)
			to[count[from[i].key >> shift & 0xff]++] = from[i];
		swap = from;
		from = to;
		to = swap;
	}
	if (from != rows)
		memcpy(rows, from, n * sizeof *rows);
}
