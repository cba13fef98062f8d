#include "dump/profile/pipeline.h"

#include <stdbool.h>
#include <string.h>

#include "dump/base/mem.h"

#define X(id, name) name,
const char *const stage_category_names[] = { STAGE_CATEGORIES(X) };
#undef X

static bool begins(const char *text, const char *with)
{
	return !strncmp(text, with, strlen(with));
}

static bool ends(const char *text, size_t len, const char *with)
{
	size_t n = strlen(with);

	return len >= n && !memcmp(text + len - n, with, n);
}

/* "Iterator::Root::TFRecord", and what stands behind a '#' */
static enum stage_category category_of_iterator(const char *name)
{
	static const char *const readers[] = {
		"::TFRecord", "::TextLine", "::FixedLengthRecord", "::SSTable", "::RecordIO",
	};
	size_t len = strcspn(name, "#");

	for (size_t i = 0; i < sizeof readers / sizeof *readers; i++)
		if (ends(name, len, readers[i]))
			return STAGE_READ;
	return STAGE_PREPROCESS;
}

/* Ops of graphs that were fed without tf.data, by how their types begin. */
static const struct { const char *type; enum stage_category category; } types[] = {
	{ "InfeedEnqueue", STAGE_ENQUEUE }, { "QueueEnqueue", STAGE_ENQUEUE },
	{ "ReaderRead", STAGE_READ }, { "ReadFile", STAGE_READ },
	{ "Decode", STAGE_PREPROCESS }, { "ParseExample", STAGE_PREPROCESS },
	{ "ParseSingleExample", STAGE_PREPROCESS }, { "ParseSequenceExample", STAGE_PREPROCESS },
	{ "enumerate(DataLoader)", STAGE_OTHER },
};

/* False: it is no stage. */
static bool category_of(const char *type, const char *node, enum stage_category *out)
{
	const char *sign = *type ? type : node;

	if (!strcmp(type, "Dataset")) {
		*out = category_of_iterator(node);
		return true;
	}
	for (size_t i = 0; i < sizeof types / sizeof *types; i++)
		if (begins(sign, types[i].type)) {
			*out = types[i].category;
			return true;
		}
	return false;
}

void stages_add(struct stages *stages, const struct activities *acts)
{
	for (size_t i = 0; i < acts->at.len; i++) {
		const struct activity *a = &acts->at.at[i];
		const char *node = acts->names.key[a->node];
		enum stage_category category;
		struct input_stage *stage;
		uint32_t id;

		if (a->kind != ACTIVITY_HOST
		    || !category_of(acts->names.key[a->op], node, &category))
			continue;
		id = map_add(&stages->names, &stages->mem, node, strcspn(node, "#"));
		if (id == stages->at.len)
			*vec_add(&stages->at) = (struct input_stage){
				.name = stages->names.key[id], .category = category };
		stage = &stages->at.at[id];
		stage->count++;
		stage->total_ns += a->len_ns;
		stage->self_ns += activity_own_ns(a);
	}
}

void stages_release(struct stages *stages)
{
	vec_release(&stages->at);
	map_release(&stages->names);
	arena_release(&stages->mem);
}
