/*
 * XLA HLO: dumps against the answers of a reader that is not ours, texts made by hand, and damage
 * at every byte.
 */
#include "tests/suite.h"

#include <stdio.h>
#include <string.h>

#include "dump/hlo/hlo_shape.h"
#include "dump/base/path.h"
#include "dump/files/recognise.h"
#include "dump/hlo/hlo.h"
#include "dump/model/module.h"
#include "dump/profile/module_set.h"
#include "tests/hlo_walk.h"
#include "tests/message.h"
#include "tests/program.h"

#define DIR "testdata/hlo/"

static const char *const dumps[] = { "gpu_like", "jax_loop", "tf1_step", "tf2_step" };

static struct graph *open_text(const char *path)
{
	struct err err = {0}, damage = {0};
	struct graph *graph = hlo_text_open(path, NULL, &damage, &err);

	ck_assert_msg(graph && !damage.code, "%s: %s%s", path, err.msg, damage.msg);
	return graph;
}

static struct graph *open_message(const char *path)
{
	struct err err = {0}, damage = {0};
	struct graph *graph =
		hlo_proto_open(path, (struct span){ 0, UINT64_MAX }, NULL, &damage, &err);

	ck_assert_msg(graph && !damage.code, "%s: %s%s", path, err.msg, damage.msg);
	return graph;
}

static struct graph *open_whole(const char *path)
{
	return text_ends(path, ".pb") ? open_message(path) : open_text(path);
}

/* *damage says what was left out. */
static struct graph *open_made(const char *text, struct err *damage)
{
	struct err err = {0};
	struct graph *graph;

	*damage = (struct err){0};
	graph = hlo_text_open(file_of(text, strlen(text)), NULL, damage, &err);
	ck_assert_msg(graph, "%s", err.msg);
	return graph;
}

static struct graph *open_sound(const char *text)
{
	struct err damage;
	struct graph *graph = open_made(text, &damage);

	ck_assert_msg(!damage.code, "%s", damage.msg);
	return graph;
}

/* The lines of the facts. */

static void put_ends(struct str *out, struct graph *graph, uint32_t node, enum edge_kind kind)
{
	struct edges edges;

	ck_assert(graph_edges(graph, node, kind, &edges, NULL));
	str_putc(out, '\t');
	for (size_t i = 0; i < edges.len; i++)
		str_fmt(out, "%s%s", i ? "," : "", edge_node_name(graph, &edges.at[i]));
}

static void put_called(struct str *out, const struct module *module, uint32_t node)
{
	const char *names[16];
	size_t n;
	const struct called *called = module_called(module, node, &n);

	ck_assert_uint_le(n, 16);
	for (size_t i = 0; i < n; i++)
		names[i] = called[i].name;
	n = texts_sort_once(names, n);
	str_putc(out, '\t');
	for (size_t i = 0; i < n; i++)
		str_fmt(out, "%s%s", i ? "," : "", names[i]);
}

static void put_instruction(struct str *out, struct graph *graph, uint32_t node)
{
	const struct module *module = graph_module(graph);
	const struct instruction *at = &module->instructions.at[node];

	str_fmt(out, "%s\t%s\t%s\t%s", module->computations.at[at->computation].name,
	        graph_name(graph, node), at->opcode, at->shape);
	put_ends(out, graph, node, EDGE_INPUT);
	put_ends(out, graph, node, EDGE_CONTROL);
	put_called(out, module, node);
	str_fmt(out, "\t%s\t%s\t", at->op_type ? at->op_type : "", at->op_name ? at->op_name : "");
	if (at->file)
		str_fmt(out, "%s:%u", at->file, at->line);
	str_putc(out, '\n');
}

static void put_all(struct str *out, struct graph *graph)
{
	const struct module *module = graph_module(graph);

	for (size_t i = 0; i < module->computations.len; i++) {
		const struct computation *c = &module->computations.at[i];

		str_fmt(out, "\t%s\t%d\t%s\t%u\t%u\n", c->name, c->is_entry,
		        graph_name(graph, c->root), c->n, c->n_parameters);
	}
	for (uint32_t i = 0; i < graph_len(graph); i++)
		put_instruction(out, graph, i);
}

/* Lines in order of their texts. */
static void sort_lines(struct str *text)
{
	struct str sorted = {0};
	VEC(const char *) lines = {0};
	char *rest = text->text, *line;

	while ((line = strsep(&rest, "\n")))
		vec_push(&lines, line);
	lines.len = texts_sort_once(lines.at, lines.len);
	for (size_t i = 0; i < lines.len; i++)
		str_fmt(&sorted, "%s\n", lines.at[i]);
	vec_release(&lines);
	str_release(text);
	*text = sorted;
}

/* A text that a person wrote need not have the order of XLA's. */
static void check_dump(const char *name, const char *ending)
{
	struct str path = {0}, wanted = {0}, got = {0};
	struct graph *graph;

	str_fmt(&path, DIR "%s.%s", name, ending);
	graph = open_whole(path.text);
	put_all(&got, graph);
	str_reset(&path);
	str_fmt(&path, DIR "%s.tsv", name);
	ck_assert(read_whole(path.text, &wanted));
	if (!strcmp(name, "gpu_like") && strcmp(ending, "txt")) {
		sort_lines(&wanted);
		sort_lines(&got);
	}
	ck_assert_str_eq(got.text, wanted.text);
	graph_close(graph);
	str_release(&path);
	str_release(&wanted);
	str_release(&got);
}

START_TEST(dumps_are_as_another_reader_says)
{
	check_dump(dumps[_i], "txt");
	check_dump(dumps[_i], "hlo.pb");
}
END_TEST

/* By hand. */

#define HEAD "HloModule m, is_scheduled=true\n\n"

/* One instruction as a line of the facts, without its computation. */
static const struct { const char *line, *wanted; } lines[] = {
	{ "%a = f32[] parameter(0)", "a\tparameter\tf32[]\t\t\t\t\t\t" },
	{ "ROOT %a = f32[2]{0} add(f32[2]{0} %x, (f32[], s32[]) %y)",
	  "a\tadd\tf32[2]{0}\tx,y\t\t\t\t\t" },
	{ "a.1-b_2 = pred[] compare(x, y), direction=LT",
	  "a.1-b_2\tcompare\tpred[]\tx,y\t\t\t\t\t" },
	{ "%a = (f32[], /*index=1*/f32[<=4]{0:T(8,128)S(1)}) tuple(%x, /*index=1*/%y)",
	  "a\ttuple\t(f32[], f32[<=4]{0:T(8,128)S(1)})\tx,y\t\t\t\t\t" },
	{ "%a = f32[2] constant({ 1, /*x*/ \"),\" })", "a\tconstant\tf32[2]\t\t\t\t\t\t" },
	{ "%a = s32[] iota(), iota_dimension=0", "a\tiota\ts32[]\t\t\t\t\t\t" },
	{ "%a = f32[] add(%x, %x), control-predecessors={%y, %x}",
	  "a\tadd\tf32[]\tx,x\ty,x\t\t\t\t" },
	{ "%a = f32[] conditional(%x), branch_computations={%f, %g}, to_apply=%h",
	  "a\tconditional\tf32[]\tx\t\tf,g,h\t\t\t" },
	{ "%a = f32[] custom-call(%x), backend_config={\"a\":\"}, calls=%f\"}, "
	  "called_computations={}",
	  "a\tcustom-call\tf32[]\tx\t\t\t\t\t" },
	{ "%a = f32[] add(%x), metadata={op_name=\"a \\\"b\\\", c=}\" op_type=\"T\"}, "
	  "calls=%f",
	  "a\tadd\tf32[]\tx\t\tf\tT\ta \"b\", c=}\t" },
	{ "%a = f32[] add(%x), metadata={op_name=\"\\303\\251\\n\\'\\377\"}",
	  "a\tadd\tf32[]\tx\t\t\t\t\xc3\xa9\n'\xef\xbf\xbd\t" },
	{ "%a = f32[] add(%x), metadata={source_file=\"f.py\" source_end_line=9 source_line=7}",
	  "a\tadd\tf32[]\tx\t\t\t\t\tf.py:7" },
	{ "%a = f32[] add(%missing)", "a\tadd\tf32[]\tmissing\t\t\t\t\t" },
	{ "%a = f32[] add(%later)\n  %later = f32[] parameter(1)",
	  "a\tadd\tf32[]\tlater\t\t\t\t\t" },
	{ "%a = token[] after-all(), replica_groups=[2,4]<=[8]T(1,0), "
	  "sharding={devices=[2,1]<=[2]}\r",
	  "a\tafter-all\ttoken[]\t\t\t\t\t\t" },
};

START_TEST(lines_are_taken_apart)
{
	struct str text = {0}, got = {0}, wanted = {0};
	struct graph *graph;

	str_fmt(&text, HEAD "ENTRY %%main {\n  %%x = f32[] parameter(0)\n  y = f32[] parameter(1)\n"
	        "  %s\n}\n", lines[_i].line);
	graph = open_sound(text.text);
	put_instruction(&got, graph, 2);
	str_fmt(&wanted, "main\t%s\n", lines[_i].wanted);
	ck_assert_str_eq(got.text, wanted.text);
	graph_close(graph);
	str_release(&text);
	str_release(&got);
	str_release(&wanted);
}
END_TEST

static const struct { const char *line, *op; } ops[] = {
	{ "%a = f32[] fusion(%x), kind=kLoop, calls=%f", "fusion kLoop" },
	{ "%a = f32[] fusion(%x), calls=%f", "fusion" },
	{ "%a = f32[] custom-call(%x), custom_call_target=\"__cublas$gemm\"", "__cublas$gemm" },
	{ "%a = f32[] custom-call(%x)", "custom-call" },
	{ "%a = f32[] add(%x), kind=kLoop", "add" },
};

START_TEST(kinds_and_targets_are_types)
{
	struct str text = {0};
	struct graph *graph;

	str_fmt(&text, HEAD "main {\n%s\n}\n", ops[_i].line);
	graph = open_sound(text.text);
	ck_assert_str_eq(graph_op(graph, 0), ops[_i].op);
	graph_close(graph);
	str_release(&text);
}
END_TEST

START_TEST(names_of_other_computations_are_told_apart)
{
	struct graph *graph = open_sound(
		"// by hand\r\n\xef\xbb\xbfnothing\n" HEAD
		"%f (p: f32[]) -> f32[] {\n  %p = f32[] parameter(0)\n  %q = f32[] negate(%p)\n}\n"
		"ENTRY %g (p: f32[]) -> f32[] {\n  %r = f32[] add(%p, %q)\n"
		"  ROOT %p = f32[] parameter(0)\n  %s = f32[] call(%p), to_apply=%f\n"
		"}, execution_thread=\"main\"\n");
	const struct module *module = graph_module(graph);
	struct str text = {0};

	ck_assert_uint_eq(graph_len(graph), 5);
	ck_assert_str_eq(graph_name(graph, 3), "g/p");
	put_ends(&text, graph, 2, EDGE_INPUT);
	put_ends(&text, graph, 3, EDGE_RECIPIENT);
	put_ends(&text, graph, 0, EDGE_RECIPIENT);
	ck_assert_str_eq(text.text, "\tg/p,q\tr,s\tq");
	ck_assert_uint_eq(module->computations.at[0].root, 1);
	ck_assert_uint_eq(module->computations.at[1].root, 3);
	ck_assert_uint_eq(module->computations.at[0].n_callers, 1);
	ck_assert(module->computations.at[1].is_entry && !module->computations.at[0].is_entry);
	graph_close(graph);
	str_release(&text);
}
END_TEST

#define TABLES \
	"FileNames\n1 \"/a \\\"b\\\".py\"\n\nFunctionNames\n1 \"<module>\"\n2 \"f\"\n\n" \
	"FileLocations\n1 {file_name_id=1 function_name_id=1 line=34 end_line=35}\n" \
	"2 {file_name_id=1 function_name_id=2 line=16}\n\nStackFrames\n"

/* A parent of the first frame that is itself: parents are counted from 1 for none. */
#define FRAME(n, parent) #n " {file_location_id=" #n parent "}\n"
static const struct { const char *frames; uint32_t parent; } frames[] = {
	{ FRAME(1, " parent_frame_id=1") FRAME(2, " parent_frame_id=2"), 1 },
	{ FRAME(1, "") FRAME(2, " parent_frame_id=1"), 1 },
	{ FRAME(1, " parent_frame_id=2") FRAME(2, " parent_frame_id=1"), 1 },
	{ FRAME(1, "") FRAME(2, " parent_frame_id=77"), 0 },
};

START_TEST(frames_say_where_the_program_is)
{
	struct str text = {0};
	struct graph *graph;
	const struct module *module;
	struct stacks *stacks;
	const struct stack_node *node;

	str_fmt(&text, HEAD TABLES "%s\n\nmain {\n%%a = f32[] add(), metadata={stack_frame_id=2}\n"
	        "%%b = f32[] add(), metadata={stack_frame_id=3}\n}\n", frames[_i].frames);
	graph = open_sound(text.text);
	module = graph_module(graph);
	ck_assert_str_eq(module->instructions.at[0].file, "/a \"b\".py");
	ck_assert_uint_eq(module->instructions.at[0].line, 16);
	ck_assert(!module->instructions.at[1].file);
	ck_assert_uint_eq(module->frames.at[1].parent, frames[_i].parent);
	stacks = module_stacks(graph);
	ck_assert_uint_eq(stacks->nodes.len, 1);
	node = &stacks->nodes.at[0];
	ck_assert_str_eq(stacks_frame(stacks, node, node->n_frames - 1)->function, "f");
	if (_i < 2)
		ck_assert_str_eq(stacks_frame(stacks, node, 0)->function, "<module>");
	stacks_close(stacks);
	graph_close(graph);
	str_release(&text);
}
END_TEST

/* What is left out, and how many instructions are left. */
static const struct { const char *text; uint32_t n; const char *damage; } broken[] = {
	{ HEAD "f {\n  a = f32[] add()\n  nonsense\n  b = f32[] add()\n}\n", 2, "no instruction" },
	{ HEAD "f {\n  a = f32[] add(b, (\n  b = f32[] add()\n}\n", 1, "no instruction" },
	{ HEAD "f {\n  a = f32[] add()\n  a = f32[] add()\n}\n", 1, "a second instruction" },
	{ HEAD "f {\n  a = f32[] add()\n}\nHloModule n\ng {\n  b = f32[] add()\n}\n", 1,
	  "a second module" },
	{ HEAD "f {\n  a = f32[] add()\n}\n  b = f32[] add()\n", 1, "neither" },
	{ HEAD "f {\n  a = f32[] add()\n", 1, "ends in a computation" },
	{ HEAD "f {\n  a = f32[] add()\n  b = f32[] add(), metadata={op_name=\"x", 1,
	  "ends in an instruction" },
};

START_TEST(what_is_damaged_is_left_out)
{
	struct err damage;
	struct graph *graph = open_made(broken[_i].text, &damage);

	ck_assert_uint_eq(graph_len(graph), broken[_i].n);
	ck_assert_msg(strstr(damage.msg, broken[_i].damage), "%s", damage.msg);
	ck_assert(!graph_is_whole(graph));
	graph_close(graph);
}
END_TEST

static struct graph *open_cut(const struct str *whole, size_t len, bool text)
{
	const char *path = file_of(whole->text, len);
	struct err damage = {0}, err = {0};
	struct graph *graph = text
		? hlo_text_open(path, NULL, &damage, &err)
		: hlo_proto_open(path, (struct span){ 0, UINT64_MAX }, NULL, &damage, &err);

	ck_assert(graph || err.code);
	return graph;
}

static void put_names(struct str *out, const struct graph *graph)
{
	str_reset(out);
	for (uint32_t i = 0; i < graph_len(graph); i++)
		str_fmt(out, "%s\n", graph_name(graph, i));
}

START_TEST(a_text_may_end_anywhere)
{
	struct str whole = {0}, names = {0}, got = {0};
	struct graph *graph = open_whole(DIR "gpu_like.txt");

	put_names(&names, graph);
	graph_close(graph);
	ck_assert(read_whole(DIR "gpu_like.txt", &whole));
	for (size_t len = 0; len < whole.len - 2; len++) {
		graph = open_cut(&whole, len, true);
		if (!graph)
			continue;
		put_names(&got, graph);
		ck_assert(got.len <= names.len && !memcmp(got.text, names.text, got.len));
		hlo_walk(graph);
		graph_close(graph);
	}
	str_release(&whole);
	str_release(&names);
	str_release(&got);
}
END_TEST

START_TEST(a_message_may_end_anywhere)
{
	struct str whole = {0};

	ck_assert(read_whole(DIR "gpu_like.hlo.pb", &whole));
	for (size_t len = 0; len < whole.len; len++) {
		struct graph *graph = open_cut(&whole, len, false);

		if (graph)
			hlo_walk(graph);
		graph_close(graph);
	}
	str_release(&whole);
}
END_TEST

START_TEST(brackets_may_be_nested_deeply)
{
	struct str text = {0};
	struct graph *graph;

	str_puts(&text, HEAD "f {\n  a = f32[] add(x), backend_config=");
	str_fill(&text, '{', 3000000);
	str_puts(&text, "\n  b = ");
	str_fill(&text, '(', 3000000);
	str_fill(&text, ')', 3000000);
	str_puts(&text, " add(a)\n}\n");
	graph = open_sound(text.text);
	ck_assert_uint_eq(graph_len(graph), 2);
	ck_assert_uint_lt(strlen(graph_module(graph)->instructions.at[1].shape), 2000000);
	graph_close(graph);
	str_release(&text);
}
END_TEST

START_TEST(attributes_are_read_again)
{
	struct graph *graph = open_sound(
		HEAD "f {\n  a = f32[] parameter(7), z={1, 2}, b=\"x, y\", z={3}\n"
		"  c = f32[] add(a)\n}\n");
	struct arena mem = {0};
	struct attr *attrs;
	size_t n;

	ck_assert(graph_attrs(graph, 0, &mem, &attrs, &n, NULL));
	ck_assert_uint_eq(n, 3);
	ck_assert_str_eq(attrs[0].key, "b");
	ck_assert_str_eq(attrs[0].text, "\"x, y\"");
	ck_assert_str_eq(attrs[1].key, "parameter");
	ck_assert_str_eq(attrs[1].text, "7");
	ck_assert_str_eq(attrs[2].text, "{3}");
	ck_assert(graph_attrs(graph, 1, &mem, &attrs, &n, NULL));
	ck_assert_uint_eq(n, 0);
	arena_release(&mem);
	graph_close(graph);
}
END_TEST

/* Messages by hand. */

static const struct { const char *bytes; size_t len; const char *text; } shapes[] = {
#define BYTES(text) text, sizeof text - 1
	{ BYTES("\x10\x0b"), "f32[]" },
	{ BYTES("\x10\x11"), "token[]" },
	{ BYTES("\x10\x0b\x2a\x00"), "f32[]" },
	{ BYTES("\x10\x0b\x2a\x02\x40\x05"), "f32[]{:S(5)}" },
	{ BYTES("\x10\x04\x1a\x02\x02\x03\x2a\x04\x0a\x02\x01\x00"), "s32[2,3]{1,0}" },
	{ BYTES("\x10\x04\x18\x02\x18\x03\x32\x02\x00\x01\x2a\x04\x08\x01\x08\x00"),
	  "s32[2,<=3]{1,0}" },
	{ BYTES("\x10\x10\x1a\x01\x08\x2a\x12\x0a\x01\x00\x32\x05\x0a\x03\x80\x01\x08\x32\x03\x0a"
	        "\x01\x02\x80\x01\x04"), "bf16[8]{0:T(128,8)(2)L(4)}" },
	{ BYTES("\x10\x0d\x22\x02\x10\x0b\x22\x08\x10\x0d\x22\x04\x10\x01\x1a\x00"),
	  "(f32[], (pred[]))" },
	{ BYTES("\x10\x7f"), "type127[]" },
#undef BYTES
};

/* A module of one computation of these instructions. */
static const char *file_of_module(const struct str *instructions, const struct str *schedule)
{
	struct str computation = {0}, module = {0}, proto = {0};
	const char *path;

	put_bytes(&computation, 1, "main", 4);
	put_number(&computation, 5, 7);
	str_put(&computation, instructions->text, instructions->len);
	put_bytes(&module, 1, "m", 1);
	put_message(&module, 3, &computation);
	put_number(&module, 6, 7);
	if (schedule)
		put_message(&module, 7, schedule);
	put_message(&proto, 1, &module);
	path = file_of(proto.text, proto.len);
	str_release(&computation);
	str_release(&module);
	str_release(&proto);
	return path;
}

static void put_made(struct str *out, uint64_t id, const char *name, const char *opcode,
                     const void *rest, size_t len)
{
	struct str instruction = {0};

	put_bytes(&instruction, 1, name, strlen(name));
	put_bytes(&instruction, 2, opcode, strlen(opcode));
	put_number(&instruction, 35, id);
	str_put(&instruction, rest, len);
	put_message(out, 2, &instruction);
	str_release(&instruction);
}

START_TEST(shapes_are_as_in_text)
{
	struct str shape = {0}, instructions = {0};
	struct graph *graph;

	put_bytes(&shape, 3, shapes[_i].bytes, shapes[_i].len);
	put_made(&instructions, 1, "a", "add", shape.text, shape.len);
	graph = open_message(file_of_module(&instructions, NULL));
	ck_assert_str_eq(graph_module(graph)->instructions.at[0].shape, shapes[_i].text);
	graph_close(graph);
	str_release(&shape);
	str_release(&instructions);
}
END_TEST

START_TEST(shapes_may_be_nested_deeply)
{
	struct str shape = {0}, outer = {0}, instructions = {0};
	struct err damage = {0}, err = {0};
	struct graph *graph;

	for (int i = 0; i < 1000; i++) {
		str_reset(&outer);
		put_number(&outer, 2, 13);
		put_bytes(&outer, 4, str_text(&shape), shape.len);
		str_reset(&shape);
		str_put(&shape, outer.text, outer.len);
	}
	str_reset(&outer);
	put_message(&outer, 3, &shape);
	put_made(&instructions, 1, "a", "add", outer.text, outer.len);
	put_made(&instructions, 2, "b", "add", "", 0);
	graph = hlo_proto_open(file_of_module(&instructions, NULL), (struct span){ 0, UINT64_MAX },
	                       NULL, &damage, &err);
	ck_assert_uint_eq(graph_len(graph), 1);
	ck_assert_int_eq(damage.code, ERR_LIMIT);
	graph_close(graph);
	str_release(&shape);
	str_release(&outer);
	str_release(&instructions);
}
END_TEST

/* 3, then 1; 2 is not in the schedule, and 9 is not in the module. */
START_TEST(messages_have_the_order_of_text)
{
	struct str instructions = {0}, sequence = {0}, entry = {0}, schedule = {0}, names = {0};
	struct graph *graph;

	put_made(&instructions, 1, "a", "add", "\xa2\x02\x02\x03\x09", 5);
	put_made(&instructions, 2, "b", "add", "", 0);
	put_made(&instructions, 3, "c", "add", "", 0);
	put_bytes(&sequence, 1, "\x03\x09\x01\x01", 4);
	put_number(&entry, 1, 7);
	put_message(&entry, 2, &sequence);
	put_message(&schedule, 1, &entry);
	graph = open_message(file_of_module(&instructions, &schedule));
	put_names(&names, graph);
	put_ends(&names, graph, 1, EDGE_INPUT);
	ck_assert_str_eq(names.text, "c\na\nb\n\tc,(missing)");
	ck_assert(graph_module(graph)->computations.at[0].is_entry);
	graph_close(graph);
	str_release(&instructions);
	str_release(&sequence);
	str_release(&entry);
	str_release(&schedule);
	str_release(&names);
}
END_TEST

START_TEST(attributes_of_messages_are_read_again)
{
	struct graph *text = open_whole(DIR "gpu_like.txt");
	struct graph *graph = open_whole(DIR "gpu_like.hlo.pb");
	static const struct { const char *node, *key; } asked[] = {
		{ "Arg_0.1", "parameter" }, { "get-tuple-element.1", "index" },
		{ "slice.1", "slice" }, { "pad.1", "padding" }, { "reduce.5", "dimensions" },
		{ "fusion", "kind" }, { "lt", "direction" }, { "custom-call.1", "backend_config" },
	};

	for (int i = 0; i < ROWS(asked); i++) {
		struct graph *const graphs[] = { text, graph };
		const char *value[2] = { "", "" };
		struct arena mem = {0};

		for (int k = 0; k < 2; k++) {
			uint32_t node = graph_find(graphs[k], asked[i].node, strlen(asked[i].node));
			struct attr *attrs;
			size_t n;

			ck_assert(graph_attrs(graphs[k], node, &mem, &attrs, &n, NULL));
			for (size_t a = 0; a < n; a++)
				if (!strcmp(attrs[a].key, asked[i].key))
					value[k] = attrs[a].text;
		}
		ck_assert(*value[0]);
		ck_assert_str_eq(value[0], value[1]);
		arena_release(&mem);
	}
	graph_close(text);
	graph_close(graph);
}
END_TEST

/* Behind the key and the length of the module in its HloProto. */
START_TEST(a_module_alone_is_the_same)
{
	struct str whole = {0}, wanted = {0}, got = {0};
	struct graph *graph = open_whole(DIR "gpu_like.hlo.pb");
	enum file_kind kind;
	const char *path;

	put_all(&wanted, graph);
	graph_close(graph);
	ck_assert(read_whole(DIR "gpu_like.hlo.pb", &whole));
	path = file_of(whole.text + 3, whole.len - 3);
	ck_assert(recognise(path, &kind, NULL));
	ck_assert_int_eq(kind, FILE_HLO_PROTO);
	graph = open_message(path);
	put_all(&got, graph);
	ck_assert_str_eq(got.text, wanted.text);
	graph_close(graph);
	str_release(&whole);
	str_release(&wanted);
	str_release(&got);
}
END_TEST

START_TEST(what_has_no_instruction_is_refused)
{
	static const char *const texts[] = { "", HEAD, "HloModule", "f {\n a = f32[] add()\n}\n" };

	for (int i = 0; i < ROWS(texts); i++) {
		struct err damage = {0}, err = {0};

		ck_assert(!hlo_text_open(file_of(texts[i], strlen(texts[i])), NULL, &damage, &err));
		ck_assert_int_eq(err.code, ERR_FORMAT);
	}
}
END_TEST

static void cancel(struct progress *progress)
{
	atomic_store(&progress->cancel, true);
}

START_TEST(reading_can_be_cancelled)
{
	struct progress progress = { .tick = cancel };
	struct err damage = {0}, err = {0};

	ck_assert(!hlo_text_open(DIR "gpu_like.txt", &progress, &damage, &err));
	ck_assert_int_eq(err.code, ERR_CANCELLED);
}
END_TEST

START_TEST(kernels_are_called_as_instructions)
{
	static const struct { const char *name, *node; } kernels[] = {
		{ "loop_add_fusion_3", "loop_add_fusion.3" },
		{ "loop_add_fusion.3", "loop_add_fusion.3" },
		{ "input_reduce_fusion", "input-reduce-fusion" }, { "a", "a" },
		{ "loop_add_fusion_4", NULL }, { "", NULL },
	};
	struct module_set *set = NULL;
	const struct graph *graph;
	uint32_t node;

	ck_assert(!module_set_find(set, "a", &graph, &node));
	module_set_add(&set, open_whole(DIR "gpu_like.txt"));
	module_set_add(&set, open_whole(DIR "traced/module_0007.jit_step.sm_8.0_gpu_after_"
	                                "optimizations.txt"));
	for (int i = 0; i < ROWS(kernels); i++) {
		bool found = module_set_find(set, kernels[i].name, &graph, &node);

		ck_assert_int_eq(found, kernels[i].node != NULL);
		if (found)
			ck_assert_str_eq(graph_name(graph, node), kernels[i].node);
	}
	module_set_free(set);
}
END_TEST

/* How dimensions are kept, in a letter each; a level that nobody knows is "?". */
START_TEST(levels_have_letters)
{
	struct str layout = {0}, shape = {0}, out = {0};
	struct err err = {0};
	struct file file;

	for (uint64_t level = 0; level < 6; level++)
		put_number(&layout, 9, level);
	put_number(&shape, 2, 11);
	put_number(&shape, 3, 2);
	put_message(&shape, 5, &layout);
	ck_assert(file_open(&file, file_of(shape.text, shape.len), &err));
	ck_assert_msg(hlo_put_shape(&file, (struct span){ 0, file.size }, &out, &err), "%s",
	              err.msg);
	ck_assert_uint_eq(out.len, strlen("f32[2]{:D(D,C,S,H,?,?)}"));
	ck_assert_str_eq(out.text, "f32[2]{:D(D,C,S,H,?,?)}");
	file_close(&file);
	str_release(&layout);
	str_release(&shape);
	str_release(&out);
}
END_TEST

SUITE_MAIN("hlo",
	tcase_add_test(t, levels_have_letters);
	tcase_add_test(t, kernels_are_called_as_instructions);
	tcase_add_loop_test(t, dumps_are_as_another_reader_says, 0, ROWS(dumps));
	tcase_add_loop_test(t, lines_are_taken_apart, 0, ROWS(lines));
	tcase_add_loop_test(t, kinds_and_targets_are_types, 0, ROWS(ops));
	tcase_add_test(t, names_of_other_computations_are_told_apart);
	tcase_add_loop_test(t, frames_say_where_the_program_is, 0, ROWS(frames));
	tcase_add_loop_test(t, what_is_damaged_is_left_out, 0, ROWS(broken));
	tcase_add_test(t, a_text_may_end_anywhere);
	tcase_add_test(t, a_message_may_end_anywhere);
	tcase_add_loop_test(t, shapes_are_as_in_text, 0, ROWS(shapes));
	tcase_add_test(t, shapes_may_be_nested_deeply);
	tcase_add_test(t, messages_have_the_order_of_text);
	tcase_add_test(t, a_module_alone_is_the_same);
	tcase_add_test(t, attributes_of_messages_are_read_again);
	tcase_add_test(t, brackets_may_be_nested_deeply);
	tcase_add_test(t, attributes_are_read_again);
	tcase_add_test(t, what_has_no_instruction_is_refused);
	tcase_add_test(t, reading_can_be_cancelled);)
