#ifndef DUMP_TFPROF_PARTS_H
#define DUMP_TFPROF_PARTS_H

#include "dump/base/str.h"
#include "dump/format/file.h"
#include "dump/format/wire.h"
#include "dump/tfprof/tfprof.h"

/* What the readers of tfprof's inputs share; nobody else includes it. */

/* An op type that a node has beside what it is and where it ran. */
struct extra_type {
	uint32_t node, type;
};

struct tfprof_builder {
	struct tfprof *tfprof;
	const struct tfprof_files *files;
	struct file file;                /* being read */
	struct str scratch, key;
	VEC(int64_t) dims;               /* of a shape */
	VEC(struct extra_type) extra_types;
	struct map frame_keys;
	struct progress *progress;
	struct err found;                /* the latest; here, as clearing one each time is slow */
	struct err *damage;              /* the first one counts; may be NULL */
};

/* Keeps b->found as the damage if it is the first. */
void tfprof_note_damage(struct tfprof_builder *b);
/* A text of the file, as wire_name gives it. */
bool tfprof_read_text(struct tfprof_builder *b, struct file *file, struct span span,
                      struct name *name);

/* A node of this name; a new one has no op yet. */
uint32_t tfprof_add_node(struct tfprof_builder *b, const char *name, size_t len, bool *is_new);
/* The shape in b->dims. */
uint32_t tfprof_add_shape(struct tfprof_builder *b);
/* An entry of a node's map of attributes; longer keys than any that matters are "". */
enum { TFPROF_KEY_MAX = 16 };
bool tfprof_read_entry(struct tfprof_builder *b, struct span span, char key[TFPROF_KEY_MAX],
                       struct span *value);
/* An attribute that matters to the profiler. Outputs go to the end of their list. */
bool tfprof_read_attr(struct tfprof_builder *b, struct file *file, struct tfprof_node *node,
                      const char *key, struct span value);
/* The exec of a node for this step, now its last: the present last one, or a new one. */
uint32_t tfprof_exec_in(struct tfprof *tfprof, uint32_t node, int64_t step);
void tfprof_exec_put(struct tfprof *tfprof, uint32_t at, const struct tfprof_exec *exec);

/*
 * Reads a graph, step, op log or profile. False: b->found says that it can't be read, or a cancel.
 */
bool tfprof_read_graph(struct tfprof_builder *b);
/* Resolves the names of inputs, when all nodes are known. */
bool tfprof_read_inputs(struct tfprof_builder *b);
/* Float operations by formulas, where no op log says them. */
bool tfprof_find_float_ops(struct tfprof_builder *b, const struct tfprof_files *files);
/* Calls read for each node of the graph with its number, which is ours too, and its NodeDef. */
bool tfprof_for_nodes(struct tfprof_builder *b,
                      void (*read)(struct tfprof_builder *, uint32_t, struct span));
bool tfprof_read_step(struct tfprof_builder *b, const struct tfprof_step *step);
bool tfprof_read_op_log(struct tfprof_builder *b, struct op_log *log);
bool tfprof_read_profile(struct tfprof_builder *b, struct profile_proto *proto);
/* Shapes that the graph leaves open, as a step had them: changes the model's outputs. */
bool tfprof_fill_shapes(struct tfprof_builder *b, const struct tfprof_step *step);
bool tfprof_watch_metadata(struct tfprof_builder *b, const struct tfprof_step *step,
                           struct tfprof_watch *watch);
bool tfprof_watch_profile(struct tfprof_builder *b, struct profile_proto *proto,
                          struct tfprof_watch *watch);

void tfprof_add_stack(struct tfprof_builder *b, uint32_t node, const struct code_frame *frames,
                      size_t n);
void tfprof_add_type(struct tfprof_builder *b, uint32_t node, const char *type);

/* A varint, with its sign. */
static inline int64_t tfprof_number(const struct field *field)
{
	return field->type == WIRE_VARINT ? (int64_t)field->number_value : 0;
}

#endif
