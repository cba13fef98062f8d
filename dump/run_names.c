/*
 * Names stand quoted in a repr: the first string behind "<tf.Tensor ", "<tf.Operation " or "<tf.Variable ", the first
 * behind "Tensor(", and plain strings. The rest of such an element (shapes, types) is passed over.
 */
#include "dump/run_names.h"

#include <string.h>

#include "dump/json.h"

static const struct { const char *begin; char end; } elements[] = {
	{ "<tf.Tensor ", '>' }, { "<tf.Operation ", '>' }, { "<tf.Variable ", '>' }, { "Tensor(", ')' },
};

static bool is_quote(char c)
{
	return c == '\'' || c == '"';
}

/* The quote that ends the string beginning at text, or the end of all. */
static const char *end_of_string(const char *text)
{
	const char *at = text + 1;

	while (*at && *at != *text)
		at += *at == '\\' && at[1] ? 2 : 1;
	return at;
}

/* Takes the string at text; what follows it. */
static const char *take_string(const char *text, struct arena *mem, struct names *out)
{
	const char *end = end_of_string(text);

	vec_push(&out->list, arena_copy(mem, text + 1, (size_t)(end - text - 1)));
	return *end ? end + 1 : end;
}

static const char *skip_to(const char *text, char c)
{
	const char *end = strchr(text, c);

	return end ? end + 1 : text + strlen(text);
}

/* An element that holds its name in quotes; what follows it, or NULL if none begins here. */
static const char *take_element(const char *text, struct arena *mem, struct names *out)
{
	for (size_t i = 0; i < sizeof elements / sizeof *elements; i++) {
		size_t len = strlen(elements[i].begin);

		if (strncmp(text, elements[i].begin, len))
			continue;
		text += len;
		if (is_quote(*text))
			text = take_string(text, mem, out);
		return skip_to(text, elements[i].end);
	}
	return NULL;
}

static void read_repr(const char *text, struct arena *mem, struct names *out)
{
	while (*text) {
		const char *after = take_element(text, mem, out);

		if (after)
			text = after;
		else if (is_quote(*text))
			text = take_string(text, mem, out);
		else
			text++;
	}
}

static void read_list(struct json *json, struct arena *mem, struct names *out)
{
	if (!json_array(json))
		return;
	while (json_more(json) && json_string(json))
		vec_push(&out->list, arena_copy(mem, str_text(&json->text), strlen(str_text(&json->text))));
}

/* The core metadata names what was fetched, run without being fetched, and fed. */
static void read_metadata(const char *text, struct arena *mem, struct run_names *out)
{
	struct err err = {0};
	struct json json;

	json_start_text(&json, text, strlen(text), &err);
	if (json_object(&json)) {
		while (json_more(&json)) {
			if (!strcmp(json.key.text, "output_names") || !strcmp(json.key.text, "target_nodes"))
				read_list(&json, mem, &out->fetches);
			else if (!strcmp(json.key.text, "input_names"))
				read_list(&json, mem, &out->feeds);
			else
				json_skip(&json);
		}
	}
	json_release(&json);
}

void run_names_read(const struct run *run, struct arena *mem, struct run_names *out)
{
	*out = (struct run_names){ .known = run->fetches || run->feeds || run->metadata.len };
	if (!run->fetches && !run->feeds) {
		if (run->metadata.len)
			read_metadata(run->metadata.at[run->metadata.len - 1], mem, out);
		return;
	}
	out->callable = run->metadata.len && run->fetches && run->feeds && !strcmp(run->fetches, "None") &&
	                !strcmp(run->feeds, "None");
	if (run->fetches)
		read_repr(run->fetches, mem, &out->fetches);
	if (run->feeds)
		read_repr(run->feeds, mem, &out->feeds);
}

void run_names_release(struct run_names *names)
{
	vec_release(&names->fetches.list);
	vec_release(&names->feeds.list);
}
