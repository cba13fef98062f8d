#include "dump/summary/summary.h"

#include <inttypes.h>
#include <string.h>

/* Highest byte first, so that bytes sort as numbers do. */
static void put_number(struct str *out, uint64_t number, int bytes)
{
	while (bytes-- > 0)
		str_putc(out, (char)(number >> (8 * bytes)));
}

static void put_text(struct str *out, const char *text)
{
	str_put(out, text, strlen(text) + 1);
}

void summary_put_key(struct str *out, const struct summary_key *key)
{
	str_putc(out, (char)key->kind);
	put_text(out, key->worker);
	put_text(out, key->run);
	put_text(out, key->device);
	put_text(out, key->node);
	put_number(out, key->slot, 4);
	put_text(out, key->debug_op);
	put_number(out, key->number, 8);
}

/* What is left of a key. */
struct rest {
	const char *at;
	size_t len;
	bool cut;
};

static const char *take_text(struct rest *rest)
{
	const char *text = rest->at, *end = rest->len ? memchr(text, '\0', rest->len) : NULL;

	if (!end) {
		rest->cut = true;
		return "";
	}
	rest->len -= (size_t)(end + 1 - text);
	rest->at = end + 1;
	return text;
}

static uint64_t take_number(struct rest *rest, size_t bytes)
{
	uint64_t number = 0;

	if (rest->len < bytes) {
		rest->cut = true;
		return 0;
	}
	for (size_t i = 0; i < bytes; i++)
		number = number << 8 | (unsigned char)rest->at[i];
	rest->at += bytes;
	rest->len -= bytes;
	return number;
}

static bool is_kind(char letter)
{
	switch (letter) {
#define X(id, letter) case letter:
	SUMMARY_KINDS(X)
#undef X
		return true;
	default:
		return false;
	}
}

bool summary_read_key(const char *bytes, size_t len, struct summary_key *key)
{
	struct rest rest;

	if (!len || !is_kind(*bytes))
		return false;
	rest = (struct rest){ bytes + 1, len - 1, false };
	key->kind = (enum summary_kind)*bytes;
	key->worker = take_text(&rest);
	key->run = take_text(&rest);
	key->device = take_text(&rest);
	key->node = take_text(&rest);
	key->slot = (uint32_t)take_number(&rest, 4);
	key->debug_op = take_text(&rest);
	key->number = take_number(&rest, 8);
	if (key->kind == SUMMARY_SOURCE && (!key->number || key->number > key->slot))
		return false;
	return !rest.cut && !rest.len;
}

void summary_put_key_text(struct str *out, const struct summary_key *key)
{
	static const char *const names[] = {
		[SUMMARY_SOURCE] = "source", [SUMMARY_GRAPH] = "graph", [SUMMARY_RUN] = "run",
		[SUMMARY_DEVICE] = "device", [SUMMARY_PROBLEM] = "problem",
		[SUMMARY_EVENT] = "event", [SUMMARY_STEP] = "step", [SUMMARY_KERNEL] = "kernel",
		[SUMMARY_TENSOR] = "tensor", [SUMMARY_VALUE] = "value",
	};
	const char *parts[] = { key->worker, key->run, key->device, key->node, key->debug_op };

	str_puts(out, names[key->kind]);
	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
		if (!*parts[i])
			continue;
		str_fmt(out, " %s", parts[i]);
		if (parts[i] == key->node && key->kind == SUMMARY_VALUE)
			str_fmt(out, ":%" PRIu32, key->slot);
	}
	if (key->number)
		str_fmt(out, " %" PRIu64, key->number);
}

uint64_t summary_hash(uint64_t hash, const void *bytes, size_t len)
{
	const unsigned char *at = bytes;

	for (size_t i = 0; i < len; i++)
		hash = (hash ^ at[i]) * 0x100000001b3u;
	return hash;
}
