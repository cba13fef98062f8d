/*
 * Going from step to step of a recorded program: run and back. The options say which step to go
 * to; a command that goes nowhere has failed and moves nothing.
 */
#include <inttypes.h>
#include <string.h>

#include "cmds/lang/python.h"
#include "cmds/lang/words.h"
#include "cmds/program/choose.h"
#include "cmds/program/tensor_filter.h"
#include "cmds/session/following.h"

enum { TIMES, ANY, FILTER, PROFILE, BACK, TO, FIRST, LAST, BACKWARD };

static const struct opt options[] = {
	[TIMES] = { OPT_INT, "t", "times", "go on by this many function steps" },
	[ANY] = { OPT_FLAG, "n", "no_debug", "go to the next step of any kind" },
	[FILTER] = FILTER_OPT,
	[PROFILE] = { OPT_FLAG, "p", "profile", "nothing is executed: this fails" },
	[BACK] = { OPT_COUNT, "b", "back", "go back by this many function steps, 1 if left out" },
	[TO] = { OPT_INT, NULL, "to", "go to this step" },
	[FIRST] = { OPT_FLAG, NULL, "first", "go to the first function step" },
	[LAST] = { OPT_FLAG, NULL, "last", "go to the last function step" },
	[BACKWARD] = { OPT_FLAG, NULL, "backward",
	               "with -f: look through the steps before this one" },
};

/* What the typed answer says. */
struct told {
	const struct program *program;
	uint32_t from, to;
	uint64_t steps, tensors;         /* tested */
	const char *filter;              /* NULL: none */
	bool hit;
	struct program_tensor first;     /* if there are hits: the first tensor that passes */
	uint64_t n_hits;
	struct err damage;               /* of the first tensor that could not be read */
};

static void put_step(struct data *data, const char *key, uint32_t step)
{
	data_key(data, key);
	if (step == PROGRAM_NONE)
		data_null(data);
	else
		data_uint(data, step);
}

static void put_hit(const struct told *told, struct data *data)
{
	struct str name = {0};

	data_key(data, "hit");
	if (!told->hit) {
		data_null(data);
		return;
	}
	program_put_name(told->program, &told->first, &name);
	data_object(data);
	put_step(data, "step", told->to);
	data_key(data, "tensor");
	data_text(data, str_text(&name), name.len);
	put_step(data, "trace", told->first.trace);
	data_key(data, "tensors");
	data_uint(data, told->n_hits);
	data_end(data);
	str_release(&name);
}

static bool told_put_data(void *context, struct data *data, struct progress *progress,
                          struct err *err)
{
	const struct told *told = context;

	(void)progress, (void)err;
	data_object(data);
	put_step(data, "from", told->from);
	put_step(data, "to", told->to);
	data_key(data, "moved");
	data_bool(data, told->from != told->to);
	data_key(data, "tested_steps");
	data_uint(data, told->steps);
	data_key(data, "tested_tensors");
	data_uint(data, told->tensors);
	data_key(data, "filter");
	data_str(data, told->filter);
	put_hit(told, data);
	data_end(data);
	return true;
}

/* Goes to the step and lists its tensors; without a step, all tensors. */
static void go(struct call *call, struct told *told)
{
	struct arena *mem = doc_mem(call->out);
	struct told *kept = arena_alloc(mem, sizeof *kept);
	struct str line = {0};

	*kept = *told;
	kept->filter = told->filter ? arena_copy(mem, told->filter, strlen(told->filter)) : NULL;
	program_go(call->shell, told->to);
	str_puts(&line, told->to == PROGRAM_NONE ? "lx" : "lt");
	if (told->filter)
		words_put_with(&line, " -f", told->filter);
	call_line(call, line.text);
	doc_typed(call->out, DATA_VALUE, told_put_data, kept);
	call->moved |= told->from != told->to;
	str_release(&line);
}

static void go_to(struct call *call, uint32_t step)
{
	struct told told = { .program = call->shell->program, .from = call->shell->program_step,
	                     .to = step };

	go(call, &told);
}

/* Does `run` stop at this step? At function steps or, if there are none or `any`, at each. */
static bool stops(const struct program *program, uint32_t step, bool any)
{
	return any || !program->n_function_steps || program->steps.at[step].is_function;
}

/* The n-th stop after `from`; PROGRAM_NONE: there are only *left. */
static uint32_t nth_behind(const struct program *program, uint32_t from, int64_t n, bool any,
                           int64_t *left)
{
	uint32_t i = from == PROGRAM_NONE ? 0 : from + 1;

	*left = 0;
	for (; i < program->steps.len; i++)
		if (stops(program, i, any) && ++*left == n)
			return i;
	return PROGRAM_NONE;
}

static uint32_t nth_before(const struct program *program, uint32_t from, int64_t n, bool any)
{
	for (uint32_t i = from; i-- > 0;)
		if (stops(program, i, any) && --n == 0)
			return i;
	return PROGRAM_NONE;
}

static const char *kind_of(const struct program *program, bool any)
{
	return any || !program->n_function_steps ? "steps" : "function steps";
}

/* More steps may be written yet. */
static bool may_come(const struct call *call)
{
	return shell_follows(call->shell);
}

/*
 * Waits for news: on a screen the command line is then run again, elsewhere this sleeps. False: the
 * time is up.
 */
static bool await(struct call *call)
{
	if (call->on_screen) {
		str_puts(call->waits, "the next step");
		return false;
	}
	if (call_await_news(call, -1))
		return true;
	call_error(call, "ERROR: Stopped waiting for the next step.");
	return false;
}

static void step_on(struct call *call, int64_t times, bool any)
{
	const struct program *program = call->shell->program;
	int64_t left;
	uint32_t step = nth_behind(program, call->shell->program_step, times < 1 ? 1 : times, any,
	                           &left);

	while (step == PROGRAM_NONE && may_come(call) && await(call)) {
		program = call->shell->program;
		step = nth_behind(program, call->shell->program_step, times < 1 ? 1 : times, any,
		                  &left);
	}
	if (step != PROGRAM_NONE)
		go_to(call, step);
	else if (may_come(call))
		return;
	else if (!program->steps.len)
		call_error(call, "ERROR: No execution was recorded: there is no step to go to.");
	else if (left)
		call_error(call, "ERROR: Only %" PRId64 " more %s; \"run --last\" goes to the "
		                 "last.", left, kind_of(program, any));
	else
		call_error(call, "ERROR: No more %s: there are %zu steps.", kind_of(program, any),
		           program->steps.len);
}

static void step_back(struct call *call, int64_t times, bool any)
{
	const struct shell *shell = call->shell;

	if (shell->program_step == PROGRAM_NONE)
		call_error(call, "ERROR: No step is open: there is nothing to go back from.");
	else
		go_to(call, nth_before(shell->program, shell->program_step,
		                       times < 1 ? 1 : times, any));
}

static void step_to(struct call *call, int64_t step)
{
	const struct program *program = call->shell->program;

	if (step < 0 || step >= (int64_t)program->steps.len)
		call_error(call, "ERROR: There is no step #%" PRId64 ": there are %zu.", step,
		           program->steps.len);
	else
		go_to(call, (uint32_t)step);
}

static void step_to_end(struct call *call, bool last)
{
	const struct program *program = call->shell->program;
	int64_t left;
	uint32_t step = last ? nth_before(program, (uint32_t)program->steps.len, 1, false)
	                     : nth_behind(program, PROGRAM_NONE, 1, false, &left);

	if (step == PROGRAM_NONE)
		call_error(call, "ERROR: No execution was recorded: there is no step to go to.");
	else
		go_to(call, step);
}

/* Tests the tensors of a step: does one pass? */
static bool ask_step(struct call *call, struct told *told, const struct tensor_filter *filter,
                     struct program_reads *reads, uint32_t step)
{
	uint64_t n = program_n_tensors(told->program, step);

	told->steps++;
	told->n_hits = 0;
	for (uint64_t i = 0; i < n && !call->err.code; i++) {
		struct program_tensor t = program_tensor(told->program, step, i);
		struct err err = {0};
		enum answer3 answer = tensor_filter_ask(filter, reads, &t, &err);

		told->tensors++;
		if (tensor_filter_gave_up(&err))
			call->err = err;
		else if (err.code && !told->damage.code)
			told->damage = err;
		else if (answer == ANSWER_YES && !told->n_hits++)
			told->first = t;
	}
	return told->n_hits;
}

static void search(struct call *call, const char *word, bool backward)
{
	const struct program *program = call->shell->program;
	uint32_t at = call->shell->program_step, n = (uint32_t)program->steps.len, i;
	struct told told = { .program = program, .from = at, .to = at, .filter = word };
	struct program_reads reads = { .program = program };
	struct tensor_filter filter;

	if (!tensor_filter_choose(call, word, &filter))
		return;
	i = backward ? (at == PROGRAM_NONE ? 0 : at) - 1 : at == PROGRAM_NONE ? 0 : at + 1;
	for (; i < n && !told.hit && !call->err.code; i += backward ? UINT32_MAX : 1) {
		if (!progress_step(call->progress, told.steps, n)) {
			err_fill(&call->err, ERR_CANCELLED, "command", 0,
			         "stopped at step #%" PRIu32, i);
			break;
		}
		told.hit = ask_step(call, &told, &filter, &reads, i);
		told.to = told.hit ? i : told.to;
	}
	program_reads_release(&reads);
	if (told.hit && !call->err.code)
		go(call, &told);
	else if (!call->err.code)
		call_error(call, "ERROR: No tensor passes \"%s\" in the %" PRIu64
		                 " steps %s this one.", word, told.steps,
		           backward ? "before" : "behind");
	if (told.damage.code)
		call_damage(call, told.damage.src, &told.damage);
}

static void run_exec(struct call *call)
{
	const struct opt_value *opt = call->args.opt;

	if (opt[PROFILE].given)
		call_error(call, "ERROR: This is a recorded program; nothing is executed.");
	else if (opt[FILTER].given)
		search(call, opt[FILTER].word, opt[BACKWARD].given);
	else if (opt[TO].given)
		step_to(call, opt[TO].number);
	else if (opt[FIRST].given || opt[LAST].given)
		step_to_end(call, opt[LAST].given);
	else if (opt[BACK].given)
		step_back(call, opt[BACK].word ? opt[BACK].number : 1, opt[ANY].given);
	else
		step_on(call, opt[TIMES].given ? opt[TIMES].number : 1, opt[ANY].given);
}

const struct cmd cmd_run_program = {
	.name = "run", .alias = "r", .summary = "Go to the next function step, or to another step",
	OPTS(options), .of_program = true, .exec = run_exec,
};

enum { BACK_ANY };

static const struct opt back_options[] = {
	[BACK_ANY] = { OPT_FLAG, "n", "no_debug", "by steps of any kind" },
};

static const struct pos back_positionals[] = {
	{ "n", "how many; 1 if left out", true },
};

static void back_exec(struct call *call)
{
	const char *word = call->args.pos[0];
	int64_t times = 1;

	if (word && !python_int(word, strlen(word), &times))
		call_error(call, "ERROR: \"%s\" is no number of steps.", word);
	else
		step_back(call, times, call->args.opt[BACK_ANY].given);
}

const struct cmd cmd_back_program = {
	.name = "back", .summary = "Go back by some function steps",
	OPTS(back_options), POSITIONALS(back_positionals), .of_program = true, .exec = back_exec,
};
