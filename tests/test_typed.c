/*
 * Every command answers typed: with --format=json one object of the form that the man page
 * describes, with the keys it names for that command and no others; with --format=csv a table. The
 * keys wanted are read from the man page, so the page, the program and this test can't disagree.
 */
#include "tests/suite.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

#include "cmds/lang/cmd.h"
#include "cmds/lang/registry.h"
#include "dump/format/json.h"
#include "tests/message.h"
#include "tests/program.h"

#define PAGE "tui/tensordbg.1"
#define PROGRAM "testdata/v2/mode_CONCISE_HEALTH"
#define STACKS "testdata/linear.stacks.json"
#define STEP "testdata/profile/linear/run_metadata.pb"
/* testdata/linear, but linear/b:0 was dumped twice, the second time with what loss/mse:0 has. */
#define MAKE_DUMP \
	"cp -r testdata/linear \"$0/dump\" && " \
	"file=$(ls \"$0\"/dump/*/linear/b_0_DebugIdentity_*) && " \
	"cp \"$0\"/dump/*/loss/mse_0_* \"$file-1\" && " \
	"rm \"$0\"/dump/*/linear/b/read_0_*"

enum shape { FAILS, OF_ROWS, VALUE };
static const char *const shape_keys[] = { [FAILS] = NULL, [OF_ROWS] = "rows", [VALUE] = "value" };

/* ALL: each key that the page names is there. ABOUT_PROGRAM: it is asked of PROGRAM. */
enum { SOME, ALL = 1, ABOUT_PROGRAM = 2 };
static const struct sample {
	const char *command, *line;
	enum shape shape;
	unsigned how;
} samples[] = {
	{ "back", "back", FAILS, SOME },
	{ "close", "close", FAILS, SOME },
	{ "config", "config", OF_ROWS, ALL },
	{ "config", "config set nothing 1", FAILS, SOME },
	{ "diff", "diff testdata/linear", OF_ROWS, ALL },
	{ "diff", "diff --all -s tensor -r testdata/linear", OF_ROWS, ALL },
	{ "diff", "diff linear/w:0 testdata/linear", VALUE, ALL },
	{ "diff", "diff loss/sq:0[0] testdata/linear", VALUE, ALL },
	{ "diff", "diff", FAILS, SOME },
	{ "diff", "diff nowhere", FAILS, SOME },
	{ "diff", "diff --atol x testdata/linear", FAILS, SOME },
	{ "doctor", "doctor", OF_ROWS, ALL },
	{ "doctor", "doctor extra", FAILS, SOME },
	{ "dot", "dot nothing", FAILS, SOME },
	{ "drift", "drift --all", OF_ROWS, ALL },
	{ "drift", "drift -s size", FAILS, SOME },
	{ "drift", "drift --threshold x", FAILS, SOME },
	{ "du", "du", OF_ROWS, ALL },
	{ "du", "du -g dtype loss --depth 2", OF_ROWS, ALL },
	{ "du", "du nowhere", FAILS, SOME },
	{ "du", "du -g nothing", FAILS, SOME },
	{ "eval", "ev `loss/sq:0`*2", VALUE, ALL },
	{ "eval", "eval np.mean(`loss/sq:0`)", VALUE, SOME },
	{ "eval", "ev `nowhere:0`", FAILS, SOME },
	{ "exit", "exit 1", FAILS, SOME },
	{ "export", "export /dev/null/none", FAILS, ALL },
	{ "export", "export --as zip x", FAILS, SOME },
	{ "explain", "explain linear/w:0 -e 0,0", OF_ROWS, ALL },
	{ "explain", "explain linear/w", OF_ROWS, ALL },
	{ "explain", "explain linear/w:0 -e 9,0", FAILS, SOME },
	{ "explain", "explain nowhere", FAILS, SOME },
	{ "filter", "filter", OF_ROWS, ALL },
	{ "filter", "filter add bad nan --session", OF_ROWS, ALL },
	{ "filter", "filter show nothing", FAILS, SOME },
	{ "focus", "focus next", FAILS, SOME },
	{ "graph", "graph loss/sq -d 2", VALUE, ALL },
	{ "graph", "graph nothing", FAILS, SOME },
	{ "grid", "grid loss/sq:0", VALUE, ALL },
	{ "grid", "grid linear/w[1:] -a 1,0", VALUE, ALL },
	{ "grid", "grid nowhere", FAILS, SOME },
	{ "help", "help", OF_ROWS, ALL },
	{ "help", "help pt", OF_ROWS, ALL },
	{ "help", "help a b", FAILS, SOME },
	{ "kernels", "kernels -g type", OF_ROWS, SOME },
	{ "kernels", "kt -g source -l 2 -r", OF_ROWS, SOME },
	{ "kernels", "kernels -u copy", FAILS, SOME },
	{ "layout", "layout", OF_ROWS, ALL },
	{ "layout", "layout side", FAILS, SOME },
	{ "list_inputs", "li -r -c loss/sq", OF_ROWS, ALL },
	{ "list_inputs", "li nowhere", FAILS, SOME },
	{ "list_outputs", "lo -r loss/sq:0", OF_ROWS, ALL },
	{ "list_source", "ls", OF_ROWS, ALL },
	{ "list_source", "ls -p (", FAILS, SOME },
	{ "list_tensors", "lt", OF_ROWS, SOME },
	{ "list_tensors", "lt --times --health", OF_ROWS, ALL },
	{ "list_tensors", "lt --times", OF_ROWS, SOME },
	{ "list_tensors", "lt --health -n loss/.*", OF_ROWS, SOME },
	{ "list_tensors", "lt -s dump_size -r -n loss/.*", OF_ROWS, SOME },
	{ "list_tensors", "lt --time_unit s", OF_ROWS, SOME },
	{ "list_tensors", "lt --time_unit min", FAILS, SOME },
	{ "list_tensors", "lt -s nothing", FAILS, SOME },
	{ "list_tensors", "lt --nothing", FAILS, SOME },
	{ "list_profile", "lp", OF_ROWS, ALL },
	{ "list_profile", "lp -d .*CPU:0 -n loss -s op_time -r", OF_ROWS, ALL },
	{ "list_profile", "lp --step 7", FAILS, SOME },
	{ "list_profile", "lp -e 5", FAILS, SOME },
	{ "alias", "alias lt ls", FAILS, SOME },
	{ "unalias", "unalias nosuch", FAILS, SOME },
	{ "bind", "bind view x lt", FAILS, SOME },
	{ "unbind", "unbind view x", FAILS, SOME },
	{ "marks", "marks all", FAILS, SOME },
	{ "tagged", "tagged pt %t", FAILS, SOME },
	{ "messages", "messages all", FAILS, SOME },
	{ "node_info", "ni loss/sq", VALUE, SOME },
	{ "node_info", "ni -a -d -t loss/sq", VALUE, ALL },
	{ "node_info", "ni", FAILS, SOME },
	{ "origins", "origins", VALUE, ALL },
	{ "origins", "origins -a -n 1", VALUE, ALL },
	{ "origins", "origins -n -1", FAILS, SOME },
	{ "origins", "origins 1 2", FAILS, SOME },
	{ "origins", "origins 77", FAILS, SOME },
	{ "overview", "overview", VALUE, ALL },
	{ "picture", "picture loss/sq:0", VALUE, ALL },
	{ "picture", "picture loss/sq:0 -k hist -w 3", VALUE, ALL },
	{ "picture", "picture loss/sq:0 -k nothing", FAILS, SOME },
	{ "pprof", "pprof -o /dev/null", VALUE, ALL },
	{ "pprof", "pprof --mode scope -o /dev/null", VALUE, ALL },
	{ "pprof", "pprof", FAILS, SOME },
	{ "print_feed", "pf x:0", VALUE, SOME },
	{ "print_feed", "pf -s x:0[0]", VALUE, ALL },
	{ "print_feed", "pf z:0", FAILS, SOME },
	{ "print_source", "ps linear.py", OF_ROWS, ALL },
	{ "print_source", "ps -t -b 19 -m 1 linear.py", OF_ROWS, ALL },
	{ "print_source", "ps nowhere.py", FAILS, SOME },
	{ "print_tensor", "pt loss/sq:0", VALUE, SOME },
	{ "print_tensor", "pt -s linear/w[0]", VALUE, ALL },
	{ "print_tensor", "pt -s linear/w[0:0]", VALUE, ALL },
	{ "print_tensor", "pt loss/mse", VALUE, SOME },
	{ "print_tensor", "pt linear/b", OF_ROWS, ALL },
	{ "print_tensor", "pt -n 1 linear/b", VALUE, SOME },
	{ "print_tensor", "pt -n 2 linear/b", FAILS, SOME },
	{ "resize", "resize +3", FAILS, SOME },
	{ "run", "run", FAILS, SOME },
	{ "run", "run --to 1", VALUE, ALL },
	{ "run", "run -f nothing", FAILS, SOME },
	{ "run", "run -t", FAILS, SOME },
	{ "run_info", "ri", VALUE, ALL },
	{ "run_info", "ri 2", FAILS, SOME },
	{ "runs", "runs", OF_ROWS, ALL },
	{ "runs", "runs -f has_inf_or_nan", OF_ROWS, ALL },
	{ "runs", "runs -f nothing", FAILS, SOME },
	{ "runs", "runs --split", FAILS, SOME },
	{ "split", "split h", FAILS, SOME },
	{ "memory", "memory", OF_ROWS, ALL },
	{ "memory", "memory nothing", FAILS, SOME },
	{ "gaps", "gaps --step 0", FAILS, SOME },
	{ "overlap", "overlap", FAILS, SOME },
	{ "pipeline", "pipeline --step 9", FAILS, SOME },
	{ "steps", "steps", OF_ROWS, ALL },
	{ "kernels", "kernels --idle -l 2", OF_ROWS, SOME },
	{ "kernels", "kernels -g stack", FAILS, SOME },
	{ "scopes", "scopes --depth 3", OF_ROWS, ALL },
	{ "scopes", "scopes -u nothing", FAILS, SOME },
	{ "step", "step", OF_ROWS, ALL },
	{ "step", "step next", FAILS, SOME },
	{ "timeline", "timeline", OF_ROWS, ALL },
	{ "timeline", "timeline --step 7", FAILS, SOME },
	{ "tfprof", "tfprof", OF_ROWS, SOME },
	{ "tfprof", "tfprof scope -select micros,bytes,device -max_depth 3", OF_ROWS, SOME },
	{ "tfprof", "tfprof op -select micros,occurrence -order_by micros", OF_ROWS, SOME },
	{ "tfprof", "tfprof graph -select params,input_shapes", OF_ROWS, SOME },
	{ "tfprof", "tfprof advise", OF_ROWS, SOME },
	{ "tfprof", "tfprof scope -step 9", FAILS, SOME },
	{ "version", "version", VALUE, ALL },
	{ "zoom", "zoom", FAILS, SOME },
	{ "back", "back", FAILS, ABOUT_PROGRAM },
	{ "doctor", "doctor", OF_ROWS, ALL | ABOUT_PROGRAM },
	{ "du", "du -g op", OF_ROWS, ALL | ABOUT_PROGRAM },
	{ "du", "du --run 2", FAILS, ABOUT_PROGRAM },
	{ "origins", "origins", VALUE, ALL | ABOUT_PROGRAM },
	{ "origins", "origins 1", VALUE, ALL | ABOUT_PROGRAM },
	{ "origins", "origins 77", FAILS, ABOUT_PROGRAM },
	{ "origins", "origins --max-bytes 0", VALUE, ALL | ABOUT_PROGRAM },
	{ "overview", "overview", VALUE, ALL | ABOUT_PROGRAM },
	{ "origins", "origins -a -n 1", VALUE, ALL | ABOUT_PROGRAM },
	{ "origins", "origins -n -1", FAILS, ABOUT_PROGRAM },
	{ "list_alerts", "la", OF_ROWS, ALL | ABOUT_PROGRAM },
	{ "list_executions", "lx", OF_ROWS, ABOUT_PROGRAM },
	{ "list_executions", "lx --stacks --max 2", OF_ROWS, ALL | ABOUT_PROGRAM },
	{ "list_executions", "lx -f nothing", FAILS, ABOUT_PROGRAM },
	{ "list_graphs", "lg", OF_ROWS, ABOUT_PROGRAM },
	{ "list_graphs", "lg --ops --stacks", OF_ROWS, ABOUT_PROGRAM },
	{ "list_graphs", "lg -g nothing", FAILS, ABOUT_PROGRAM },
	{ "list_inputs", "li -r -t -c '#31'", OF_ROWS, ALL | ABOUT_PROGRAM },
	{ "list_inputs", "li -r Log", OF_ROWS, ALL | ABOUT_PROGRAM },
	{ "list_inputs", "li nothing", FAILS, ABOUT_PROGRAM },
	{ "list_outputs", "lo '#30'", OF_ROWS, ALL | ABOUT_PROGRAM },
	{ "list_outputs", "lo '#99'", FAILS, ABOUT_PROGRAM },
	{ "list_source", "ls", OF_ROWS, ABOUT_PROGRAM },
	{ "list_source", "ls --frames", OF_ROWS, ABOUT_PROGRAM },
	{ "list_source", "ls --frames -n x", FAILS, ABOUT_PROGRAM },
	{ "list_tensors", "lt --all-steps --checksum --health", OF_ROWS, ALL | ABOUT_PROGRAM },
	{ "list_tensors", "lt --step 31 -f has_nan", OF_ROWS, ABOUT_PROGRAM },
	{ "list_tensors", "lt", FAILS, ABOUT_PROGRAM },
	{ "list_tensors", "lt --step 46", FAILS, ABOUT_PROGRAM },
	{ "node_info", "ni -d -t -a Log", VALUE, ALL | ABOUT_PROGRAM },
	{ "node_info", "ni -d -t -a '#31'", VALUE, ABOUT_PROGRAM },
	{ "node_info", "ni nothing", FAILS, ABOUT_PROGRAM },
	{ "print_feed", "pf --step 31", OF_ROWS, ALL | ABOUT_PROGRAM },
	{ "print_source", "ps train.py", OF_ROWS, ABOUT_PROGRAM },
	{ "print_source", "ps -t train.py", OF_ROWS, ABOUT_PROGRAM },
	{ "print_source", "ps nowhere.py", FAILS, ABOUT_PROGRAM },
	{ "run", "run -f has_inf_or_nan", VALUE, ALL | ABOUT_PROGRAM },
	{ "run", "run --to 46", FAILS, ABOUT_PROGRAM },
	{ "run_info", "ri", VALUE, ALL | ABOUT_PROGRAM },
	{ "runs", "runs", OF_ROWS, ALL | ABOUT_PROGRAM },
	{ "runs", "runs 1", VALUE, ALL | ABOUT_PROGRAM },
	{ "runs", "runs nothing", FAILS, ABOUT_PROGRAM },
};
enum { N_SAMPLES = ROWS(samples) };

static char *dir;

static void setup(void)
{
	struct program_run ran;

	dir = scratch_new();
	program_run((const char *[]){ "sh", "-c", MAKE_DUMP, dir, NULL }, NULL, NULL, &ran);
	ck_assert_msg(ran.status == 0, "%s", str_text(&ran.err));
	program_release(&ran);
}

static void teardown(void)
{
	scratch_remove(dir);
}

/* What the program prints for a line, typed; its exit status. */
static int ask(const struct sample *sample, const char *format, struct str *out)
{
	const char *line = sample->line;
	struct str dump = {0}, option = {0};
	struct program_run ran;
	int status;

	str_fmt(&dump, "%s/dump", dir);
	str_fmt(&option, "--format=%s", format);
	if (sample->how & ABOUT_PROGRAM)
		program_run((const char *[]){ program_path(), "-c", line, option.text, PROGRAM,
		                              NULL }, NULL, NULL, &ran);
	else
		program_run((const char *[]){ program_path(), "--stacks", STACKS,
		                              "--run-metadata", STEP, "-c", line, option.text,
		                              dump.text, NULL }, NULL, NULL, &ran);
	str_put(out, str_text(&ran.out), ran.out.len);
	status = ran.status;
	program_release(&ran);
	str_release(&dump);
	str_release(&option);
	return status;
}

/* The words of a line of the page that are keys, each with a blank behind it. */
static void add_keys(const char *line, const char *end, struct str *out)
{
	for (line += strlen(".Va "); line < end; ) {
		size_t len = strcspn(line, " \n");

		if (islower((unsigned char)*line)) {
			str_put(out, line, len);
			str_putc(out, ' ');
		}
		line += len + 1;
	}
}

/* The keys that the page names for rows or value of a command. */
static void documented_keys(const struct sample *sample, struct str *out)
{
	const char *command = sample->command, *shape = shape_keys[sample->shape];
	struct str page = {0}, entry = {0};
	const char *at, *end;

	ck_assert(read_whole(PAGE, &page));
	str_fmt(&entry, "\n.It Ic %s No (%s%s)\n", command, shape,
	        sample->how & ABOUT_PROGRAM ? ", program" : "");
	at = strstr(page.text, entry.text);
	ck_assert_msg(at != NULL, "%s does not tell the %s of %s", PAGE, shape, command);
	for (at += entry.len; strncmp(at, ".It ", 4) && strncmp(at, ".El", 3); at = end + 1) {
		end = strchr(at, '\n');
		if (!strncmp(at, ".Va ", 4))
			add_keys(at, end, out);
	}
	str_release(&page);
	str_release(&entry);
}

/* Are the words of part among those of whole, in the same order? */
static bool is_part(const char *part, const char *whole)
{
	while (*part) {
		size_t len = strcspn(part, " ") + 1;

		while (*whole && strncmp(whole, part, len))
			whole += strcspn(whole, " ") + 1;
		if (!*whole)
			return false;
		whole += len;
		part += len;
	}
	return true;
}

static void check_keys(const struct sample *sample, const struct str *got)
{
	struct str want = {0};

	documented_keys(sample, &want);
	if (sample->how & ALL)
		ck_assert_str_eq(str_text(got), str_text(&want));
	else
		ck_assert_msg(is_part(str_text(got), str_text(&want)),
		              "%s has keys %s, the page says %s", sample->line, str_text(got),
		              str_text(&want));
	str_release(&want);
}

/* The keys of the object that follows, their values passed over. */
static void read_object(struct json *json, struct str *keys)
{
	str_reset(keys);
	ck_assert_msg(json_object(json), "%s", json->err->msg);
	while (json_more(json)) {
		str_fmt(keys, "%s ", json->key.text);
		ck_assert_msg(json_skip(json), "%s", json->err->msg);
	}
	ck_assert_msg(!json->failed, "%s", json->err->msg);
}

static void read_rows(struct json *json, const struct sample *sample)
{
	struct str keys = {0};
	size_t n = 0;

	ck_assert(json_array(json));
	for (; json_more(json); n++) {
		read_object(json, &keys);
		check_keys(sample, &keys);
	}
	ck_assert_msg(!json->failed, "%s", json->err->msg);
	ck_assert_uint_gt(n, 0);
	str_release(&keys);
}

static void next_key(struct json *json, const char *key)
{
	ck_assert_msg(json_more(json), "no key %s: %s", key, json->err->msg);
	ck_assert_str_eq(json->key.text, key);
}

/* Answers of a name of their own, with more keys before their rows or value. */
static bool has_keys_beside(const struct sample *sample)
{
	static const char *const commands[] = {
		"gaps", "graph", "kernels", "memory", "overlap", "pipeline", "scopes", "steps",
		"timeline",
	};

	for (size_t i = 0; i < ROWS(commands) && !(sample->how & ABOUT_PROGRAM); i++)
		if (!strcmp(sample->command, commands[i]))
			return true;
	return false;
}

static void find_content(struct json *json, const struct sample *sample)
{
	while (json_more(json) && strcmp(json->key.text, shape_keys[sample->shape])) {
		ck_assert_msg(has_keys_beside(sample) || sample->how & ABOUT_PROGRAM,
		              "%s: key %s", sample->line, json->key.text);
		ck_assert(json_skip(json));
	}
	ck_assert_msg(!json->failed, "%s", json->err->msg);
	ck_assert_str_eq(json->key.text, shape_keys[sample->shape]);
}

static void read_head(struct json *json, const struct sample *sample)
{
	next_key(json, "command");
	ck_assert(json_string(json));
	if (!has_keys_beside(sample) || sample->shape == FAILS)
		ck_assert_str_eq(json->text.text, sample->line);
	else
		ck_assert_str_eq(json->text.text, sample->command);
	next_key(json, "ok");
	ck_assert(json_skip(json));
	next_key(json, "error");
	if (sample->shape == FAILS)
		ck_assert(json_string(json) && json->text.len);
	else
		ck_assert(json_null(json));
	next_key(json, "warnings");
	ck_assert(json_array(json));
	ck_assert(!json_more(json) && !json->failed);
}

static void read_answer(struct json *json, const struct sample *sample)
{
	struct str keys = {0};
	bool more;

	ck_assert(json_object(json));
	read_head(json, sample);
	if (sample->shape != FAILS)
		find_content(json, sample);
	if (sample->shape == OF_ROWS) {
		read_rows(json, sample);
	} else if (sample->shape == VALUE) {
		read_object(json, &keys);
		check_keys(sample, &keys);
	}
	more = json_more(json);
	if (more && sample->shape == OF_ROWS) {
		ck_assert_str_eq(json->key.text, "summary");
		read_object(json, &keys);
		more = json_more(json);
	}
	ck_assert(!more && !json->failed);
	ck_assert_msg(json_end(json), "%s", json->err->msg);
	str_release(&keys);
}

START_TEST(json_is_as_documented)
{
	const struct sample *sample = &samples[_i];
	struct str out = {0};
	struct err err = {0};
	struct file file;
	struct json json;

	ck_assert_int_eq(ask(sample, "json", &out), sample->shape == FAILS);
	ck_assert_ptr_eq(strchr(str_text(&out), '\n'), out.text + out.len - 1);
	ck_assert_ptr_nonnull(strstr(out.text, sample->shape == FAILS ? "\"ok\":false," :
	                                                                "\"ok\":true,"));
	ck_assert(file_open(&file, file_of(out.text, out.len), &err));
	json_start(&json, &file, &err);
	read_answer(&json, sample);
	json_release(&json);
	file_close(&file);
	str_release(&out);
}
END_TEST

/* Cells of the row at *at, which goes to the next one. */
static size_t count_cells(const char **at)
{
	size_t n = 1;
	bool quoted = false;

	for (; **at && (quoted || **at != '\n'); ++*at) {
		if (**at == '"')
			quoted = !quoted;
		n += **at == ',' && !quoted;
	}
	ck_assert(!quoted && **at == '\n');
	++*at;
	return n;
}

START_TEST(csv_is_a_table)
{
	const struct sample *sample = &samples[_i];
	bool shows_tensor = !strcmp(sample->command, "print_tensor") ||
	                    !strcmp(sample->command, "print_feed") ||
	                    !strcmp(sample->command, "eval") || !strcmp(sample->command, "grid") ||
	                    !strcmp(sample->command, "diff");
	bool is_array = shows_tensor && sample->shape == VALUE;
	struct str out = {0}, heading = {0};
	const char *at;
	size_t cells, n_rows;

	ck_assert_int_eq(ask(sample, "csv", &out), sample->shape == FAILS);
	at = str_text(&out);
	cells = *at ? count_cells(&at) : 0;
	for (const char *c = str_text(&out); c < at; c++)
		str_putc(&heading, *c == ',' || *c == '\n' ? ' ' : *c);
	if (sample->shape == FAILS)
		ck_assert_str_eq(heading.text, "error ");
	else if (!is_array)
		check_keys(sample, &heading);
	for (n_rows = 1; *at; n_rows++)
		ck_assert_uint_eq(count_cells(&at), cells);
	if (!is_array)
		ck_assert_uint_gt(n_rows, 1);
	if (sample->shape != OF_ROWS && !is_array)
		ck_assert_uint_eq(n_rows, 2);
	str_release(&out);
	str_release(&heading);
}
END_TEST

START_TEST(every_command_is_here)
{
	size_t i = 0;

	while (i < N_SAMPLES && strcmp(samples[i].command, registry_at(_i)->name))
		i++;
	ck_assert_msg(i < N_SAMPLES, "no sample of %s", registry_at(_i)->name);
}
END_TEST

SUITE_MAIN("typed",
	tcase_add_unchecked_fixture(t, setup, teardown);
	tcase_add_loop_test(t, json_is_as_documented, 0, N_SAMPLES);
	tcase_add_loop_test(t, csv_is_a_table, 0, N_SAMPLES);
	tcase_add_loop_test(t, every_command_is_here, 0, (int)registry_len());
)
