#ifndef DUMP_HLO_PROTO_H
#define DUMP_HLO_PROTO_H

#include "dump/base/progress.h"
#include "dump/base/str.h"
#include "dump/format/wire.h"
#include "dump/hlo/hlo_order.h"
#include "dump/model/module_build.h"

/* What hlo_proto.c, hlo_instruction.c and hlo_proto_attrs.c share. Nobody else includes it. */

/* Fields of HloInstructionProto. */
enum {
	INSTRUCTION_NAME = 1, INSTRUCTION_OPCODE = 2, INSTRUCTION_SHAPE = 3,
	INSTRUCTION_METADATA = 7, INSTRUCTION_PARAMETER = 9, INSTRUCTION_FUSION_KIND = 11,
	INSTRUCTION_INDEX = 13, INSTRUCTION_DIMENSIONS = 14, INSTRUCTION_SLICES = 17,
	INSTRUCTION_PADDING = 21, INSTRUCTION_CHANNEL = 26, INSTRUCTION_TARGET = 28,
	INSTRUCTION_ID = 35, INSTRUCTION_OPERANDS = 36, INSTRUCTION_CONTROLS = 37,
	INSTRUCTION_CALLED = 38, INSTRUCTION_BACKEND = 43, INSTRUCTION_DIRECTION = 63,
};

/* What an id stands for: a name, and where its message is. */
struct known {
	uint64_t id;
	const char *name;
	struct span span;
	size_t order;            /* in the file */
};
typedef VEC(struct known) known_list;

/* A computation. */
struct head {
	const char *name;
	uint64_t id, root;
	struct span span;
};

struct proto_reading {
	struct file file;
	struct progress *progress;
	struct module_build *build;
	struct err *damage;              /* the first one counts */
	struct err found;
	struct str scratch, shape, op_type, op_name, source, kind;
	known_list computations;         /* by id */
	VEC(struct head) computation;    /* in file order */
	hlo_calls calls;
	known_list sequences;            /* of the schedule; by id of the computation */
	uint64_t entry_id;
	struct str entry;                /* its name */
	struct span frames;
	/* Of one computation. */
	known_list instructions;         /* by id */
	VEC(size_t) order;               /* of the instructions, by position in that list */
	struct arena names;
	struct arena mem;
};

static inline struct text text_of(const struct str *text)
{
	return (struct text){ str_text(text), text->len };
}

static inline struct text text_of_name(const char *name)
{
	return (struct text){ name, strlen(name) };
}

/* Keeps r->found, if it is the first, and goes on without what it is of. */
void proto_note_found(struct proto_reading *r);
/* The first of this id; NULL: there is none. */
const struct known *proto_find(const known_list *list, uint64_t id);
/* Takes a text field as it is; what is no text is passed over. */
void proto_take_text(struct proto_reading *r, const struct field *field, struct str *out);
const char *proto_keep_text(struct proto_reading *r, const struct field *field, struct arena *mem);

/* What is damaged in an instruction costs the instruction. */
void proto_build_instruction(struct proto_reading *r, const struct known *known, uint64_t root);

module_attrs hlo_proto_attrs;

#endif
