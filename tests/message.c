#include "tests/message.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "dump/format/crc32c.h"
#include "tests/input.h"
#include "tests/program.h"

void put_varint(struct str *out, uint64_t value)
{
	for (; value >= 0x80; value >>= 7)
		str_putc(out, (char)(value | 0x80));
	str_putc(out, (char)value);
}

void put_fixed(struct str *out, uint64_t value, int size)
{
	for (int i = 0; i < size; i++)
		str_putc(out, (char)(value >> (8 * i)));
}

void put_number(struct str *out, uint32_t field, uint64_t value)
{
	put_varint(out, (uint64_t)field << 3);
	put_varint(out, value);
}

void put_bytes(struct str *out, uint32_t field, const void *bytes, size_t len)
{
	put_varint(out, (uint64_t)field << 3 | 2);
	put_varint(out, len);
	str_put(out, bytes, len);
}

void put_message(struct str *out, uint32_t field, const struct str *message)
{
	put_bytes(out, field, str_text(message), message->len);
}

void put_tfrecord(struct str *out, const void *payload, size_t len)
{
	struct str head = {0};

	put_fixed(&head, len, 8);
	put_fixed(&head, crc32c_masked(crc32c(0, head.text, 8)), 4);
	str_put(out, head.text, head.len);
	str_put(out, payload, len);
	put_fixed(out, crc32c_masked(crc32c(0, payload, len)), 4);
	str_release(&head);
}

void put_node_def(struct str *out, const char *name, const char *op, const char *inputs,
                  const char *device)
{
	struct str node = {0};

	put_bytes(&node, 1, name, strlen(name));
	put_bytes(&node, 2, op, strlen(op));
	while (*inputs) {
		size_t len = strcspn(inputs, " ");

		put_bytes(&node, 3, inputs, len);
		inputs += len + (inputs[len] == ' ');
	}
	if (*device)
		put_bytes(&node, 4, device, strlen(device));
	put_message(out, 1, &node);
	str_release(&node);
}

void put_tensor_head(struct str *out, uint64_t dtype, uint32_t rank, const int64_t *dim)
{
	struct str shape = {0};

	put_number(out, 1, dtype);
	for (uint32_t i = 0; i < rank; i++) {
		struct str one = {0};

		if (dim[i])
			put_number(&one, 1, (uint64_t)dim[i]);
		put_message(&shape, 2, &one);
		str_release(&one);
	}
	put_message(out, 2, &shape);
	str_release(&shape);
}

void put_event(struct str *out, const struct str *tensor)
{
	struct str value = {0}, summary = {0};

	put_bytes(&value, 1, "a", 1);
	put_message(&value, 8, tensor);
	put_message(&summary, 1, &value);
	put_message(out, 5, &summary);
	str_release(&value);
	str_release(&summary);
}

static char *dir;
static pid_t owner;

static void remove_dir(void)
{
	if (owner == getpid())
		scratch_remove(dir);
}

const char *file_of(const void *bytes, size_t len)
{
	static struct str path;
	FILE *f;

	if (!dir) {
		dir = scratch_new();
		owner = getpid();
		atexit(remove_dir);
		str_fmt(&path, "%s/message", dir);
	}
	f = fopen(path.text, "w");
	MUST(f && fwrite(bytes, 1, len, f) == len);
	MUST(fclose(f) == 0);
	return path.text;
}
