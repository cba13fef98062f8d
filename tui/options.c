/* getopt_long's tables are made from ours, so that help and parsing can't disagree. */
#include "tui/options.h"

#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmds/lang/cmd.h"
#include "cmds/lang/registry.h"
#include "cmds/lang/words.h"
#include "dump/base/say.h"
#include "dump/base/str.h"

enum { LONG_ONLY = 256, OPT_ECHO = LONG_ONLY, OPT_UI, OPT_WIDTH, OPT_FORMAT, OPT_COLOR,
       OPT_KEEP_GOING, OPT_ASCII, OPT_PLAIN, OPT_FOLLOW, OPT_POLL, OPT_NO_MOUSE, OPT_SLOW,
       OPT_STACKS, OPT_SOURCE_MAP, OPT_GRAPH, OPT_RUN_METADATA, OPT_OP_LOG, OPT_SCREEN,
       OPT_AS, OPT_WORKER, OPT_DIFF, OPT_MAX_TEMP, OPT_RECORDER, OPT_NO_CACHE };

static const struct row {
	int id;                  /* a letter, or one of the above */
	const char *name, *value, *help;
} rows[] = {
	{ 'c', "command", "CMD", "run CMD, print its answer, exit (repeatable)" },
	{ 'x', "script", "FILE",
	  "run the commands in FILE, one a line, # comments; -: standard input" },
	{ 'i', "interactive", NULL, "stay after -c or -x" },
	{ OPT_ECHO, "echo", NULL, "print \"tensordbg> CMD\" before each answer" },
	{ OPT_UI, "ui", "curses|line|auto", "which interface (auto)" },
	{ OPT_SCREEN, "screen", "modern|tfdbg", "how the screen looks (as style is set: modern)" },
	{ OPT_WIDTH, "width", "N", "width of answers where there is no screen; 0: any (0)" },
	{ OPT_FORMAT, "format", "text|json|csv|doc", "how answers are printed (text)" },
	{ OPT_COLOR, "color", "auto|always|never", "colors (auto)" },
	{ OPT_KEEP_GOING, "keep-going", NULL, "go on after a command that failed" },
	{ OPT_ASCII, "ascii", NULL, "draw the screen with ASCII characters only" },
	{ OPT_PLAIN, "plain", NULL,
	  "for screen readers: lines, no colors, tables as one fact a line" },
	{ OPT_FOLLOW, "follow", NULL,
	  "show what is added to PATH while it grows; wait if it is not there yet" },
	{ OPT_POLL, "poll", NULL,
	  "--follow by looking once a second, without the system's events" },
	{ OPT_NO_MOUSE, "no-mouse", NULL, "no mouse until \"mouse on\"" },
	{ OPT_SLOW, "slow", NULL, "for a slow line: no pictures, nothing is read unasked" },
	{ OPT_STACKS, "stacks", "FILE",
	  "the lines that made the nodes, if not beside the dump" },
	{ OPT_GRAPH, "graph", "FILE", "a GraphDef, if it is not in PATH" },
	{ OPT_RUN_METADATA, "run-metadata", "FILE[=STEP]",
	  "a RunMetadata that is not in PATH (repeatable)" },
	{ OPT_OP_LOG, "op-log", "FILE", "the lines that made the ops, as tfprof wrote them" },
	{ OPT_SOURCE_MAP, "source-map", "FROM=TO",
	  "files recorded below FROM are now below TO (repeatable)" },
	{ OPT_DIFF, "diff", "OLD", "begin with what differs between OLD and PATH, the new one" },
	{ OPT_WORKER, "worker", "NAME", "in a summary, only what this worker recorded" },
	{ OPT_AS, "as", "DTYPE", "type of raw elements in .npy files: bfloat16, float8_e5m2..." },
	{ OPT_MAX_TEMP, "max-temp", "BYTES",
	  "how much of an archive may be unpacked; K, M, G (8G)" },
	{ OPT_RECORDER, "recorder", "NAME|list",
	  "print a Python file that records a program" },
	{ OPT_NO_CACHE, "no-cache", NULL,
	  "read all of PATH, cache nothing" },
	{ 'V', "version", NULL, "print the version" },
	{ 'h', "help", NULL, "print this" },
};
enum { N_ROWS = sizeof rows / sizeof *rows };

static bool complain(const char *option, const char *value, const char *want)
{
	say("--%s=%s: %s", option, value, want);
	return false;
}

/* One of the words in order, as its number. */
static bool read_word(const char *option, const char *value, const char *const *words, int *out)
{
	struct str list = {0};

	for (int i = 0; words[i]; i++)
		if (!strcmp(words[i], value)) {
			*out = i;
			return true;
		}
	for (int i = 0; words[i]; i++)
		str_fmt(&list, "%s %s", i ? " or" : "", words[i]);
	say("--%s=%s: must be%s", option, value, str_text(&list));
	str_release(&list);
	return false;
}

static bool read_width(const char *value, int *out)
{
	char *end;
	long width;

	errno = 0;
	width = strtol(value, &end, 10);
	if (errno || end == value || *end || width < 0 || width > INT_MAX)
		return complain("width", value, "must be a number of columns, 0 or more");
	*out = (int)width;
	return true;
}

/* "500", "16G" */
static bool read_bytes(const char *value, uint64_t *out)
{
	static const char units[] = "KMG";
	char *end;
	const char *unit;

	errno = 0;
	*out = strtoull(value, &end, 10);
	unit = *end ? strchr(units, *end) : NULL;
	for (const char *at = units; unit && at <= unit; at++)
		if (__builtin_mul_overflow(*out, 1024, out))
			errno = ERANGE;
	if (errno || *value < '0' || *value > '9' || (*end && (!unit || end[1])) || !*out)
		return complain("max-temp", value,
		                "must be a number of bytes, perhaps with K, M or G");
	return true;
}

static bool read_format(const char *value, enum doc_format *out)
{
	static const char *const formats[] = { "text", "doc", "json", "csv", NULL };
	int format;

	if (!read_word("format", value, formats, &format))
		return false;
	*out = (enum doc_format)format;
	return true;
}

static bool read_option(int id, const char *value, struct options *out)
{
	static const char *const uis[] = { "auto", "curses", "line", NULL };
	static const char *const whens[] = { "auto", "always", "never", NULL };
	static const char *const styles[] = { "modern", "tfdbg", NULL };
	int number = 0;
	bool ok = true;

	switch (id) {
	case 'c': vec_push(&out->tasks, ((struct task){ false, value })); break;
	case 'x': vec_push(&out->tasks, ((struct task){ true, value })); break;
	case 'i': out->interactive = true; break;
	case OPT_ECHO: out->echo = true; break;
	case OPT_KEEP_GOING: out->keep_going = true; break;
	case OPT_ASCII: out->ascii = true; break;
	case OPT_PLAIN: out->plain = true; break;
	case OPT_NO_MOUSE: out->no_mouse = true; break;
	case OPT_SLOW: out->slow = true; break;
	case OPT_FOLLOW: out->follow = true; break;
	case OPT_POLL: out->follow = out->poll = true; break;
	case OPT_STACKS: out->stacks = value; break;
	case OPT_SOURCE_MAP: vec_push(&out->source_maps, value); break;
	case OPT_GRAPH: out->graph = value; break;
	case OPT_OP_LOG: out->op_log = value; break;
	case OPT_RUN_METADATA: vec_push(&out->run_metadata, value); break;
	case OPT_DIFF: out->against = value; break;
	case OPT_MAX_TEMP: ok = read_bytes(value, &out->max_temp); break;
	case OPT_NO_CACHE: out->no_cache = true; break;
	case OPT_AS: out->raw_type = value; break;
	case OPT_RECORDER: out->recorder = value; break;
	case OPT_WORKER: out->worker = value; break;
	case 'V': out->version = true; break;
	case 'h': out->help = true; break;
	case OPT_WIDTH: ok = read_width(value, &out->width); break;
	case OPT_FORMAT: ok = read_format(value, &out->format); break;
	case OPT_UI:
		ok = read_word("ui", value, uis, &number);
		out->ui = (enum ui)number;
		break;
	case OPT_SCREEN:
		ok = read_word("screen", value, styles, &number);
		out->style = number ? STYLE_TFDBG : STYLE_MODERN;
		break;
	case OPT_COLOR:
		ok = read_word("color", value, whens, &number);
		out->colour = (enum colour_when)number;
		break;
	default: ok = false; break;
	}
	return ok;
}

/* What getopt_long did not take, in its words: it came to this one last. It would print it raw. */
static bool refuse_option(int why, const char *word)
{
	size_t len = strcspn(word + 2, "=");
	int n = 0;

	if (strncmp(word, "--", 2) != 0) {
		say("%s -- '%c'", why == ':' ? "option requires an argument" : "invalid option",
		    optopt);
		return false;
	}
	for (int i = 0; i < N_ROWS; i++)
		n += !strncmp(rows[i].name, word + 2, len);
	if (why == ':')
		say("option '%s' requires an argument", word);
	else if (n == 1)
		say("option '--%.*s' doesn't allow an argument", (int)len, word + 2);
	else if (n)
		say("option '%s' is ambiguous", word);
	else
		say("unrecognized option '%s'", word);
	return false;
}

/* A word as a shell takes it. */
static void put_quoted(struct str *out, const char *word)
{
	static const char plain_characters[] =
		"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+./:,=@%";
	bool plain = *word && !word[strspn(word, plain_characters)];

	if (plain) {
		str_puts(out, word);
		return;
	}
	str_putc(out, '\'');
	for (; *word; word++)
		if (*word == '\'')
			str_puts(out, "'\\''");
		else
			str_putc(out, *word);
	str_putc(out, '\'');
}

/* Words of a command where none belongs: the line that does what was meant. */
static void tell_command(int n, char *const *words, const char *path)
{
	struct str line = {0}, text = {0};

	for (int i = 0; i < n; i++)
		str_fmt(&line, "%s%s", i ? " " : "", words[i]);
	str_puts(&text, "commands go with -c: tensordbg -c ");
	put_quoted(&text, str_text(&line));
	if (path) {
		str_putc(&text, ' ');
		put_quoted(&text, path);
	}
	say("%s", text.text);
	str_release(&line);
	str_release(&text);
}

static bool is_command(const char *word)
{
	return cmd_find(word) && access(word, F_OK) != 0;
}

/* More words than PATH: a command behind it or before it, or another PATH. */
static void tell_surplus(int n, char *const *words)
{
	if (is_command(words[1])) {
		tell_command(n - 1, words + 1, words[0]);
		return;
	}
	if (is_command(words[0])) {
		bool has_path = access(words[n - 1], F_OK) == 0;

		tell_command(n - has_path, words, has_path ? words[n - 1] : NULL);
		return;
	}
	say("one PATH at a time: %s", words[1]);
}

bool options_tell_misplaced(const char *path)
{
	char *word = (char *)path;

	if (!is_command(path))
		return false;
	tell_command(1, &word, NULL);
	return true;
}

void options_tell_help(FILE *out)
{
	fprintf(out, "Try 'tensordbg --help'.\n");
}

bool options_read(int argc, char **argv, struct options *out)
{
	struct option longs[N_ROWS + 2] = {0};
	char shorts[2 * N_ROWS + 2] = ":";       /* first: a value that is missing is told apart */
	size_t n = 1;
	int id;

	for (int i = 0; i < N_ROWS; i++) {
		int argument = rows[i].value ? required_argument : no_argument;

		longs[i] = (struct option){ rows[i].name, argument, NULL, rows[i].id };
		if (rows[i].id < LONG_ONLY)
			shorts[n++] = (char)rows[i].id;
		if (rows[i].id < LONG_ONLY && rows[i].value)
			shorts[n++] = ':';
	}
	/* The British spelling is accepted, and not listed. */
	longs[N_ROWS] = (struct option){ "colour", required_argument, NULL, OPT_COLOR };
	shorts[n] = '\0';
	opterr = 0;
	while ((id = getopt_long(argc, argv, shorts, longs, NULL)) >= 0)
		if (id == '?' || id == ':' ? !refuse_option(id, argv[optind - 1])
		                           : !read_option(id, optarg, out)) {
			if (id == '?' || id == ':')
				options_tell_help(stderr);
			return false;
		}
	if (argc - optind > 1) {
		tell_surplus(argc - optind, argv + optind);
		return false;
	}
	out->path = optind < argc ? argv[optind] : NULL;
	return true;
}

bool options_takes_next(const char *word)
{
	for (int i = 0; i < N_ROWS; i++)
		if (rows[i].value && ((word[0] == '-' && word[1] == rows[i].id && !word[2]) ||
		                      (!strncmp(word, "--", 2) &&
		                       word_is(word + 2, strlen(word + 2), rows[i].name))))
			return true;
	return false;
}

void options_release(struct options *options)
{
	vec_release(&options->tasks);
	vec_release(&options->source_maps);
	vec_release(&options->run_metadata);
}

void options_help(FILE *out)
{
	fprintf(out,
	        "Usage: tensordbg [OPTION]... [PATH]\n"
	        "       tensordbg summarize PATH -o FILE [--shard=K/N] [--worker=NAME]\n"
	        "       tensordbg merge FILE... -o FILE\n"
	        "Shows what TensorFlow, PyTorch, JAX and NumPy programs recorded at PATH: "
	        "tensors, graphs,\ncheckpoints, profiles. Without PATH it opens the current "
	        "directory.\n\n");
	for (int i = 0; i < N_ROWS; i++) {
		char left[64], letter[8] = "   ";

		if (rows[i].id < LONG_ONLY)
			snprintf(letter, sizeof letter, "-%c,", rows[i].id);
		snprintf(left, sizeof left, "  %s --%s%s%s", letter, rows[i].name,
		         rows[i].value ? "=" : "", rows[i].value ? rows[i].value : "");
		fprintf(out, "%-34s  %s\n", left, rows[i].help);
	}
	fprintf(out,
	        "\nExit status: 0 fine, 1 a command failed, 2 wrong usage, "
	        "3 PATH can't be read.\n");
}

bool options_colour(const struct options *options, bool terminal)
{
	const char *no_color = getenv("NO_COLOR"), *term = getenv("TERM");

	if (options->plain)
		return false;
	if (options->colour != COLOUR_AUTO)
		return options->colour == COLOUR_ALWAYS;
	return !(no_color && *no_color) && terminal && term && *term && strcmp(term, "dumb");
}
