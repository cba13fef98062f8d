#ifndef DUMP_MODULE_BUILD_H
#define DUMP_MODULE_BUILD_H

#include "dump/base/text.h"
#include "dump/format/file.h"
#include "dump/model/module.h"

/*
 * A module is made piece by piece, by whoever reads one: a computation, its instructions, each
 * after its operands and what it calls. Texts are copied. Names may be used before what they name
 * is there.
 */
struct module_build;

/* attrs: as module->attrs */
struct module_build *module_build_new(const struct file *file, module_attrs *attrs);
void module_build_drop(struct module_build *build);
/* Joins all by name. The graph is the caller's; build is gone. */
struct graph *module_build_end(struct module_build *build);

void module_build_name(struct module_build *build, struct text name);
void module_build_damaged(struct module_build *build);
uint32_t module_build_len(const struct module_build *build);     /* instructions so far */

void module_build_computation(struct module_build *build, struct text name, bool is_entry);

/* An empty text: not known. */
struct new_instruction {
	struct text name, opcode, shape, op_type, op_name, file;
	struct text kind;                /* more about the op: "kLoop"; the target of a call */
	uint32_t line, frame;
	bool is_root;
	uint64_t off, len;
};
/* Of the instruction that comes next. */
void module_build_operand(struct module_build *build, struct text name);
void module_build_control(struct module_build *build, struct text name);
void module_build_called(struct module_build *build, struct text name);
void module_build_forget(struct module_build *build);    /* it does not come */
/*
 * False: the computation has one of this name, or there is no computation. Then nothing is added.
 */
bool module_build_instruction(struct module_build *build, const struct new_instruction *new);

/* Tables of a stack, each with numbers from 1, in order; a number that is left out is empty. */
enum module_table { MODULE_FILES, MODULE_FUNCTIONS };
void module_build_text(struct module_build *build, enum module_table table, uint64_t number,
                       struct text text);
void module_build_location(struct module_build *build, uint64_t number, uint64_t file,
                           uint64_t function, uint64_t line);
void module_build_frame(struct module_build *build, uint64_t number, uint64_t location,
                        uint64_t parent);

void module_free(struct module *module); /* for graph_close */

#endif
