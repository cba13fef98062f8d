#include "cmds/session/program.h"

#include <inttypes.h>
#include <stdlib.h>

#include "cmds/session/complete.h"
#include "dump/base/mem.h"
#include "dump/base/path.h"

/* Where answers stood, each once: what their titles are about. */
struct stand {
	size_t at;
	uint32_t step;
};
struct stands {
	VEC(struct stand *) list;
	struct arena mem;
};
static const char stands_key[] = "places in programs";

static void stands_free(void *what)
{
	struct stands *stands = what;

	vec_release(&stands->list);
	arena_release(&stands->mem);
	free(stands);
}

static struct stands *stands_of(struct shell *shell)
{
	struct stands *stands = shell_kept(shell, stands_key);

	if (!stands) {
		stands = mem_alloc(sizeof *stands);
		shell_keep(shell, stands_key, KEEP_ON, stands, stands_free);
	}
	return stands;
}

/* The present one. The latest are looked at first. */
static const struct stand *stand_now(struct shell *shell)
{
	struct stands *stands = stands_of(shell);
	struct stand *stand;

	for (size_t i = stands->list.len; i-- > 0;) {
		stand = stands->list.at[i];
		if (stand->at == shell->program_at && stand->step == shell->program_step)
			return stand;
	}
	stand = arena_alloc(&stands->mem, sizeof *stand);
	*stand = (struct stand){ shell->program_at, shell->program_step };
	vec_push(&stands->list, stand);
	return stand;
}

/* What may be completed depends on where one stands. */
static void moved(struct shell *shell)
{
	candidates_free(shell->candidates);
	shell->candidates = NULL;
}

void program_stand_at(struct shell *shell, const void *about)
{
	const struct stands *stands = stands_of(shell);
	struct err err = {0};

	for (size_t i = 0; i < stands->list.len; i++) {
		const struct stand *stand = stands->list.at[i];

		if (stand != about)
			continue;
		if (stand->at == shell->program_at ||
		    program_enter(shell, stand->at, NULL, &err))
			program_go(shell, stand->step);
	}
}

void program_start(struct shell *shell)
{
	shell->program = NULL;
	shell->program_at = programs_chosen(shell->programs);
	shell->program_step = PROGRAM_NONE;
}

bool program_enter(struct shell *shell, size_t i, struct progress *progress, struct err *err)
{
	struct program *program = programs_load(shell->programs, i, progress, err);

	if (!program)
		return false;
	shell->program = program;
	shell->program_at = i;
	program_go(shell, PROGRAM_NONE);
	return true;
}

void program_drop_beside(struct shell *shell)
{
	program_close(shell->program_beside);
	programs_drop_seen(shell->programs_seen);
	shell->program_beside = NULL;
	shell->programs_seen = NULL;
}

/* After a cancel the rest is there to be looked at the next time. */
void program_look(struct shell *shell, struct progress *progress)
{
	struct err err = {0};

	program_drop_beside(shell);
	shell->programs_seen = programs_look_beside(shell->programs, &err);
	shell->beside_news = PROGRAM_SAME;
	if (shell->program)
		shell->program_beside = program_look_beside(shell->program, &shell->beside_news,
		                                            progress, &err);
}

bool program_reread(struct shell *shell, struct progress *progress, struct err *err)
{
	program_drop_beside(shell);
	shell->programs_seen = programs_look_beside(shell->programs, NULL);
	shell->beside_news = PROGRAM_ANEW;
	if (shell->program)
		shell->program_beside = program_read_beside(shell->program, progress, err);
	return shell->program_beside || !shell->program;
}

struct program_came program_take_beside(struct shell *shell)
{
	struct program_came came = { .news = PROGRAM_SAME };
	struct program *program = shell->program;
	size_t n_before = program ? program->steps.len : 0;

	if (shell->program_beside) {
		program_take(program, shell->program_beside);
		came.news = shell->beside_news;
		moved(shell);
	}
	if (shell->programs_seen)
		came.runs = programs_take(shell->programs, shell->programs_seen);
	shell->program_beside = NULL;
	shell->programs_seen = NULL;
	if (came.news == PROGRAM_ANEW)
		program_go(shell, PROGRAM_NONE);
	else if (program && program->steps.len > n_before)
		came.steps = program->steps.len - n_before;
	return came;
}

void program_go(struct shell *shell, uint32_t step)
{
	shell->program_step = step;
	moved(shell);
}

bool program_has(struct call *call)
{
	const struct cmd *cmd = call->cmd;

	if (cmd->dumpless || cmd->of_program)
		return true;
	call_error(call, "ERROR: \"%s\" does not answer about a %s.", call->typed, PROGRAMS_KIND);
	return false;
}

/* Keys of every answer. */

static const struct doc_key to_steps[] = {
	{ DOC_KEY_ENTER, .hint_keys = "Enter", .hint = "open", .way = KEY_HINT },
	{ DOC_KEY_PAIR(']', 's'), .hint_keys = "]s", .hint = "step", .way = KEY_ASKS, .n = 1 },
	{ DOC_KEY_PAIR('[', 's'), .way = KEY_ASKS, .n = -1 },
	{ 0, .hint_keys = "]r", .hint = "function step" },
	{ 0, .hint_keys = "/", .hint = "search" },
};
static const struct doc_keys step_keys = { NULL, DOC_KEYS(to_steps) };

/* To the n-th step of any kind from here: "run -n", "run -n -t 3", "back -n 3" */
static bool put_step_key(void *context, const struct doc_at *at, struct str *out)
{
	(void)context;
	str_puts(out, at->n > 0 ? "run -n" : "back -n");
	if (at->n > 1)
		str_fmt(out, " -t %" PRId64, at->n);
	else if (at->n < -1)
		str_fmt(out, " %" PRId64, -at->n);
	return true;
}

void program_set_title(struct shell *shell, struct doc *doc)
{
	const struct program *program = shell->program;
	struct str title = {0};

	if (!program)
		return;
	str_fmt(&title, "%s", str_text(&shell->title));
	if (programs_len(shell->programs) > 1)
		str_fmt(&title, ": run %zu of %zu", shell->program_at + 1,
		        programs_len(shell->programs));
	if (shell->program_step != PROGRAM_NONE) {
		str_puts(&title, ": ");
		program_put_step(program, shell->program_step, &title);
		str_fmt(&title, " %s", program->steps.at[shell->program_step].op);
	}
	doc_set_title(doc, title.text, TITLE_PLAIN, stand_now(shell));
	doc_bring_keys(doc, &step_keys, put_step_key, NULL);
	str_release(&title);
}

const struct program_batch *program_batch_of(const struct program *program, uint32_t step)
{
	for (size_t i = 0; i < program->batches.len; i++)
		if (program->batches.at[i].first <= step && step <= program->batches.at[i].last)
			return &program->batches.at[i];
	return NULL;
}

/* Of a batch of one fit and one epoch the batch is enough. */
void program_put_step(const struct program *program, uint32_t step, struct str *out)
{
	const struct program_batch *batch = program_batch_of(program, step);
	bool fits = false, epochs = false;

	str_fmt(out, "step #%" PRIu32, step);
	if (!batch)
		return;
	for (size_t i = 0; i < program->batches.len; i++) {
		fits |= program->batches.at[i].fit != batch->fit;
		epochs |= program->batches.at[i].epoch != batch->epoch;
	}
	str_puts(out, " (");
	if (fits && batch->model)
		str_fmt(out, "%s, ", batch->model);
	if (fits && batch->fit >= 0)
		str_fmt(out, "fit %" PRId64 ", ", batch->fit);
	if (epochs && batch->epoch >= 0)
		str_fmt(out, "epoch %" PRId64 ", ", batch->epoch);
	str_fmt(out, "batch %" PRId64 ")", batch->batch);
}

void program_put_counts(const struct program *program, struct str *out)
{
	str_fmt(out, "%zu execution%s, %" PRIu64 " tensor%s: \"lx\" lists them",
	        program->steps.len, plural(program->steps.len), program->n_tensors,
	        plural(program->n_tensors));
}

void program_put_file(const struct program *program, const struct program_place *stand,
                      struct str *out)
{
	str_fmt(out, "%s.%s", program->sets.at[stand->set].prefix,
	        program_file_suffix[stand->file]);
}

/* What is wrong in words: a line of a warning says what was found, and what is done about it. */
static const char *const texts[] = {
	[PROGRAM_LENGTH_CHECKSUM] = "the length of a record does not fit its checksum",
	[PROGRAM_PAYLOAD_CHECKSUM] = "a record does not fit its checksum",
	[PROGRAM_NOT_AN_EVENT] = "a record is no DebugEvent",
	[PROGRAM_TRUNCATED] = "the file ends within a record",
	[PROGRAM_MISSING] = "there is no such file",
	[PROGRAM_EMPTY] = "the file has no record: which run of a program this is, is not known",
	[PROGRAM_UNREADABLE] = "it can't be read",
};

bool program_damage_has_place(const struct program_damage *damage)
{
	return damage->what != PROGRAM_MISSING &&
	       (damage->what != PROGRAM_UNREADABLE || damage->at.off || damage->bytes);
}

void program_put_damage(const struct program *program, const struct program_damage *damage,
                        struct str *out)
{
	program_put_file(program, &damage->at, out);
	if (program_damage_has_place(damage))
		str_fmt(out, ", offset %" PRIu64, damage->at.off);
	str_puts(out, ": ");
	program_put_what(damage, out);
}

void program_put_what(const struct program_damage *damage, struct str *out)
{
	str_fmt(out, "%s (%s)", texts[damage->what], program_damage_name[damage->what]);
	if (damage->bytes)
		str_fmt(out, ": %" PRIu64 " byte%s passed over", damage->bytes,
		        plural(damage->bytes));
}

static size_t damages(const struct shell *shell)
{
	return shell->program ? shell->program->damage.len : 0;
}

/* The i-th that is a warning, as what a recorder left out is not. NULL: there are only *n. */
static const struct problem *problem_at(const struct shell *shell, size_t i, size_t *n)
{
	const struct problem *p;

	*n = 0;
	for (size_t k = 0; shell->program && (p = programs_problem(shell->programs, k)); k++)
		if (p->kind != PROBLEM_LEFT_OUT && (*n)++ == i)
			return p;
	return NULL;
}

static size_t problems(const struct shell *shell)
{
	size_t n;

	problem_at(shell, SIZE_MAX, &n);
	return n;
}

size_t program_warnings(const struct shell *shell)
{
	size_t faults = 0;

	if (shell->program && shell->program->lacks)
		return 1;        /* what is damaged besides is told by doctor */
	while (shell->program && programs_fault(shell->programs, faults))
		faults++;
	return damages(shell) + problems(shell) + faults;
}

void program_warning(const struct shell *shell, size_t i, struct str *out)
{
	const struct err *fault;
	const struct problem *problem;
	size_t n_problems;

	if (shell->program->lacks) {
		str_fmt(out, "only %s", shell->program->lacks);
		return;
	}
	if (i < damages(shell)) {
		program_put_damage(shell->program, &shell->program->damage.at[i], out);
		return;
	}
	i -= damages(shell);
	problem = problem_at(shell, i, &n_problems);
	if (problem) {
		problem_put(out, problem);
		return;
	}
	fault = programs_fault(shell->programs, i - n_problems);
	err_put(out, path_name(fault->src), fault);
	str_puts(out, "; which run these files are of is not known");
}

bool program_warning_may_pass(const struct shell *shell, size_t i)
{
	return i < damages(shell) && !shell->program->lacks
	       && shell->program->damage.at[i].what == PROGRAM_TRUNCATED;
}
