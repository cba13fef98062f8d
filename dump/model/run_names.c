/*
 * What the texts name, in their order; where they show an object that names no tensor, what the
 * core metadata names and no text does stands in its place.
 */
#include "dump/model/run_names.h"

#include <string.h>

#include "dump/base/str.h"
#include "dump/format/json.h"
#include "dump/model/repr.h"

static bool read_list(struct json *json, struct arena *mem, struct names *out)
{
	if (!json_array(json))
		return false;
	while (json_more(json) && json_string(json))
		vec_push(&out->list, arena_copy(mem, str_text(&json->text),
		                                strlen(str_text(&json->text))));
	return !json->failed;
}

/* The numbers are called "count" up to TensorFlow 1.1. */
static bool read_item(struct json *json, struct arena *mem, struct core_metadata *out)
{
	const char *key = str_text(&json->key);

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

	*out = (struct core_metadata){ .global_step = -1, .session_run_index = -1,
	                               .executor_step_index = -1 };
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

/* Elements of a text, and what the core metadata has for them. */
struct naming {
	struct arena *mem;
	repr_elements elements;
	struct map told;                 /* what the elements name */
	struct names rest;               /* what they do not */
};

static void add_name(struct arena *mem, struct names *names, const char *text, size_t len)
{
	vec_push(&names->list, arena_copy(mem, text, len));
}

/* A resource variable "v:0" is fetched as "v/Read/ReadVariableOp:0". */
static void tell(struct naming *n, const struct repr_element *element)
{
	const char *colon = memchr(element->at, ':', element->len);
	struct str read = {0};

	map_add(&n->told, n->mem, element->at, element->len);
	if (!element->is_variable || !colon)
		return;
	str_put(&read, element->at, (size_t)(colon - element->at));
	str_puts(&read, "/Read/ReadVariableOp:0");
	map_add(&n->told, n->mem, read.text, read.len);
	str_release(&read);
}

static void tell_all(struct naming *n)
{
	for (size_t i = 0; i < n->elements.len; i++) {
		repr_elements tensors = {0};

		if (n->elements.at[i].kind == REPR_TEXT)
			repr_tensors(&n->elements.at[i], &tensors);
		else if (n->elements.at[i].kind != REPR_OBJECT)
			tell(n, &n->elements.at[i]);
		for (size_t k = 0; k < tensors.len; k++)
			tell(n, &tensors.at[k]);
		vec_release(&tensors);
	}
}

static void take_rest(struct naming *n, const struct names *names)
{
	for (size_t i = 0; i < names->list.len; i++)
		if (map_find(&n->told, names->list.at[i], strlen(names->list.at[i])) == MAP_NONE)
			vec_push(&n->rest.list, names->list.at[i]);
}

/* The first object stands for all the rest: whose tensor is whose is not recorded. */
static void put_names(struct naming *n, struct names *out)
{
	bool placed = false;

	for (size_t i = 0; i < n->elements.len; i++) {
		const struct repr_element *element = &n->elements.at[i];

		if (element->kind != REPR_OBJECT || !n->rest.list.len) {
			add_name(n->mem, out, element->at, element->len);
			continue;
		}
		for (size_t k = 0; !placed && k < n->rest.list.len; k++)
			vec_push(&out->list, n->rest.list.at[k]);
		placed = true;
	}
}

static void naming_release(struct naming *n)
{
	vec_release(&n->elements);
	vec_release(&n->rest.list);
	map_release(&n->told);
}

static void add_all(struct names *names, const struct names *more)
{
	for (size_t i = 0; i < more->list.len; i++)
		vec_push(&names->list, more->list.at[i]);
}

static void read_fetches(const char *text, const struct core_metadata *metadata, struct arena *mem,
                         struct run_names *out)
{
	struct naming n = { .mem = mem };

	if (text && !out->callable) {
		repr_values(text, &n.elements);
		tell_all(&n);
		take_rest(&n, &metadata->outputs);
		take_rest(&n, &metadata->targets);
		put_names(&n, &out->fetches);
		out->n_fetches = n.elements.len;
		out->single = n.elements.len == 1 && n.elements.at[0].is_alone &&
		              n.elements.at[0].kind == REPR_NAMED;
	} else {
		add_all(&out->fetches, &metadata->outputs);
		add_all(&out->fetches, &metadata->targets);
		out->n_fetches = out->fetches.list.len;
		out->single = out->n_fetches == 1;
	}
	naming_release(&n);
}

static void read_feeds(const char *text, const struct core_metadata *metadata, struct arena *mem,
                       struct run_names *out)
{
	struct naming n = { .mem = mem };

	if (text && !out->callable) {
		repr_keys(text, &n.elements);
		tell_all(&n);
		take_rest(&n, &metadata->inputs);
		put_names(&n, &out->feeds);
		out->n_feeds = n.elements.len;
	} else {
		add_all(&out->feeds, &metadata->inputs);
		out->n_feeds = out->feeds.list.len;
	}
	naming_release(&n);
}

void run_names_read(const struct run *run, struct arena *mem, struct run_names *out)
{
	struct core_metadata metadata = {0};

	if (run->metadata.len)
		core_metadata_read(run->metadata.at[run->metadata.len - 1], mem, &metadata);
	*out = (struct run_names){ .known = run->fetches || run->feeds || run->metadata.len };
	out->callable = run->metadata.len && run->fetches && run->feeds &&
	                !strcmp(run->fetches, "None") && !strcmp(run->feeds, "None");
	read_fetches(run->fetches, &metadata, mem, out);
	read_feeds(run->feeds, &metadata, mem, out);
	add_all(&out->inputs, &metadata.inputs);
	core_metadata_release(&metadata);
}

void run_names_release(struct run_names *names)
{
	vec_release(&names->fetches.list);
	vec_release(&names->feeds.list);
	vec_release(&names->inputs.list);
}

bool run_names_inside(const char *text, struct arena *mem, struct names *out)
{
	struct repr_element element = { .at = text, .len = strlen(text) };
	repr_elements tensors = {0};

	repr_tensors(&element, &tensors);
	for (size_t i = 0; i < tensors.len; i++)
		add_name(mem, out, tensors.at[i].at, tensors.at[i].len);
	vec_release(&tensors);
	return out->list.len > 0;
}
