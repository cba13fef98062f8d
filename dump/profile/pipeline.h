#ifndef DUMP_PIPELINE_H
#define DUMP_PIPELINE_H

#include "dump/base/map.h"
#include "dump/base/vec.h"
#include "dump/profile/activity.h"

/*
 * Stages of an input pipeline: iterators of tf.data, and ops that read, decode, queue or feed. An
 * op in which the program waits for what comes out is none. Source: the categories of XProf's input
 * pipeline analyzer; those of ops by their types are ours.
 */
#define STAGE_CATEGORIES(X) \
	X(READ, "read") X(PREPROCESS, "preprocess") X(ENQUEUE, "enqueue") X(OTHER, "other")
enum stage_category {
#define X(id, name) STAGE_##id,
	STAGE_CATEGORIES(X)
#undef X
	N_STAGE_CATEGORIES
};
extern const char *const stage_category_names[N_STAGE_CATEGORIES];

struct input_stage {
	const char *name;
	enum stage_category category;
	uint64_t count;
	int64_t total_ns, self_ns;
};
struct stages {
	VEC(struct input_stage) at;
	struct map names;
	struct arena mem;
};

void stages_add(struct stages *stages, const struct activities *acts);
void stages_release(struct stages *stages);

#endif
