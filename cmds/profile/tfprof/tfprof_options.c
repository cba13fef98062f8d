/* The words are read as tfprof's command line reads them: same command lines, same error texts. */
#include "cmds/profile/tfprof/tfprof_options.h"
#include "dump/base/str.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define X(id, name) name,
static const char *const number_names[TFPROF_N_NUMBERS] = { TFPROF_NUMBERS(X) };
static const char *const list_names[TFPROF_N_LISTS] = { TFPROF_LISTS(X) };
#undef X

const char *const tfprof_item_names[TFPROF_N_ITEMS] = {
	"accelerator_micros", "bytes", "cpu_micros", "device",
	"float_ops", "input_shapes", "micros", "occurrence",
	"op_types", "output_bytes", "params", "peak_bytes",
	"residual_bytes", "tensor_value",
};

static const char *const output_names[] = {
	[TFPROF_TIMELINE] = "timeline", [TFPROF_STDOUT] = "stdout", [TFPROF_FILE] = "file",
	[TFPROF_PPROF] = "pprof", [TFPROF_NOTHING] = "none",
};
enum { N_OUTPUTS = sizeof output_names / sizeof *output_names };

static void one(struct tfprof_list *list, const char *word, struct arena *mem)
{
	list->at = arena_alloc(mem, sizeof *list->at);
	list->at[0] = word;
	list->n = 1;
}

void tfprof_options_default(struct tfprof_options *options, struct arena *mem)
{
	*options = (struct tfprof_options){ .order_by = "name", .output = TFPROF_STDOUT };
	options->number[TFPROF_MAX_DEPTH] = 10;
	options->number[TFPROF_STEP] = -1;
	one(&options->list[TFPROF_ACCOUNT_TYPE], ".*", mem);
	one(&options->list[TFPROF_START_NAME], ".*", mem);
	one(&options->list[TFPROF_SHOW_NAME], ".*", mem);
	one(&options->select, "micros", mem);
}

static struct tfprof_list copy_list(const struct tfprof_list *from, struct arena *mem)
{
	struct tfprof_list to = { arena_alloc(mem, (from->n + 1) * sizeof *to.at), from->n };

	for (size_t i = 0; i < from->n; i++)
		to.at[i] = arena_copy(mem, from->at[i], strlen(from->at[i]));
	return to;
}

void tfprof_options_copy(struct tfprof_options *to, const struct tfprof_options *from,
                         struct arena *mem)
{
	*to = *from;
	to->order_by = arena_copy(mem, from->order_by, strlen(from->order_by));
	for (int i = 0; i < TFPROF_N_LISTS; i++)
		to->list[i] = copy_list(&from->list[i], mem);
	to->select = copy_list(&from->select, mem);
	if (from->outfile)
		to->outfile = arena_copy(mem, from->outfile, strlen(from->outfile));
}

static bool read_number(const char *word, int64_t min, int64_t max, int64_t *number)
{
	char *end;
	long long n;

	if (!*word || strspn(word, "+-0123456789") != strlen(word))
		return false;
	errno = 0;
	n = strtoll(word, &end, 10);
	if (errno || *end || end == word || n < min || n > max)
		return false;
	*number = n;
	return true;
}

static bool read_bool(const char *word, bool *value)
{
	static const char *const words[] = { "true", "t", "yes", "y", "1",
	                                     "false", "f", "no", "n", "0" };

	for (size_t i = 0; i < 10; i++)
		if (!strcasecmp(word, words[i])) {
			*value = i < 5;
			return true;
		}
	return false;
}

/* Commas separate the words of a list; empty words and quotes around the list are dropped. */
static struct tfprof_list read_list(const char *word, struct arena *mem)
{
	size_t len, n = 1;
	struct tfprof_list list = {0};

	word += strspn(word, "\"'");
	len = strlen(word);
	while (len && strchr("\"'", word[len - 1]))
		len--;
	for (size_t i = 0; i < len; i++)
		n += word[i] == ',';
	list.at = arena_alloc(mem, n * sizeof *list.at);
	for (size_t begin = 0; begin < len; ) {
		const char *comma = memchr(word + begin, ',', len - begin);
		size_t end = comma ? (size_t)(comma - word) : len;

		if (end > begin)
			list.at[list.n++] = arena_copy(mem, word + begin, end - begin);
		begin = end + 1;
	}
	return list;
}

static bool read_output_type(const char *word, size_t len, enum tfprof_output_type *type,
                             struct str *complaint)
{
	for (int i = 0; i < N_OUTPUTS; i++)
		if (strlen(output_names[i]) == len && !memcmp(word, output_names[i], len)) {
			*type = (enum tfprof_output_type)i;
			return true;
		}
	str_fmt(complaint,
	        "Invalid argument: E.g. Unknown output type: %.*s, Valid types: "
	        "file,none,pprof,stdout,timeline",
	        (int)len, word);
	return false;
}

/* TYPE[:KEY=VALUE,...]; the only key is outfile, which three of the types need. */
static bool read_output(struct tfprof_options *options, const char *word, struct arena *mem,
                        struct str *complaint)
{
	const char *colon = strchr(word, ':'), *outfile = NULL;
	struct tfprof_list pairs = {0};
	bool takes_file;

	if (!read_output_type(word, colon ? (size_t)(colon - word) : strlen(word), &options->output,
	                      complaint))
		return false;
	takes_file = options->output != TFPROF_STDOUT && options->output != TFPROF_NOTHING;
	if (colon)
		pairs = read_list(colon + 1, mem);
	for (size_t i = 0; i < pairs.n; i++) {
		const char *key = pairs.at[i] + strspn(pairs.at[i], "=");
		size_t len = strcspn(key, "=");

		if (!key[len] || !key[len + strspn(key + len, "=")]) {
			str_puts(complaint, "Invalid argument: Visualize format: -output "
			         "timeline:key=value,key=value,...");
			return false;
		}
		if (!takes_file || len != strlen("outfile") || memcmp(key, "outfile", len)) {
			str_fmt(complaint,
			        "Invalid argument: Unrecognized options %.*s for output_type: %s",
			        (int)len, key, output_names[options->output]);
			return false;
		}
		outfile = key + len + strspn(key + len, "=");
	}
	if (takes_file && !outfile) {
		str_fmt(complaint,
		        "Invalid argument: Missing required output_options for %s\nE.g. -output "
		        "%s:outfile=...",
		        output_names[options->output], output_names[options->output]);
		return false;
	}
	options->outfile = outfile;
	return true;
}

/* Position in a table of names; n: not there. */
static int position(const char *word, const char *const *names, int n)
{
	for (int i = 0; i < n; i++)
		if (!strcmp(word, names[i]))
			return i;
	return n;
}

/* Any option but the output. Returns how many words it took, 0 for a wrong value or name. */
static size_t read_option(struct tfprof_options *options, const char *name, const char *value,
                          struct arena *mem)
{
	int i;

	if (!strcmp(name, "account_displayed_op_only")) {
		if (!value || *value == '-') {
			options->displayed_only = true;
			return 1;
		}
		return read_bool(value, &options->displayed_only) ? 2 : 0;
	}
	if (!value)
		return 0;
	i = position(name, number_names, TFPROF_N_NUMBERS);
	if (i < TFPROF_N_NUMBERS)
		return read_number(value, i == TFPROF_MAX_DEPTH ? INT32_MIN : INT64_MIN,
		                   i == TFPROF_MAX_DEPTH ? INT32_MAX : INT64_MAX,
		                   &options->number[i]) ? 2 : 0;
	i = position(name, list_names, TFPROF_N_LISTS);
	if (i < TFPROF_N_LISTS) {
		options->list[i] = read_list(value, mem);
		return 2;
	}
	if (!strcmp(name, "select")) {
		options->select = read_list(value, mem);
		options->select.n = texts_sort_once(options->select.at, options->select.n);
		return 2;
	}
	if (!strcmp(name, "order_by")) {
		options->order_by = value;
		return 2;
	}
	return 0;
}

bool tfprof_options_parse(struct tfprof_options *options, char **words, size_t n, struct arena *mem,
                          struct str *complaint)
{
	for (size_t i = 0; i < n; ) {
		const char *value = i + 1 < n ? words[i + 1] : NULL;
		size_t took = 0;

		if (!strcmp(words[i], "-output") && value) {
			if (!read_output(options, value, mem, complaint))
				return false;
			took = 2;
		} else if (words[i][0] == '-') {
			took = read_option(options, words[i] + 1, value, mem);
		}
		if (!took) {
			str_fmt(complaint, "E: Invalid argument: Invalid option '%s' value: '%s'",
			        words[i], value ? value : "");
			return false;
		}
		i += took;
	}
	return true;
}

static void put_list(struct str *out, const struct tfprof_list *list)
{
	for (size_t i = 0; i < list->n; i++)
		str_fmt(out, "%s%s", i ? "," : "", list->at[i]);
}

/* "-name" in 28 columns. */
static void put_name(struct str *out, const char *name)
{
	size_t begin = out->len;

	str_fmt(out, "-%s", name);
	if (out->len - begin < 28)
		str_fill(out, ' ', 28 - (out->len - begin));
}

void tfprof_options_text(const struct tfprof_options *options, struct str *out)
{
	for (int i = 0; i < TFPROF_N_NUMBERS; i++) {
		put_name(out, number_names[i]);
		str_fmt(out, "%lld\n", (long long)options->number[i]);
	}
	put_name(out, "order_by");
	str_fmt(out, "%s\n", options->order_by);
	for (int i = 0; i < TFPROF_N_LISTS; i++) {
		put_name(out, list_names[i]);
		put_list(out, &options->list[i]);
		str_putc(out, '\n');
	}
	put_name(out, "account_displayed_op_only");
	str_fmt(out, "%s\n", options->displayed_only ? "true" : "false");
	put_name(out, "select");
	put_list(out, &options->select);
	str_putc(out, '\n');
	put_name(out, "output");
	str_fmt(out, "%s:", output_names[options->output]);
	if (options->outfile)
		str_fmt(out, "outfile=%s", options->outfile);
	str_putc(out, '\n');
}

bool tfprof_selected(const struct tfprof_options *options, enum tfprof_item item)
{
	for (size_t i = 0; i < options->select.n; i++)
		if (!strcmp(options->select.at[i], tfprof_item_names[item]))
			return true;
	return false;
}

bool tfprof_list_is_all(const struct tfprof_list *list)
{
	return list->n == 1 && !strcmp(list->at[0], ".*");
}
