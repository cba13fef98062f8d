/* One HloInstructionProto, handed to the builder of a module. */
#include <string.h>

#include "dump/hlo/hlo_proto.h"
#include "dump/hlo/hlo_shape.h"

#define MISSING "(missing)"      /* the name of an operand that is not there */

/* Fields of OpMetadata. */
enum { META_TYPE = 1, META_NAME = 2, META_FILE = 3, META_LINE = 4, META_FRAME = 15 };

static void take_metadata(struct proto_reading *r, struct span span, struct new_instruction *new)
{
	struct field field;
	struct wire wire;

	wire_start(&wire, &r->file, span);
	while (wire_next(&wire, &field, &r->found))
		switch (field.number) {
		case META_TYPE: proto_take_text(r, &field, &r->op_type); break;
		case META_NAME: proto_take_text(r, &field, &r->op_name); break;
		case META_FILE: proto_take_text(r, &field, &r->source); break;
		case META_LINE: new->line = (uint32_t)field.number_value; break;
		case META_FRAME: new->frame = (uint32_t)field.number_value; break;
		}
}

static const char *name_of(const known_list *list, uint64_t id)
{
	const struct known *known = proto_find(list, id);

	return known ? known->name : MISSING;
}

/* What a list of ids stands for is handed to the builder. */
static void take_ids(struct proto_reading *r, const struct field *field, const known_list *list,
                     void (*take)(struct module_build *build, struct text name))
{
	uint64_t id, at = 0;

	while (wire_value(&r->file, field, WIRE_VARINT, &at, &id, &r->found))
		take(r->build, text_of_name(name_of(list, id)));
}

/* Text has the condition of a loop first. */
static void take_called(struct proto_reading *r, const struct field *field, bool is_loop)
{
	uint64_t id[2], at = 0;
	int n = 0;

	while (is_loop && n < 2 && wire_value(&r->file, field, WIRE_VARINT, &at, &id[n], &r->found))
		n++;
	if (n != 2 || at < field->bytes.len) {
		take_ids(r, field, &r->computations, module_build_called);
		return;
	}
	for (int i = 2; i-- > 0; )
		module_build_called(r->build, text_of_name(name_of(&r->computations, id[i])));
}

static void take_field(struct proto_reading *r, const struct field *field, const char *opcode,
                       struct new_instruction *new)
{
	switch (field->number) {
	case INSTRUCTION_SHAPE:
		str_reset(&r->shape);
		hlo_put_shape(&r->file, field->bytes, &r->shape, &r->found);
		break;
	case INSTRUCTION_METADATA: take_metadata(r, field->bytes, new); break;
	case INSTRUCTION_FUSION_KIND:
		if (!strcmp(opcode, "fusion"))
			proto_take_text(r, field, &r->kind);
		break;
	case INSTRUCTION_TARGET:
		if (!strcmp(opcode, "custom-call"))
			proto_take_text(r, field, &r->kind);
		break;
	case INSTRUCTION_OPERANDS:
		take_ids(r, field, &r->instructions, module_build_operand);
		break;
	case INSTRUCTION_CONTROLS:
		take_ids(r, field, &r->instructions, module_build_control);
		break;
	case INSTRUCTION_CALLED: take_called(r, field, !strcmp(opcode, "while")); break;
	}
}

/* The last text in a field; "" if there is none. */
static const char *text_in(struct proto_reading *r, struct span span, uint32_t number,
                           struct arena *mem)
{
	const char *text = "";
	struct field field;
	struct wire wire;

	wire_start(&wire, &r->file, span);
	while (wire_next(&wire, &field, &r->found))
		if (field.number == number)
			text = proto_keep_text(r, &field, mem);
	return text;
}

static void reset(struct proto_reading *r)
{
	str_reset(&r->shape);
	str_reset(&r->op_type);
	str_reset(&r->op_name);
	str_reset(&r->source);
	str_reset(&r->kind);
}

void proto_build_instruction(struct proto_reading *r, const struct known *known, uint64_t root)
{
	struct new_instruction new = { .off = known->span.off, .len = known->span.len };
	const char *opcode = text_in(r, known->span, INSTRUCTION_OPCODE, &r->names);
	struct field field;
	struct wire wire;

	reset(r);
	wire_start(&wire, &r->file, known->span);
	while (!r->found.code && wire_next(&wire, &field, &r->found))
		take_field(r, &field, opcode, &new);
	if (r->found.code) {
		proto_note_found(r);
		module_build_forget(r->build);
		return;
	}
	new.name = text_of_name(known->name);
	new.opcode = text_of_name(opcode);
	new.shape = text_of(&r->shape);
	new.op_type = text_of(&r->op_type);
	new.op_name = text_of(&r->op_name);
	new.file = text_of(&r->source);
	new.kind = text_of(&r->kind);
	new.is_root = known->id == root;
	if (module_build_instruction(r->build, &new))
		return;
	err_fill(&r->found, ERR_FORMAT, r->file.path, known->span.off,
	         "a second instruction of the name '%.200s'", known->name);
	proto_note_found(r);
}
