#include "cmds/session/roots.h"

#include <string.h>
#include <time.h>

#include "cmds/lang/python.h"

enum { KIND_WIDTH = 13, TIME_WIDTH = 19 };

/* The list outlives what is open. */
struct roots_told {
	const struct target *target;
	const struct target_root *open;
};

bool roots_are_several(const struct shell *shell)
{
	return shell->target.roots.len > 1;
}

static void put_time(struct doc *doc, int64_t time_us)
{
	time_t seconds = (time_t)(time_us / 1000000);
	char text[32] = "-";
	struct tm parts;

	if (time_us >= 0 && localtime_r(&seconds, &parts))
		strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S", &parts);
	doc_put(doc, ROLE_PLAIN, " %-*s", TIME_WIDTH, text);
}

static void put_row(struct doc *doc, const struct target_root *root, size_t number,
                    int number_width, bool is_open)
{
	struct str text = {0};

	str_fmt(&text, "%*zu", number_width, number);
	doc_put(doc, ROLE_PLAIN, "%c", is_open ? '>' : ' ');
	doc_link(doc, ROLE_PLAIN, text.text, "runs %zu", number);
	str_reset(&text);
	if (root->n_runs)
		str_fmt(&text, "%zu", root->n_runs);
	else
		str_puts(&text, "-");
	doc_put(doc, ROLE_PLAIN, " %-*s %5s", KIND_WIDTH, root->kind, text.text);
	put_time(doc, root->first_us);
	put_time(doc, root->last_us);
	doc_put(doc, ROLE_PLAIN, " %s", root->name);
	doc_newline(doc);
	str_release(&text);
}

static void put_us(struct data *data, const char *key, int64_t time_us)
{
	data_key(data, key);
	if (time_us >= 0)
		data_int(data, time_us);
	else
		data_null(data);
}

static bool roots_put_data(void *context, struct data *data, struct progress *progress,
                           struct err *err)
{
	const struct roots_told *told = context;

	(void)progress, (void)err;
	data_list(data);
	for (size_t i = 0; i < told->target->roots.len; i++) {
		const struct target_root *root = &told->target->roots.at[i];

		data_object(data);
		data_key(data, "root");
		data_uint(data, i + 1);
		data_key(data, "name");
		data_str(data, root->name);
		data_key(data, "kind");
		data_str(data, root->kind);
		data_key(data, "runs");
		if (root->n_runs)
			data_uint(data, root->n_runs);
		else
			data_null(data);
		put_us(data, "first_us", root->first_us);
		put_us(data, "last_us", root->last_us);
		data_key(data, "open");
		data_bool(data, root == told->open);
		data_end(data);
	}
	data_end(data);
	return true;
}

void roots_list(struct call *call)
{
	const struct shell *shell = call->shell;
	const struct target *target = &shell->target;
	struct roots_told *told = arena_alloc(doc_mem(call->out), sizeof *told);
	struct doc *doc = call->out;
	int width = 2;

	*told = (struct roots_told){ target, shell->root };
	for (size_t n = target->roots.len; n >= 100; n /= 10)
		width++;
	doc_put(doc, ROLE_PLAIN, " ");
	doc_put(doc, ROLE_STRONG, "%*s %-*s %5s %-*s %-*s %s", width, "#", KIND_WIDTH, "kind",
	        "runs", TIME_WIDTH, "first", TIME_WIDTH, "last", "name");
	doc_newline(doc);
	for (size_t i = 0; i < target->roots.len; i++)
		put_row(doc, &target->roots.at[i], i + 1, width,
		        &target->roots.at[i] == shell->root);
	doc_typed(doc, DATA_ROWS, roots_put_data, told);
}

/* Finds a root by number, name or unique prefix. NULL: the answer says why. */
static const struct target_root *find(struct call *call, const char *word)
{
	const struct target *target = &call->shell->target;
	size_t len = strlen(word), fits = 0;
	const struct target_root *found = NULL;
	int64_t number;

	if (python_digits(word, len, &number)) {
		if (number >= 1 && number <= (int64_t)target->roots.len)
			return &target->roots.at[number - 1];
		call_error(call, "ERROR: There is no root #%.40s: they go from 1 to %zu.", word,
		           target->roots.len);
		return NULL;
	}
	for (size_t i = 0; i < target->roots.len; i++) {
		const struct target_root *root = &target->roots.at[i];

		if (!strcmp(root->name, word))
			return root;
		if (strncmp(root->name, word, len) != 0)
			continue;
		found = root;
		fits++;
	}
	if (fits == 1)
		return found;
	if (fits)
		call_error(call, "ERROR: %zu roots begin with \"%.100s\": give more of the name.",
		           fits, word);
	else
		call_error(call, "ERROR: There is no root \"%.100s\".", word);
	return NULL;
}

void roots_open(struct call *call, const char *word)
{
	const struct target_root *root;

	if (!roots_are_several(call->shell)) {
		call_error(call, "ERROR: There is only one root of runs here: \"run --to %.100s\" "
		                 "goes to a run.", word);
		return;
	}
	root = find(call, word);
	if (!root || !shell_enter_root(call->shell, root, call->progress, &call->err))
		return;
	call->moved = true;
	call_line(call, shell_first_command(call->shell));
}
