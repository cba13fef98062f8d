#include "dump/profile/trace_event.h"

#include <string.h>

_Static_assert(N_EVENT_FIELDS <= 64, "has is a set of bits");

static const struct { const char *key; uint8_t len; } names[] = {
#define X(id, key) { key, sizeof key - 1 },
	EVENT_KEYS(X)
	EVENT_ARGS(X)
#undef X
};

static bool is_same(const char *a, const char *lower, size_t len)
{
	for (size_t i = len; i-- > 0; )
		if (a[i] != lower[i] && !(a[i] >= 'A' && a[i] <= 'Z' && a[i] + 32 == lower[i]))
			return false;
	return true;
}

static int key_of(const char *key, size_t len)
{
	for (int i = 0; i < EVENT_FIRST_ARG; i++)
		if (names[i].len == len && *names[i].key == *key && !memcmp(names[i].key, key, len))
			return i;
	return -1;
}

static int arg_of(const char *key, size_t len)
{
	for (int i = EVENT_FIRST_ARG; i < N_EVENT_FIELDS; i++)
		if (names[i].len == len && is_same(key, names[i].key, len))
			return i;
	return -1;
}

/* Where a value is becomes known with the end of the event: what is kept may move until then. */
static void put(struct trace_event *event, int field, const struct pull_value *value)
{
	event->field[field] = (struct event_value){
		.at = (const char *)(uintptr_t)value->at, .len = value->len, .kind = value->kind,
		.coded = value->coded,
	};
	event->has |= UINT64_C(1) << field;
}

static bool read_args(struct pull *pull, struct trace_event *event)
{
	struct pull_value key, value;

	while (pull_more(pull, '}')) {
		struct text text;
		int field;

		if (!pull_key(pull, &key))
			return false;
		text = pull_bytes(pull, &key);
		field = arg_of(text.at, text.len);
		if (!pull_value(pull, &value) || !pull_skip(pull, &value))
			return false;
		if (field >= 0)
			put(event, field, &value);
	}
	return !pull->broken;
}

static bool read_field(struct pull *pull, struct trace_event *event)
{
	struct pull_value key, value;
	struct text text;
	bool is_args;
	int field;

	if (!pull_key(pull, &key))
		return false;
	text = pull_bytes(pull, &key);
	field = key_of(text.at, text.len);
	is_args = text.len == 4 && !memcmp(text.at, "args", 4);
	if (!pull_value(pull, &value))
		return false;
	if (is_args) {
		event->has &= (UINT64_C(1) << EVENT_FIRST_ARG) - 1;
		event->has_args = value.kind == PULL_OBJECT;
		if (event->has_args)
			return read_args(pull, event);
	}
	if (!pull_skip(pull, &value))
		return false;
	if (field >= 0)
		put(event, field, &value);
	return true;
}

bool trace_event_read(struct pull *pull, const struct pull_value *value, struct trace_event *event)
{
	struct pull_value whole = *value;
	struct text text;

	event->has = 0;
	event->has_args = false;
	while (pull_more(pull, '}'))
		if (!read_field(pull, event))
			return false;
	if (pull->broken)
		return false;
	whole.len = 0;
	text = pull_bytes(pull, &whole);
	event->begin = text.at;
	event->len = (uint32_t)pull_kept_len(pull) - value->at;
	for (uint64_t has = event->has; has; has &= has - 1) {
		int i = __builtin_ctzll(has);

		event->field[i].at = text.at - value->at + (uintptr_t)event->field[i].at;
	}
	return true;
}
