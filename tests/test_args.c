/* Options against what argparse of Python 3.11 made of the same words and the same tables. */
#include <stdio.h>
#include <string.h>

#include "cmds/lang/args.h"
#include "cmds/lang/registry.h"
#include "dump/base/str.h"
#include "tests/suite.h"

static const struct opt pt_opts[] = {
	{ OPT_INT, "n", "number", "", NULL, NULL, false },
	{ OPT_WORD, "r", "ranges", "", NULL, NULL, false },
	{ OPT_FLAG, "a", "all", "", NULL, NULL, false },
	{ OPT_FLAG, "s", "numeric_summary", "", NULL, NULL, false },
};
static const struct pos pt_pos[] = { { "tensor_name", "", false } };
static const struct cmd pt = { .name = "print_tensor", OPTS(pt_opts), POSITIONALS(pt_pos) };

static const struct opt lt_opts[] = {
	{ OPT_WORD, "f", "tensor_filter", "", NULL, NULL, false },
	{ OPT_WORD, "fenn", "filter_exclude_node_names", "", NULL, NULL, false },
	{ OPT_WORD, "s", "sort_by", "", NULL, NULL, false },
	{ OPT_FLAG, "r", "reverse", "", NULL, NULL, false },
	{ OPT_WORD, NULL, "device", "", NULL, NULL, false },
};
static const struct cmd lt = { .name = "list_tensors", OPTS(lt_opts) };

static const struct pos two_pos[] = { { "path", "", false }, { "line", "", true } };
static const struct cmd two = { .name = "two", OPTS(pt_opts), POSITIONALS(two_pos) };

struct list {
	char *at[8];
	size_t n;
};

/* "a|b c|" as words. */
static void cut(struct list *list, struct arena *mem, const char *text)
{
	list->n = 0;
	while (*text) {
		size_t len = strcspn(text, "|");

		list->at[list->n++] = arena_copy(mem, text, len);
		text += len + 1;
	}
}

static void describe(const struct cmd *cmd, const struct args *args, struct str *out)
{
	for (size_t k = 0; k < cmd->n_opts; k++) {
		if (!args->opt[k].given)
			continue;
		str_fmt(out, "%s", cmd->opts[k].name);
		if (cmd->opts[k].kind == OPT_INT)
			str_fmt(out, "=%lld", (long long)args->opt[k].number);
		if (cmd->opts[k].kind == OPT_WORD)
			str_fmt(out, "=%s", args->opt[k].word);
		str_putc(out, ' ');
	}
	for (size_t k = 0; k < cmd->n_pos; k++)
		str_fmt(out, "<%s>", args->pos[k] ? args->pos[k] : "");
}

static const struct { const struct cmd *cmd; const char *words, *is; } good[] = {
	{ &pt, "-a|m:0|", "all <m:0>" },
	{ &pt, "m:0|-a|", "all <m:0>" },
	{ &pt, "-as|m:0|", "all numeric_summary <m:0>" },
	{ &pt, "-an3|m:0|", "number=3 all <m:0>" },
	{ &pt, "-sn|3|m:0|", "number=3 numeric_summary <m:0>" },
	{ &pt, "-n|+3|m:0|", "number=3 <m:0>" },
	{ &pt, "-n| 3 |m:0|", "number=3 <m:0>" },
	{ &pt, "-n|1_0|m:0|", "number=10 <m:0>" },
	{ &pt, "-n|-1|m:0|", "number=-1 <m:0>" },
	{ &pt, "-n=4|m:0|", "number=4 <m:0>" },
	{ &pt, "-n|1|-n|2|m:0|", "number=2 <m:0>" },
	{ &pt, "-n|99999999999999999999|m:0|", "number=9223372036854775807 <m:0>" },
	{ &pt, "--numb|2|m:0|", "number=2 <m:0>" },
	{ &pt, "--number=2|m:0|", "number=2 <m:0>" },
	{ &pt, "-r|-1, 1|m:0|", "ranges=-1, 1 <m:0>" },
	{ &pt, "-r|-.5|m:0|", "ranges=-.5 <m:0>" },
	{ &pt, "-r-1,1|m:0|", "ranges=-1,1 <m:0>" },
	{ &pt, "--|m:0|", "<m:0>" },
	{ &pt, "m:0|--|", "<m:0>" },
	{ &pt, "--|-a|", "<-a>" },
	{ &pt, "- `x:0`|", "<- `x:0`>" },
	{ &pt, "-|", "<->" },
	{ &lt, "-fname|", "tensor_filter=name " },
	{ &lt, "-f=name|", "tensor_filter=name " },
	{ &lt, "-fhas_x|", "tensor_filter=has_x " },
	{ &lt, "-fenn=x|", "filter_exclude_node_names=x " },
	{ &lt, "-fenn|x|", "filter_exclude_node_names=x " },
	{ &lt, "--sort_by=op_type|", "sort_by=op_type " },
	{ &lt, "-srop_type|", "sort_by=rop_type " },
	{ &lt, "-rs=op_type|", "sort_by==op_type reverse " },
	{ &lt, "-rs|op_type|", "sort_by=op_type reverse " },
	{ &lt, "--device=|", "device= " },
	{ &lt, "", "" },
	{ &two, "a|-a|b|", "all <a><b>" },
	{ &two, "a|", "<a><>" },
};

START_TEST(words_become_options)
{
	const struct cmd *cmd = good[_i].cmd;
	struct arena mem = {0};
	struct list words;
	struct args args;
	struct str is = {0};
	struct err err = {0};
	bool help;

	cut(&words, &mem, good[_i].words);
	ck_assert_msg(args_parse(cmd, words.at, words.n, &mem, &args, &help, &err), "%s", err.msg);
	ck_assert(!help);
	describe(cmd, &args, &is);
	ck_assert_str_eq(str_text(&is), good[_i].is);
	str_release(&is);
	arena_release(&mem);
}
END_TEST

/* off: the number of the word. */
static const struct {
	const struct cmd *cmd;
	const char *words;
	unsigned off;
	const char *msg;
} bad[] = {
	{ &pt, "", 0, "the following arguments are required: tensor_name" },
	{ &pt, "-a|", 1, "the following arguments are required: tensor_name" },
	{ &pt, "m:0|x|y|", 1, "unrecognized arguments: x y" },
	{ &pt, "-z|m:0|", 0, "unrecognized arguments: -z" },
	{ &pt, "-`x:0`|", 1, "the following arguments are required: tensor_name" },
	{ &pt, "--num|3|m:0|", 0,
	  "ambiguous option: --num could match --number, --numeric_summary" },
	{ &pt, "-n|x|m:0|", 0, "argument -n/--number: invalid int value: 'x'" },
	{ &pt, "-n|1.5|m:0|", 0, "argument -n/--number: invalid int value: '1.5'" },
	{ &pt, "-n|0x1|m:0|", 0, "argument -n/--number: invalid int value: '0x1'" },
	{ &pt, "-n|it's|m:0|", 0, "argument -n/--number: invalid int value: \"it's\"" },
	{ &pt, "-n=|m:0|", 0, "argument -n/--number: invalid int value: ''" },
	{ &pt, "m:0|-r|", 1, "argument -r/--ranges: expected one argument" },
	{ &pt, "-r|-1,1|m:0|", 0, "argument -r/--ranges: expected one argument" },
	{ &pt, "-r|-a b|m:0|", 0, "argument -r/--ranges: expected one argument" },
	{ &pt, "-n|--|3|", 0, "argument -n/--number: expected one argument" },
	{ &pt, "-a=1|m:0|", 0, "argument -a/--all: ignored explicit argument '1'" },
	{ &pt, "-ax|m:0|", 0, "argument -a/--all: ignored explicit argument 'x'" },
	{ &pt, "--all=1|m:0|", 0, "argument -a/--all: ignored explicit argument '1'" },
	{ &lt, "--reverse=1|", 0, "argument -r/--reverse: ignored explicit argument '1'" },
	{ &lt, "--device|", 0, "argument --device: expected one argument" },
	{ &lt, "-fe|x|", 0, "ambiguous option: -fe could match -f, -fenn" },
	{ &lt, "--|", 0, "unrecognized arguments: --" },
	{ &lt, "--|-n|", 0, "unrecognized arguments: -- -n" },
	{ &lt, "extra|-s|x|", 0, "unrecognized arguments: extra" },
	{ &lt, "--bogus|", 0, "unrecognized arguments: --bogus" },
};

START_TEST(bad_words_are_refused)
{
	struct arena mem = {0};
	struct list words;
	struct args args;
	struct err err = {0};
	bool help;

	cut(&words, &mem, bad[_i].words);
	ck_assert(!args_parse(bad[_i].cmd, words.at, words.n, &mem, &args, &help, &err));
	ck_assert(!help);
	ck_assert_int_eq(err.code, ERR_SYNTAX);
	ck_assert_str_eq(err.msg, bad[_i].msg);
	ck_assert_uint_eq(err.off, bad[_i].off);
	arena_release(&mem);
}
END_TEST

static const struct { const char *words; bool help; } helps[] = {
	{ "-h|", true }, { "--help|", true }, { "--he|", true }, { "-ah|", true },
	{ "-ha|", true }, { "x|y|-h|", true },
	{ "-hx|", false }, { "--help=1|", false }, { "-n|x|-h|", false }, { "-h|--num|", false },
};

START_TEST(help_is_told_apart)
{
	struct arena mem = {0};
	struct list words;
	struct args args;
	struct err err = {0};
	bool help;

	cut(&words, &mem, helps[_i].words);
	ck_assert(!args_parse(&pt, words.at, words.n, &mem, &args, &help, &err));
	ck_assert_int_eq(help, helps[_i].help);
	ck_assert_int_eq(err.code, ERR_SYNTAX);
	ck_assert_int_eq(err.msg[0] == '\0', helps[_i].help);
	arena_release(&mem);
}
END_TEST

static const struct {
	const char *word, *node;
	bool has_slot;
	int64_t slot;
	const char *msg;
} nodes[] = {
	{ "a/b", "a/b", false, 0, NULL },
	{ "a:2", "a", true, 2, NULL },
	{ "a:b:1", "a:b", true, 1, NULL },
	{ "a:", "a:", false, 0, NULL },
	{ ":1", "", true, 1, NULL },
	{ "a:-1", "a", true, -1, NULL },
	{ "nosuch:zero", NULL, false, 0, "invalid literal for int() with base 10: 'zero'" },
	{ "linear/w:0]", NULL, false, 0, "invalid literal for int() with base 10: '0]'" },
	{ "y:0:DebugIdentity", NULL, false, 0,
	  "invalid literal for int() with base 10: 'DebugIdentity'" },
};

START_TEST(word_becomes_node_and_slot)
{
	struct arena mem = {0};
	struct node_word node;
	struct err err = {0};

	if (node_word_parse(nodes[_i].word, &mem, &node, &err)) {
		ck_assert_pstr_eq(node.node, nodes[_i].node);
		ck_assert_int_eq(node.has_slot, nodes[_i].has_slot);
		if (node.has_slot)
			ck_assert_int_eq(node.slot, nodes[_i].slot);
	} else {
		ck_assert_ptr_nonnull(nodes[_i].msg);
		ck_assert_int_eq(err.code, ERR_VALUE);
		ck_assert_str_eq(err.msg, nodes[_i].msg);
	}
	arena_release(&mem);
}
END_TEST

static const struct { const char *text; bool ok; int64_t value; } ints[] = {
	{ "0", true, 0 }, { "-7", true, -7 }, { "+7", true, 7 }, { "\t 7\n", true, 7 },
	{ "1_000", true, 1000 },
	{ "007", true, 7 }, { "9223372036854775808", true, INT64_MAX },
	{ "-9223372036854775809", true, INT64_MIN },
	{ "-9223372036854775808", true, INT64_MIN }, { "\xc2\xa0" "5", true, 5 },
	{ "", false, 0 }, { " ", false, 0 }, { "-", false, 0 }, { "1_", false, 0 },
	{ "_1", false, 0 },
	{ "1__0", false, 0 }, { "- 1", false, 0 }, { "--1", false, 0 }, { "1.0", false, 0 },
	{ "1 2", false, 0 },
	{ "0x1", false, 0 }, { "-_1", false, 0 },
};

START_TEST(int_is_pythons)
{
	int64_t value = 0;

	ck_assert_int_eq(python_int(ints[_i].text, strlen(ints[_i].text), &value), ints[_i].ok);
	ck_assert_int_eq(value, ints[_i].value);
}
END_TEST

static const struct { const char *text, *repr; } reprs[] = {
	{ "a", "'a'" }, { "", "''" }, { "it's", "\"it's\"" }, { "'\"", "'\\'\"'" },
	{ "a\\b", "'a\\\\b'" },
	{ "\t\n\r\x01\x7f", "'\\t\\n\\r\\x01\\x7f'" }, { "\xc3\xa9", "'\xc3\xa9'" },
	{ "\xc2\xa0", "'\\xa0'" },
	{ "\xe2\x80\x8b", "'\\u200b'" }, { "\xff", "'\\udcff'" },
};

START_TEST(repr_is_pythons)
{
	struct str out = {0};

	python_repr(&out, reprs[_i].text, strlen(reprs[_i].text));
	ck_assert_str_eq(str_text(&out), reprs[_i].repr);
	str_release(&out);
}
END_TEST

/*
 * tfdbg's own options of its commands: their abbreviations mean what they mean there, whatever we
 * have added.
 */
static const struct { const char *cmd, *names; } tfdbg_options[] = {
	{ "lt", "help tensor_filter filter_exclude_node_names node_name_filter "
	  "op_type_filter sort_by reverse" },
	{ "ni", "help attributes dumps traceback" },
	{ "li", "help control depth recursive op_type" },
	{ "lo", "help control depth recursive op_type" },
	{ "pt", "help number ranges all numeric_summary write_path" },
	{ "pf", "help number ranges all numeric_summary write_path" },
	{ "ev", "help all write_path" },
	{ "ls", "help path_filter node_name_filter" },
	{ "ps", "help tensors max_elements_per_line line_begin" },
	{ "lp", "help device_name_filter node_name_filter op_type_filter file_path_filter "
	  "min_lineno max_lineno "
	  "execution_time op_time sort_by reverse time_unit" },
	{ "run", "help times no_debug till_filter_pass filter_exclude_node_names "
	  "node_name_filter op_type_filter "
	  "tensor_dtype_filter profile" },
	{ "ri", "help" },
};

static bool is_listed(const char *names, const char *name)
{
	size_t len = strlen(name);

	for (; *names; names += strcspn(names, " "), names += *names == ' ')
		if (!strncmp(names, name, len) && (names[len] == ' ' || !names[len]))
			return true;
	return false;
}

/* How many of them begin so; the last of these in *which. */
static size_t n_beginning(const char *names, const char *begin, const char **which)
{
	size_t n = 0;

	for (; *names; names += strcspn(names, " "), names += *names == ' ')
		if (!strncmp(names, begin, strlen(begin))) {
			n++;
			*which = names;
		}
	return n;
}

static bool is_option(const struct cmd *cmd, const char *name)
{
	for (size_t i = 0; i < cmd->n_opts; i++)
		if (!strcmp(cmd->opts[i].name, name))
			return true;
	return false;
}

static void expect_abbreviation(const struct cmd *cmd, const char *names, const char *begin)
{
	char word[64], value[] = "1", node[] = "node", node2[] = "node";
	char *words[] = { word, value, node, node2 };
	struct arena mem = {0};
	const char *which = "";
	bool is_flag = true, help, ok;
	struct args args = {0};
	struct err err = {0};
	size_t n = n_beginning(names, begin, &which), k = cmd->n_opts;

	snprintf(word, sizeof word, "--%s", begin);
	for (size_t i = 0; i < cmd->n_opts; i++)
		if (n == 1 && !strncmp(cmd->opts[i].name, which, strcspn(which, " ")) &&
		    strlen(cmd->opts[i].name) == strcspn(which, " ")) {
			k = i;
			is_flag = cmd->opts[i].kind == OPT_FLAG;
		}
	if (is_flag)
		words[1] = node;
	ok = args_parse(cmd, words, (is_flag ? 1 : 2) + (cmd->n_pos && !cmd->pos[0].optional),
	                &mem, &args, &help, &err);
	if (n == 1 && k < cmd->n_opts)
		ck_assert_msg(ok && args.opt[k].given, "%s %s: %s", cmd->name, word, err.msg);
	else
		ck_assert_msg(!ok, "%s %s", cmd->name, word);
	arena_release(&mem);
}

START_TEST(abbreviations_are_tfdbgs)
{
	const char *names = tfdbg_options[_i].names;
	const struct cmd *cmd = cmd_find(tfdbg_options[_i].cmd);

	for (size_t i = 0; i < cmd->n_opts; i++) {
		const char *name = cmd->opts[i].name;

		for (size_t len = 1; len < strlen(name); len++) {
			char begin[64];

			snprintf(begin, sizeof begin, "%.*s", (int)len, name);
			if (!is_listed(names, begin) && !is_option(cmd, begin))
				expect_abbreviation(cmd, names, begin);
		}
	}
}
END_TEST

SUITE_MAIN("args",
	tcase_add_loop_test(t, words_become_options, 0, ROWS(good));
	tcase_add_loop_test(t, bad_words_are_refused, 0, ROWS(bad));
	tcase_add_loop_test(t, help_is_told_apart, 0, ROWS(helps));
	tcase_add_loop_test(t, word_becomes_node_and_slot, 0, ROWS(nodes));
	tcase_add_loop_test(t, int_is_pythons, 0, ROWS(ints));
	tcase_add_loop_test(t, repr_is_pythons, 0, ROWS(reprs));
	tcase_add_loop_test(t, abbreviations_are_tfdbgs, 0, ROWS(tfdbg_options));
)
