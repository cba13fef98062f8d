/* The elements end every message that is around them, so the file is one head and a hole. */
#include "tests/huge.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "tests/message.h"

/* The head of a field whose content ends `bytes` behind what inner holds of it. */
static void put_around(struct str *out, uint32_t field, const struct str *inner, uint64_t bytes)
{
	put_varint(out, field << 3 | 2);
	put_varint(out, (inner ? inner->len : 0) + bytes);
	if (inner)
		str_put(out, inner->text, inner->len);
}

static void put_head(struct str *event, const char *node, unsigned slot, uint32_t rank,
                     const int64_t *dim, uint64_t bytes)
{
	struct str tensor = {0}, key = {0}, value = {0}, summary = {0};
	double seconds = 1.5e9;

	put_tensor_head(&tensor, 1, rank, dim);
	put_around(&tensor, 4, NULL, bytes);
	str_fmt(&key, "%s:%u:DebugIdentity", node, slot);
	put_bytes(&value, 1, node, strlen(node));
	put_bytes(&value, 7, key.text, key.len);
	put_around(&value, 8, &tensor, bytes);
	put_around(&summary, 1, &value, bytes);
	str_putc(event, 1 << 3 | 1);
	str_put(event, (const char *)&seconds, sizeof seconds);
	put_around(event, 5, &summary, bytes);
	str_release(&tensor);
	str_release(&key);
	str_release(&value);
	str_release(&summary);
}

static bool put_file(FILE *file, const struct str *head, uint64_t bytes)
{
	float nan = (float)NAN;

	return fwrite(head->text, 1, head->len, file) == head->len && !fflush(file) &&
	       !ftruncate(fileno(file), (off_t)(head->len + bytes)) &&
	       !fseeko(file, -(off_t)sizeof nan, SEEK_END) &&
	       fwrite(&nan, sizeof nan, 1, file) == 1;
}

bool huge_write(const char *path, const char *node, unsigned slot, uint32_t rank,
                const int64_t *dim)
{
	uint64_t bytes = sizeof(float);
	struct str head = {0};
	FILE *file = fopen(path, "w");
	bool ok;

	for (uint32_t i = 0; i < rank; i++)
		bytes *= (uint64_t)dim[i];
	put_head(&head, node, slot, rank, dim, bytes);
	ok = file && put_file(file, &head, bytes);
	if (file && fclose(file))
		ok = false;
	str_release(&head);
	return ok;
}
