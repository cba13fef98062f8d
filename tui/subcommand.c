#include "tui/subcommand.h"

#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmds/summary/merge.h"
#include "cmds/summary/summarize.h"
#include "dump/base/say.h"
#include "tui/line.h"
#include "tui/options.h"

enum { FINE, FAILED, WRONG_USAGE, UNREADABLE };
enum { SHARDS_MOST = 1000000, PROBLEMS_TOLD = 3 };

struct wanted {
	const char *out, *worker;
	uint32_t k, n;
	bool help;
	char **operands;
	int n_operands;
};

enum { OPT_OUT = 'o', OPT_HELP = 'h', OPT_SHARD = 256, OPT_WORKER };

static const struct option merge_options[] = {
	{ "output", required_argument, NULL, OPT_OUT },
	{ "help", no_argument, NULL, OPT_HELP },
	{ 0 },
};
static const struct option summarize_options[] = {
	{ "output", required_argument, NULL, OPT_OUT },
	{ "help", no_argument, NULL, OPT_HELP },
	{ "shard", required_argument, NULL, OPT_SHARD },
	{ "worker", required_argument, NULL, OPT_WORKER },
	{ 0 },
};

/* ---- what the words say */

static int complain(const char *what, const char *value, const char *want)
{
	say("%s%s%s: %s", what, *value ? "=" : "", value, want);
	return WRONG_USAGE;
}

static bool read_count(const char *text, char **end, uint32_t *out)
{
	unsigned long number;

	errno = 0;
	number = strtoul(text, end, 10);
	*out = (uint32_t)number;
	return *text >= '0' && *text <= '9' && !errno && number && number <= SHARDS_MOST;
}

static bool read_shard(const char *text, struct wanted *out)
{
	char *end;

	return read_count(text, &end, &out->k) && *end == '/' &&
	       read_count(end + 1, &end, &out->n) && !*end && out->k <= out->n;
}

/* The status if they are wrong, else FINE. */
static int read_words(int argc, char **argv, const struct option *options, struct wanted *out)
{
	int id;

	*out = (struct wanted){ .k = 1, .n = 1 };
	opterr = 0;
	optind = 0;
	while ((id = getopt_long(argc, argv, ":o:h", options, NULL)) >= 0)
		switch (id) {
		case OPT_OUT: out->out = optarg; break;
		case OPT_HELP: out->help = true; break;
		case OPT_WORKER:
			out->worker = optarg;
			if (!*optarg)
				return complain("--worker", optarg, "a name is wanted");
			break;
		case OPT_SHARD:
			if (!read_shard(optarg, out))
				return complain("--shard", optarg,
				                "K/N is wanted: two numbers, K from 1 to N");
			break;
		case ':': return complain(argv[optind - 1], "", "a value is wanted");
		default: return complain(argv[optind - 1], "", "no such option");
		}
	out->operands = argv + optind;
	out->n_operands = argc - optind;
	return FINE;
}

/* ---- what becomes of it */

static int status_of(const struct err *err)
{
	bool of_words = !strcmp(err->src, "command");

	if (of_words && err->code == ERR_VALUE)
		return WRONG_USAGE;
	return of_words || err->code == ERR_KEY ? FAILED : UNREADABLE;
}

static int tell(const struct err *err)
{
	if (!strcmp(err->src, "command"))
		say("%s", err->msg);
	else if (err->code == ERR_FORMAT && err->damage != DAMAGE_WHOLE)
		say("%s, offset %" PRIu64 ": %s", err->src, err->off, err->msg);
	else
		say("%s: %s", err->src, err->msg);
	return status_of(err);
}

/* As opening it tells. */
static void tell_problems(const struct map *lines, const char *subject)
{
	struct str text = {0};

	for (size_t i = 0; i < lines->len && i < PROBLEMS_TOLD; i++)
		str_fmt(&text, "%s%s", i ? "; " : "", lines->key[i]);
	if (lines->len)
		say("%zu problem(s) in the %s: %s%s", lines->len, subject, text.text,
		    lines->len > PROBLEMS_TOLD ? "; ..." : "");
	str_release(&text);
}

static int run_summarize(const struct wanted *wanted)
{
	struct problem_lines problems = {0};
	struct summarize what = { wanted->operands[0], wanted->worker, wanted->out, wanted->k,
	                          wanted->n, &problems };
	struct summarized done = {0};
	struct err err = {0};
	bool ok;

	if (wanted->n_operands > 1)
		return complain(wanted->operands[1], "", "one PATH at a time");
	ok = summarize(&what, &done, line_begin_work(), &err);
	line_end_work();
	if (ok)
		tell_problems(&problems.lines, done.of_profile ? "profile" : "dump");
	map_release(&problems.lines);
	arena_release(&problems.mem);
	if (!ok)
		return tell(&err);
	if (done.unread)
		say("%" PRIu64 " tensor(s) of %" PRIu64 " could not be read, the summary says "
		    "which", done.unread, done.values);
	return FINE;
}

static int run_merge(const struct wanted *wanted)
{
	struct merge_done done = {0};
	struct err err = {0};
	bool ok = merge_files((const char *const *)wanted->operands, (size_t)wanted->n_operands,
	                      wanted->out, &done, line_begin_work(), &err);

	line_end_work();
	if (!ok)
		return tell(&err);
	if (done.incomplete)
		say("of %" PRIu64 " dump(s) of %" PRIu64 " shards are missing", done.incomplete,
		    done.sources);
	return FINE;
}

static const struct subcommand {
	const char *name, *usage;
	const struct option *options;
	int (*run)(const struct wanted *wanted);
} subcommands[] = {
	{ "summarize",
	  "Usage: tensordbg summarize PATH -o FILE [--shard=K/N] [--worker=NAME]\n"
	  "Writes what PATH says without its elements: small enough to carry to where those of\n"
	  "other machines are.\n"
	  "\n"
	  "  -o, --output=FILE     the file to write; -: standard output\n"
	  "      --shard=K/N       the K-th of N parts of the work, K from 1\n"
	  "      --worker=NAME     what the machine is called (as PATH says)\n",
	  summarize_options, run_summarize },
	{ "merge",
	  "Usage: tensordbg merge FILE... -o FILE\n"
	  "Joins summaries. Neither their order nor their grouping changes the result.\n"
	  "\n"
	  "  -o, --output=FILE     the file to write; -: standard output\n",
	  merge_options, run_merge },
};

static const struct subcommand *find(const char *word)
{
	for (size_t i = 0; word && i < sizeof subcommands / sizeof *subcommands; i++)
		if (!strcmp(subcommands[i].name, word))
			return &subcommands[i];
	return NULL;
}

static bool takes_next(const char *word)
{
	static const char *const own[] = { "-o", "--output", "--shard", "--worker" };

	for (size_t i = 0; i < sizeof own / sizeof *own; i++)
		if (!strcmp(own[i], word))
			return true;
	return options_takes_next(word);
}

/* Only a subcommand says where to write: it may lack its operands. */
static bool says_where(const char *word)
{
	return !strncmp(word, "-o", 2) || !strncmp(word, "--output", strlen("--output"));
}

bool subcommand_is(int argc, char **argv)
{
	if (argc < 2 || !find(argv[1]))
		return false;
	for (int i = 2; i < argc; i++) {
		if (!strcmp(argv[i], "--"))
			return i + 1 < argc;
		if (argv[i][0] != '-' || !argv[i][1] || says_where(argv[i]))
			return true;
		i += takes_next(argv[i]);
	}
	return false;
}

int subcommand_run(int argc, char **argv)
{
	const struct subcommand *sub = find(argv[1]);
	struct wanted wanted;
	int status = read_words(argc - 1, argv + 1, sub->options, &wanted);

	if (status == FINE && wanted.help) {
		fputs(sub->usage, stdout);
		return FINE;
	}
	if (status == FINE && !wanted.out)
		status = complain(sub->name, "", "-o FILE is wanted");
	if (status == FINE && !wanted.n_operands)
		status = complain(sub->name, "", "what to read is wanted");
	if (status != FINE) {
		options_tell_help(stderr);
		return status;
	}
	return sub->run(&wanted);
}
