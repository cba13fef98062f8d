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

/* Takes the string at text, unless it is the key of a dictionary; what follows it. */
static const char *take_string(const char *text, struct arena *mem, struct names *out)
{
	const char *end = end_of_string(text);

	if (!*end || end[1] != ':')
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

static bool read_list(struct json *json, struct arena *mem, struct names *out)
{
	if (!json_array(json))
		return false;
	while (json_more(json) && json_string(json))
		vec_push(&out->list, arena_copy(mem, str_text(&json->text), strlen(str_text(&json->text))));
	return !json->failed;
}

/* The numbers are called "count" up to TensorFlow 1.1. */
static bool read_item(struct json *json, struct arena *mem, struct core_metadata *out)
{
	const char *key = json->key.text;

	if (!strcmp(key, "input_names"))
		return read_list(json, mem, &out->inputs);
	if (!strcmp(key, "output_names"))
		return read_list(json, mem, &out->outputs);
	if (!strcmp(key, "target_nodes"))
		return read_list(json, mem, &out->targets);
	if (!strcmp(key, "global_step"))
		return json_whole(json, &out->global_step);
	if (!strcmp(key, "session_run_index") || !strcmp(key, "session_run_count"))
		return json_whole(json, &out->session_run_index);
	if (!strcmp(key, "executor_step_index") || !strcmp(key, "executor_step_count"))
		return json_whole(json, &out->executor_step_index);
	return json_skip(json);
}

void core_metadata_read(const char *text, struct arena *mem, struct core_metadata *out)
{
	struct err err = {0};
	struct json json;

	*out = (struct core_metadata){ .global_step = -1, .session_run_index = -1, .executor_step_index = -1 };
	json_start_text(&json, text, strlen(text), &err);
	if (json_object(&json))
		while (json_more(&json) && read_item(&json, mem, out))
			;
	out->readable = !json.failed;
	json_release(&json);
}

void core_metadata_release(struct core_metadata *metadata)
{
	vec_release(&metadata->inputs.list);
	vec_release(&metadata->outputs.list);
	vec_release(&metadata->targets.list);
}

/* The core metadata names what was fetched, run without being fetched, and fed. */
static void take_metadata(const char *text, struct arena *mem, struct run_names *out)
{
	struct core_metadata metadata;

	core_metadata_read(text, mem, &metadata);
	for (size_t i = 0; i < metadata.outputs.list.len; i++)
		vec_push(&out->fetches.list, metadata.outputs.list.at[i]);
	for (size_t i = 0; i < metadata.targets.list.len; i++)
		vec_push(&out->fetches.list, metadata.targets.list.at[i]);
	for (size_t i = 0; i < metadata.inputs.list.len; i++)
		vec_push(&out->feeds.list, metadata.inputs.list.at[i]);
	core_metadata_release(&metadata);
}

/* Does the repr begin as that of a list, a dictionary, a tuple, or with a type's name and "("? */
static bool is_single(const char *repr)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.";

	return *repr && !strchr("[({", *repr) && repr[strspn(repr, letters)] != '(';
}

void run_names_read(const struct run *run, struct arena *mem, struct run_names *out)
{
	*out = (struct run_names){ .known = run->fetches || run->feeds || run->metadata.len };
	if (!run->fetches && !run->feeds) {
		if (run->metadata.len)
			take_metadata(run->metadata.at[run->metadata.len - 1], mem, out);
		out->single = out->fetches.list.len == 1;
		return;
	}
	out->callable = run->metadata.len && run->fetches && run->feeds && !strcmp(run->fetches, "None") &&
	                !strcmp(run->feeds, "None");
	if (run->fetches) {
		read_repr(run->fetches, mem, &out->fetches);
		out->single = is_single(run->fetches) && out->fetches.list.len == 1;
	}
	if (run->feeds)
		read_repr(run->feeds, mem, &out->feeds);
}

void run_names_release(struct run_names *names)
{
	vec_release(&names->fetches.list);
	vec_release(&names->feeds.list);
}
