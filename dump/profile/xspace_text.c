#include "dump/profile/xspace_parts.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

/* Case differs between versions. */
static const struct { const char *name; enum stat_kind stat; } stat_names[] = {
	{ "hlo_op", STAT_HLO_OP }, { "annotation", STAT_ANNOTATION }, { "tf_op", STAT_TF_OP },
	{ "kernel_details", STAT_KERNEL }, { "memcpy_details", STAT_MEMCPY },
	{ "memset_details", STAT_MEMSET }, { "memalloc_details", STAT_MEMORY },
	{ "memfree_details", STAT_MEMORY }, { "memoryresidency_details", STAT_MEMORY },
	{ "correlation_id", STAT_CORRELATION }, { "step_num", STAT_STEP },
	{ "profile_start_time", STAT_START }, { "flops", STAT_FLOPS },
	{ "bytes_accessed", STAT_ACCESSED }, { "theoretical_occupancy_pct", STAT_OCCUPANCY },
	{ "allocator_name", STAT_ALLOCATOR }, { "allocation_bytes", STAT_SIZE },
	{ "bytes_allocated", STAT_IN_USE }, { "bytes_reserved", STAT_RESERVED },
	{ "addr", STAT_ADDRESS }, { "address", STAT_ADDRESS },
	{ "fragmentation", STAT_FRAGMENTATION }, { "data_type", STAT_DTYPE },
	{ "tensor_shapes", STAT_SHAPE }, { "peak_teraflops_per_second", STAT_PEAK_TERAFLOPS },
	{ "peak_hbm_bw_gigabytes_per_second", STAT_PEAK_GIGABYTES },
	{ "memory_bandwidth", STAT_BANDWIDTH },
};

enum stat_kind stat_of_name(struct text name)
{
	for (size_t i = 0; i < sizeof stat_names / sizeof *stat_names; i++)
		if (name.len == strlen(stat_names[i].name) &&
		    !strncasecmp(name.at, stat_names[i].name, name.len))
			return stat_names[i].stat;
	return STAT_OTHER;
}

void split_op(struct text text, struct text *node, struct text *type)
{
	size_t at = text.len;

	while (at && text.at[at - 1] != ':')
		at--;
	*node = at ? (struct text){ text.at, at - 1 } : text;
	*type = at ? (struct text){ text.at + at, text.len - at } : (struct text){ "", 0 };
}

/* The text up to a mark, which is taken from *rest with it. */
static struct text take_until(struct text *rest, const char *mark)
{
	const char *at = rest->len ? memmem(rest->at, rest->len, mark, strlen(mark)) : NULL;
	struct text part = { rest->at, at ? (size_t)(at - rest->at) : rest->len };
	size_t taken = at ? part.len + strlen(mark) : rest->len;

	*rest = (struct text){ rest->at + taken, rest->len - taken };
	return part;
}

struct text innermost_frame(struct text annotation)
{
	struct text found = { "", 0 };

	while (annotation.len) {
		struct text frame = take_until(&annotation, "::");
		struct text name = take_until(&frame, "#");

		if (name.len)
			found = name;
	}
	return found;
}

/* Details: words "key:value" between blanks or newlines. */

static bool is_blank(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

static struct text next_word(struct text *rest)
{
	size_t n = 0;
	struct text word;

	while (rest->len && is_blank(*rest->at)) {
		rest->at++;
		rest->len--;
	}
	while (n < rest->len && !is_blank(rest->at[n]))
		n++;
	word = (struct text){ rest->at, n };
	*rest = (struct text){ rest->at + n, rest->len - n };
	return word;
}

/* The value of the first word with this key, if it is made of digits and commas; else len 0. */
static struct text value_of(struct text details, const char *key)
{
	size_t n = strlen(key);

	while (details.len) {
		struct text word = next_word(&details), value;

		if (word.len <= n || memcmp(word.at, key, n) != 0 || word.at[n] != ':')
			continue;
		value = (struct text){ word.at + n + 1, word.len - n - 1 };
		for (size_t i = 0; i < value.len; i++)
			if (!is_digit(value.at[i]) && value.at[i] != ',' && value.at[i] != '.')
				return (struct text){ "", 0 };
		return value;
	}
	return (struct text){ "", 0 };
}

/* False: it is not said, or no number. */
static bool number_of(struct text details, const char *key, int64_t *out)
{
	struct text value = value_of(details, key);

	*out = 0;
	for (size_t i = 0; i < value.len; i++)
		if (!is_digit(value.at[i]) || __builtin_mul_overflow(*out, 10, out) ||
		    __builtin_add_overflow(*out, value.at[i] - '0', out))
			return false;
	return value.len;
}

static void put_word(struct str *out, const char *key, struct text value)
{
	if (!value.len)
		return;
	str_fmt(out, "%s%s:", out->len ? " " : "", key);
	str_put(out, value.at, value.len);
}

static void put_shared(struct str *out, struct text details)
{
	static const char *const keys[] = { "static_shared", "dynamic_shared", "shm", "group_mem" };
	int64_t sum = 0, bytes;
	bool said = false;

	for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
		if (!number_of(details, keys[i], &bytes))
			continue;
		if (__builtin_add_overflow(sum, bytes, &sum))
			return;
		said = true;
	}
	if (said)
		str_fmt(out, "%sshm:%lld", out->len ? " " : "", (long long)sum);
}

void put_launch_of(struct str *out, struct text details)
{
	int64_t regs;

	str_reset(out);
	if (number_of(details, "regs", &regs))
		str_fmt(out, "regs:%lld", (long long)regs);
	put_shared(out, details);
	put_word(out, "grid", value_of(details, "grid"));
	put_word(out, "block", value_of(details, "block"));
	put_word(out, "occ_pct", value_of(details, "occ_pct"));
}

int64_t bytes_of_copy(struct text details)
{
	int64_t bytes;

	return number_of(details, "size", &bytes) || number_of(details, "num_bytes", &bytes) ? bytes
	                                                                                     : -1;
}

/* Names. */

static bool is_one_of(char c, const char *others)
{
	return isascii((unsigned char)c) && (isalnum((unsigned char)c) || (c && strchr(others, c)));
}

static bool begins_type(char c)
{
	return (c >= 'A' && c <= 'Z') || c == '_';
}

/* "NODE:Type" as TensorFlow recognises it. */
static bool is_op_name(struct text name)
{
	size_t colon = 0;

	if (!name.len || !is_one_of(*name.at, "."))
		return false;
	while (colon < name.len && is_one_of(name.at[colon], "_./>-"))
		colon++;
	if (colon + 1 >= name.len || name.at[colon] != ':' || !begins_type(name.at[colon + 1]))
		return false;
	for (size_t i = colon + 1; i < name.len; i++)
		if (!is_one_of(name.at[i], "_"))
			return false;
	return true;
}

static bool begins(struct text name, const char *with)
{
	return name.len >= strlen(with) && !memcmp(name.at, with, strlen(with));
}

static bool is(struct text name, const char *text)
{
	return name.len == strlen(text) && begins(name, text);
}

enum event_kind host_event_kind(struct text name)
{
	if (is(name, "MemoryAllocation"))
		return EVENT_ALLOCATION;
	if (is(name, "MemoryDeallocation"))
		return EVENT_DEALLOCATION;
	return begins(name, "Iterator::") ? EVENT_ITERATOR : is_op_name(name) ? EVENT_OP
	                                                                     : EVENT_OTHER;
}
