#include "cmds/session/shell.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cmds/lang/args.h"
#include "cmds/lang/python.h"
#include "cmds/lang/registry.h"
#include "cmds/lang/words.h"
#include "cmds/session/complete.h"
#include "cmds/session/position.h"
#include "cmds/session/program.h"
#include "cmds/session/session.h"
#include "cmds/session/stacks.h"
#include "cmds/session/steps.h"
#include "cmds/session/suggest.h"
#include "dump/base/mem.h"
#include "dump/base/utf8.h"

static void left_release(struct left_open *left)
{
	runs_close(left->runs);
	programs_close(left->programs);
	profile_close(left->profile);
	stacks_close(left->stacks);
	kept_release(&left->things);
}

struct shell *shell_new(void)
{
	struct shell *shell = mem_alloc(sizeof *shell);

	config_init(&shell->config);
	filters_init(&shell->filters, &shell->config_complaint);
	aliases_init(&shell->aliases, &shell->config_complaint);
	config_check(&shell->config_complaint);
	shell->visits = visits_new();
	shell->hits = hits_new();
	return shell;
}

void shell_free(struct shell *shell)
{
	if (!shell)
		return;
	shell_stop_validating(shell);
	shell_stop_minding_cache(shell);
	candidates_free(shell->candidates);
	kept_release(&shell->things);
	steps_forget_activities(shell);
	run_close(shell->reread);
	run_close(shell->opening);
	for (size_t i = 0; i < VISITS_KEPT; i++)
		visit_release(shell->kept[i]);
	visit_release(shell->visit);
	visits_free(shell->visits);
	hits_free(shell->hits);
	vec_release(&shell->changed);
	str_release(&shell->gone);
	runs_close(shell->runs);
	follow_free(shell->program_follow);
	program_drop_beside(shell);
	programs_close(shell->programs);
	profile_close(shell->profile);
	filters_release(&shell->filters);
	aliases_release(&shell->aliases);
	stacks_forget(shell);
	for (size_t i = 0; i < shell->left.len; i++)
		left_release(&shell->left.at[i]);
	vec_release(&shell->left);
	target_release(&shell->target);
	str_release(&shell->first);
	str_release(&shell->title);
	str_release(&shell->name);
	str_release(&shell->compared);
	str_release(&shell->cache_note);
	free(shell);
}

const char *shell_title(const struct shell *shell)
{
	return str_text(&shell->title);
}

size_t shell_position(const struct shell *shell)
{
	if (shell->programs)
		return shell->program_step == PROGRAM_NONE ? 0 : (size_t)shell->program_step + 1;
	return position_number(shell);
}

void shell_stand_at(struct shell *shell, const void *about)
{
	struct run_entry *entry;

	if (shell->programs)
		program_stand_at(shell, about);
	if (!about || about == position_at(shell) || !shell->runs)
		return;
	if (about == shell->runs) {
		position_leave(shell);
		return;
	}
	entry = runs_entry(shell->runs, about);
	if (entry)
		position_enter_unread(shell, entry);
}

const char *shell_first_layout(const struct shell *shell)
{
	return shell_has_others(shell) ? "runs" : "single";
}

void session_note_compared(struct shell *shell, const char *word)
{
	str_reset(&shell->compared);
	str_puts(&shell->compared, word ? word : "");
	shell->compared_step = shell->program_step;
}

const char *shell_compared(const struct shell *shell)
{
	const char *word = str_text(&shell->compared);
	struct str here = {0};
	bool counts = !shell->programs || shell->compared_step == shell->program_step;

	str_fmt(&here, "%zu", shell_position(shell));
	counts &= strcmp(word, here.text) != 0;
	str_release(&here);
	return counts ? word : "";
}

bool shell_has_others(const struct shell *shell)
{
	return shell->programs || position_counts(shell);
}

const char *shell_runs_command(const struct shell *shell)
{
	return shell->programs ? "lx" : "runs";
}

struct config_complaint shell_config_complaint(const struct shell *shell)
{
	return shell->config_complaint;
}

/* N_SETTINGS: there is none of that name. */
static enum setting setting_of(const char *name)
{
	enum setting s = 0;

	while (s < N_SETTINGS && strcmp(name, setting_names[s]))
		s++;
	return s;
}

int64_t shell_setting(const struct shell *shell, const char *name)
{
	enum setting s = setting_of(name);

	return s < N_SETTINGS ? shell->config.value[s] : 0;
}

bool shell_setting_given(const struct shell *shell, const char *name)
{
	enum setting s = setting_of(name);

	return s < N_SETTINGS && shell->config.given[s];
}

bool shell_setting_bool(const struct shell *shell, const char *name)
{
	return shell_setting(shell, name);
}

const char *shell_setting_word(const struct shell *shell, const char *name)
{
	enum setting s = setting_of(name);

	return s < N_SETTINGS ? config_word(&shell->config, s) : NULL;
}

const char *const *shell_tensor_ops(struct shell *shell)
{
	return visit_ops(shell->visit);
}

/* Reports what became known about the profile while the command ran. */
static void tell_problems(struct call *call, const struct profile *profile, size_t n_before)
{
	for (size_t i = n_before; i < profile->problems.len; i++)
		call_warn(call, profile->problems.at[i]);
}

void call_unknown(struct call *call)
{
	doc_line_put(call->out, ROLE_PLAIN, "ERROR: Invalid command prefix \"%s\"", call->typed);
	suggest_command(call, call->typed);
	call->failed = true;
}

/* One line, from its words to its answer. */

static bool read_args(struct call *call, struct str *complaint)
{
	struct err err = {0};
	bool help = false;

	if (call->cmd->raw)
		return true;
	if (args_parse(call->cmd, call->words, call->n_words, call->mem, &call->args, &help, &err))
		return true;
	call_syntax_error(call);
	if (!help)
		str_fmt(complaint, "%s: error: %s", call->cmd->name, err.msg);
	return false;
}

void shell_set_canvas(struct shell *shell, const struct canvas *canvas)
{
	shell->canvas = *canvas;
}

enum registry_of session_kind(const struct shell *shell)
{
	if (shell->programs)
		return OF_PROGRAM;
	if (shell->profile && shell->profile->module && !shell->profile->steps.len
	    && !shell->has_dump)
		return OF_MODULE;
	return shell->profile && (!shell->has_dump || shell->profiling) ? OF_PROFILE : OF_RUNS;
}

const struct cmd *session_cmd(const struct shell *shell, const char *word)
{
	return cmd_find_of(word, session_kind(shell));
}

/* Does the command have the run it needs? A run that was entered unread is read now. */
static bool has_run(struct call *call)
{
	struct shell *shell = call->shell;

	bool is_open = shell->runs || shell->profile;

	if (shell->programs)
		return program_has(call);
	if (call->cmd->dumpless || call->cmd->opens || (call->cmd->runless && is_open) ||
	    shell->visit)
		return true;
	if (!is_open || !position_at(shell))
		call_no_run(call);
	else if (position_load(shell, call->progress, &call->err))
		return true;
	else
		call_not_entered(call, position_at(shell), &call->err);
	return false;
}

/*
 * Runs the words of a line, up to the first error. False if they were refused: no redirection then.
 */
static bool exec_words(struct call *call, const struct words *words, struct str *complaint)
{
	call->typed = words->len ? words->at[0] : "";
	call->cmd = session_cmd(call->shell, call->typed);
	if (!call->cmd) {
		call_unknown(call);
		return true;
	}
	call->words = words->at + 1;
	call->n_words = words->len - 1;
	if (!read_args(call, complaint))
		return false;
	if (has_run(call))
		call->cmd->exec(call);
	if (call->err.code)
		call_put_failure(call);
	return true;
}

void call_line(struct call *call, const char *line)
{
	struct words words = {0};
	struct str complaint = {0};
	struct call inner = *call;

	if (!words_split(line, call->mem, &words, &call->err))
		return;
	str_reset(call->shown);
	str_puts(call->shown, line);
	exec_words(&inner, &words, &complaint);
	str_release(&complaint);
	call->out = inner.out;
	call->moved |= inner.moved;
	call->failed = inner.failed;
}

/* The answer is about the current run, and keeps it. */
static void put_title(struct shell *shell, struct doc *doc)
{
	struct str title = {0};
	enum title_look look;

	if (shell->programs) {
		program_set_title(shell, doc);
		return;
	}
	if (!shell->runs)
		return;
	look = position_title(shell, &title);
	doc_set_title(doc, str_text(&title), look,
	              position_at(shell) ? (void *)position_at(shell) : shell->runs);
	if (shell->visit)
		doc_keep(doc, visit_release, visit_keep(shell->visit));
	str_release(&title);
}

/* What was said when a recorded program was opened is a warning of each answer about it. */
static void note_damage(struct call *call)
{
	struct shell *shell = call->shell;
	size_t n = shell->programs && call->as_data && call->cmd && call->cmd->of_program
	           ? program_warnings(shell) : 0;
	struct str text = {0};

	for (size_t i = 0; i < n; i++) {
		str_reset(&text);
		program_warning(shell, i, &text);
		call_note(call, text.text);
	}
	str_release(&text);
}

/* As exec_words. */
static bool run_words(struct shell *shell, const struct words *words, int cols,
                      struct progress *progress, struct arena *mem, struct answer *out)
{
	const struct run_entry *at = shell->at;
	size_t position = shell_position(shell);
	const struct profile *profile = shell->profile;
	size_t step = profile ? profile->current : 0;
	size_t n_problems = profile ? profile->problems.len : 0;
	uint64_t version = hits_version(shell->hits);
	bool shows = !words->redirect && !words->pipe, taken;
	struct progress *before;
	struct call call = { .shell = shell, .cols = cols,
	                     .on_screen = shell->on_screen && shows && !out->has_format,
	                     .progress = progress, .out = doc_new(), .mem = mem,
	                     .toast = &out->toast, .shown = &out->shown, .error = &out->error,
	                     .complaint = &out->complaint, .waits = &out->waits };

	call.as_data = out->has_format ? out->format != DOC_TEXT : shell->answers_are_data;
	if (shows)
		call.canvas = shell->canvas;
	before = progress_enter(progress);
	taken = exec_words(&call, words, &out->complaint);
	progress_enter(before);
	if (profile && profile == shell->profile)
		tell_problems(&call, profile, n_problems);
	note_damage(&call);
	put_title(shell, call.out);
	out->doc = call.out;
	out->moved = call.moved;
	out->setting = call.setting;
	out->step_differs = profile && profile == shell->profile && profile->current != step;
	out->runs_differ = at != shell->at || position != shell_position(shell) ||
	                   version != hits_version(shell->hits);
	out->wait_ms = call.wait_ms;
	out->failed = call.failed;
	out->status = call.status;
	out->wants_status = call_wants_status(&call);
	if (call.failed && !out->error.len)
		call_put_reason(&call, &out->error);
	return taken;
}

void shell_on_screen(struct shell *shell)
{
	shell->on_screen = true;
}

void shell_wake(struct shell *shell, void (*wake)(void *owner), void *owner)
{
	health_scan_wake(visits_scan(shell->visits), wake, owner);
}

void shell_read_as_asked(struct shell *shell)
{
	health_scan_limit(visits_scan(shell->visits), 0);
}

static bool has_flag_o(const struct cmd *cmd)
{
	for (size_t i = 0; cmd && i < cmd->n_opts; i++)
		if (cmd->opts[i].flag && !strcmp(cmd->opts[i].flag, "o"))
			return true;
	return false;
}

/*
 * Takes "--format FORMAT" or "--format=FORMAT" out of the words, or "-o FORMAT" unless -o is the
 * command's own.
 */
static void take_format(const struct shell *shell, struct words *words, struct answer *out)
{
	static const struct { const char *name; enum doc_format format; } formats[] = {
		{ "text", DOC_TEXT }, { "json", DOC_JSON }, { "csv", DOC_CSV },
	};
	static const char joined[] = "--format=";
	bool own = words->len && has_flag_o(session_cmd(shell, words->at[0]));

	for (size_t i = 1; i < words->len; i++) {
		const char *word = words->at[i], *format;
		size_t n = 1;            /* words of the option */

		if (!strncmp(word, joined, strlen(joined)))
			format = word + strlen(joined);
		else if (i + 1 < words->len && (!strcmp(word, "--format") ||
		                                (!own && !strcmp(word, "-o"))))
			format = words->at[i + 1], n = 2;
		else
			continue;
		for (size_t k = 0; k < sizeof formats / sizeof *formats; k++) {
			if (strcmp(format, formats[k].name) != 0)
				continue;
			out->has_format = true;
			out->format = formats[k].format;
			memmove(&words->at[i], &words->at[i + n],
			        (words->len - i - n) * sizeof *words->at);
			words->len -= n;
			return;
		}
	}
}

bool shell_lists_runs(const char *line)
{
	const struct cmd *cmd = cmd_find(line);

	return cmd && cmd->lists_runs;
}

bool shell_leaves(const char *line)
{
	size_t len = strlen(line);
	const char *text = python_strip(line, &len);

	return len == 4 && (!memcmp(text, "exit", 4) || !memcmp(text, "quit", 4));
}

bool shell_expand(const struct shell *shell, const char *line, struct str *out)
{
	return aliases_expand(&shell->aliases, line, out);
}

/* The screen and the plain prompt run it themselves; what comes here was not typed there. */
static bool is_for_a_shell(const char *line)
{
	return line[strspn(line, " \t")] == '!';
}

static const char not_typed[] =
	"!COMMAND starts a program only where it is typed, at a prompt; not here";

static void run_line(struct shell *shell, const char *line, int cols, struct progress *progress,
                     struct answer *out)
{
	struct arena mem = {0};
	struct words words = {0};
	struct err err = {0};

	*out = (struct answer){0};
	if (shell_leaves(line)) {
		out->leave = true;
		return;
	}
	if (is_for_a_shell(line))
		err_fill(&err, ERR_SYNTAX, "command", 0, "%s", not_typed);
	if (err.code || !words_split(line, &mem, &words, &err)) {
		str_puts(&out->toast, err.msg);
		str_puts(&out->error, err.msg);
		out->toast_is_error = true;
		out->failed = true;
	} else {
		take_format(shell, &words, out);
		if (!run_words(shell, &words, cols, progress, &mem, out))
			goto out;
		str_puts(&out->redirect, words.redirect && !out->failed ? words.redirect : "");
		str_puts(&out->pipe, words.pipe ? words.pipe : "");
		out->append = words.append;
	}
out:
	arena_release(&mem);
}

void shell_run(struct shell *shell, const char *line, int cols, struct progress *progress,
               struct answer *out)
{
	struct str expanded = {0};

	run_line(shell, shell_expand(shell, line, &expanded) ? expanded.text : line, cols,
	         progress, out);
	str_release(&expanded);
}

int answer_status(const struct answer *answer)
{
	if (answer->status || !answer->failed)
		return answer->status;
	return answer->wants_status ? 3 : 1;
}

void answer_release(struct answer *answer)
{
	doc_free(answer->doc);
	str_release(&answer->shown);
	str_release(&answer->waits);
	str_release(&answer->toast);
	str_release(&answer->redirect);
	str_release(&answer->pipe);
	str_release(&answer->error);
	str_release(&answer->complaint);
	*answer = (struct answer){0};
}

/* Of the current run. */
struct candidates *shell_candidates(struct shell *shell)
{
	struct candidates **candidates =
		shell->visit ? &shell->visit->candidates : &shell->candidates;

	if (!*candidates)
		*candidates = candidates_new(&(struct offered){
			shell->run, &shell->filters, &shell->aliases, shell->runs, shell->program,
			shell->program_step, session_kind(shell) });
	return *candidates;
}

void shell_complete(struct shell *shell, const char *line, size_t cursor, size_t max,
                    struct completion *out)
{
	*out = (struct completion){0};
	candidates_complete(shell_candidates(shell), line, cursor, max, out);
}

void completion_release(struct completion *c)
{
	str_release(&c->common);
	vec_release(&c->first);
}
