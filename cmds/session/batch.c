#include "cmds/session/batch.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cmds/doc/plain.h"
#include "cmds/session/envelope.h"
#include "cmds/session/session.h"
#include "dump/base/say.h"
#include "dump/base/utf8.h"

/* In text the message is part of the answer; with typed answers it goes to standard error. */
static void put_toast(enum doc_format format, const struct str *toast, FILE *out)
{
	FILE *to = format == DOC_JSON || format == DOC_CSV ? stderr : out;

	fputs(format == DOC_DOC ? "> " : "", to);
	say_to(to, toast->text, toast->len);
	fputc('\n', to);
}

static void put_answer(const struct batch *batch, struct answer *answer, const char *line,
                       enum doc_format format, struct progress *progress, FILE *out)
{
	if (batch->plain && format == DOC_TEXT && answer->doc && plain_fits(answer->doc))
		plain_write(answer->doc, progress, out);
	else
		answer_write(answer, line, format, batch->colour && out != stderr, progress, out);
}

/* Prints the title of the run that a command went to. */
static void put_title(const struct doc *doc, FILE *out)
{
	const struct doc_title *title = doc ? doc_title(doc) : NULL;

	if (!title)
		return;
	say_to(out, title->text, strlen(title->text));
	fputs("\n\n", out);
}

void batch_run(struct shell *shell, const struct batch *batch, const char *line,
               struct progress *progress, struct answer *answer)
{
	shell->answers_are_data = batch->format == DOC_JSON || batch->format == DOC_CSV;
	shell_run(shell, line, batch->width, progress, answer);
	shell->answers_are_data = false;
}

void batch_show(const struct batch *batch, const char *line, struct answer *answer,
                struct progress *progress, FILE *out)
{
	enum doc_format format = answer->has_format ? answer->format : batch->format;

	if (answer->moved && batch->titles && format == DOC_TEXT)
		put_title(answer->doc, out);
	answer_send(answer, line, format, PIPE_PRINTS, progress);
	errno = 0;
	/* The text of a failed command was meant for the program: it goes to standard error. */
	if (answer->doc && answer->pipe.len)
		put_answer(batch, answer, line, format, progress, stderr);
	else if (!answer->pipe.len)
		put_answer(batch, answer, line, format, progress, out);
	if (answer->toast.len)
		put_toast(format, &answer->toast, out);
	fflush(out);
	if (ferror(out) && batch->write_errno && !*batch->write_errno)
		*batch->write_errno = errno ? errno : EIO;
	if (answer->complaint.len)
		say_lines(answer->complaint.text);
}

static void put_echo(const char *line, FILE *out)
{
	struct str safe = {0};

	utf8_escape_lines(&safe, line, strlen(line));
	fprintf(out, "tensordbg> %s\n", str_text(&safe));
	str_release(&safe);
}

void batch_take_status(int *status, int of_one)
{
	if (*status != 1 && of_one)
		*status = of_one;
}

enum batch_end batch_line(struct shell *shell, const struct batch *batch, const char *line,
                          FILE *out, int *status)
{
	struct answer answer;
	bool failed, leave;

	if (batch->echo)
		put_echo(line, out);
	shell->answers_go = true;
	batch_run(shell, batch, line, NULL, &answer);
	shell->answers_go = false;
	leave = answer.leave;
	if (!leave)
		batch_show(batch, line, &answer, NULL, out);
	failed = answer.failed || ferror(out);
	batch_take_status(status, answer_status(&answer));
	if (ferror(out))
		batch_take_status(status, 1);
	answer_release(&answer);
	if (leave)
		return BATCH_LEFT;
	return failed && !batch->keep_going ? BATCH_FAILED : BATCH_DONE;
}

static bool is_comment(const char *line)
{
	line += strspn(line, " \t");
	return !*line || *line == '#';
}

static enum batch_end run_lines(struct shell *shell, const struct batch *batch, FILE *in, FILE *out,
                                int *status)
{
	enum batch_end end = BATCH_DONE;
	char *line = NULL;
	size_t cap = 0;
	ssize_t len;

	while (end == BATCH_DONE && (len = getline(&line, &cap, in)) >= 0) {
		if (len && line[len - 1] == '\n')
			line[--len] = '\0';
		if (!is_comment(line))
			end = batch_line(shell, batch, line, out, status);
	}
	free(line);
	return end;
}

enum batch_end batch_file(struct shell *shell, const struct batch *batch, const char *path,
                          FILE *out, int *status, struct err *err)
{
	bool is_stdin = !strcmp(path, "-");
	FILE *in = is_stdin ? stdin : fopen(path, "re");
	enum batch_end end;

	if (!in) {
		err_fill(err, ERR_IO, path, 0, "%s", strerror(errno));
		return BATCH_FAILED;
	}
	end = run_lines(shell, batch, in, out, status);
	if (!is_stdin)
		fclose(in);
	return end;
}
