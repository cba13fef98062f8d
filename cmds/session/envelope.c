#include "cmds/session/envelope.h"

#include <signal.h>
#include <stdarg.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "dump/base/writer.h"

static void put_warnings(struct data *data, const struct doc *doc)
{
	data_key(data, "warnings");
	data_list(data);
	for (size_t i = 0; doc && i < doc_warnings(doc); i++)
		data_str(data, doc_warning(doc, i));
	data_end(data);
}

static const char *error_of(const struct answer *answer)
{
	return answer->failed ? str_text(&answer->error) : NULL;
}

/*
 * If a value turns out to be unreadable halfway, what is open is closed and the error put beside
 * it.
 */
static void put_content(struct answer *answer, struct data *data, struct progress *progress)
{
	struct err err = {0};
	size_t depth = data->open.len;

	if (doc_write_data(answer->doc, data, progress, &err))
		return;
	data_close(data, depth);
	answer->failed = true;
	str_reset(&answer->error);
	err_put(&answer->error, err.src, &err);
	if (data->format == DATA_JSON) {
		data_key(data, "incomplete");
		data_str(data, answer->error.text);
	}
}

static void put_json(struct answer *answer, const char *command, struct data *data,
                     struct progress *progress)
{
	const char *name = answer->doc && !answer->failed ? doc_typed_name(answer->doc) : NULL;

	data_object(data);
	data_key(data, "command");
	data_str(data, name ? name : command);
	data_key(data, "ok");
	data_bool(data, !answer->failed);
	data_key(data, "error");
	data_str(data, error_of(answer));
	put_warnings(data, answer->doc);
	if (answer->doc && (!answer->failed || doc_tells_failure(answer->doc)))
		put_content(answer, data, progress);
	data_end(data);
}

static void put_csv(struct answer *answer, struct data *data, struct progress *progress)
{
	if (answer->doc && (!answer->failed || doc_tells_failure(answer->doc))) {
		put_content(answer, data, progress);
	} else if (answer->failed) {
		data_object(data);
		data_key(data, "error");
		data_str(data, error_of(answer));
		data_end(data);
	}
}

static bool write_data(struct answer *answer, const char *command, enum data_format format,
                       struct progress *progress, FILE *out)
{
	struct data data;

	data_open(&data, format, out);
	if (format == DATA_JSON)
		put_json(answer, command, &data, progress);
	else
		put_csv(answer, &data, progress);
	return data_finish(&data);
}

bool answer_write(struct answer *answer, const char *command, enum doc_format format, bool colour,
                  struct progress *progress, FILE *out)
{
	if (answer->has_format)
		format = answer->format;
	switch (format) {
	case DOC_JSON:
		return write_data(answer, command, DATA_JSON, progress, out);
	case DOC_CSV:
		return write_data(answer, command, DATA_CSV, progress, out);
	default:
		return !answer->doc || doc_write(answer->doc, format, colour, progress, out);
	}
}

static void say(struct answer *answer, bool ok, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
static void say(struct answer *answer, bool ok, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	str_reset(&answer->toast);
	str_vfmt(&answer->toast, fmt, args);
	va_end(args);
	answer->toast_is_error = !ok;
	if (ok || answer->failed)
		return;
	answer->failed = true;
	str_puts(&answer->error, answer->toast.text);
}

static bool write_file(struct answer *answer, const char *command, enum doc_format format,
                       struct progress *progress, struct err *err)
{
	struct writer *writer = writer_open(answer->redirect.text,
	                                    answer->append ? WRITER_APPEND : WRITER_REPLACE, err);
	bool ok;

	if (!writer)
		return false;
	ok = answer_write(answer, command, format, false, progress, writer_stream(writer));
	if (answer->failed)
		ok = err_at(err, ERR_IO, "command", 0, "%s: %s", answer->redirect.text,
		            answer->error.text);
	if (progress_cancelled(progress))
		ok = err_at(err, ERR_CANCELLED, "command", 0, "%s: cancelled",
		            answer->redirect.text);
	return writer_close(writer, ok, NULL, err);
}

/*
 * tfdbg's words give no reason: in batch mode it goes to standard error, a screen shows only this
 * line.
 */
static void send_to_file(struct answer *answer, const char *command, enum doc_format format,
                         enum pipe_end pipe_end, struct progress *progress)
{
	struct err err = {0};

	if (write_file(answer, command, format, progress, &err)) {
		say(answer, true, "Wrote output to %s", answer->redirect.text);
	} else if (pipe_end == PIPE_SHOWS) {
		say(answer, false, "Failed to write output to %s", err.msg);
	} else {
		say(answer, false, "Failed to write output to %s", err.msg);
		str_reset(&answer->toast);
		str_fmt(&answer->toast, "Failed to write output to %s", answer->redirect.text);
		str_fmt(&answer->complaint, "%s%s", answer->complaint.len ? "\n" : "", err.msg);
	}
}

/* -1: could not be started. A program may end before it has read everything: that is no error. */
static int send_to_program(struct answer *answer, const char *command, enum doc_format format,
                           struct progress *progress)
{
	struct sigaction ignore = { .sa_handler = SIG_IGN }, before;
	FILE *program;
	int status;

	fflush(NULL);
	program = popen(answer->pipe.text, "we");
	if (!program)
		return -1;
	sigaction(SIGPIPE, &ignore, &before);
	answer_write(answer, command, format, false, progress, program);
	/* Left in the buffer it would make pclose try again, and return -1 for the exit status. */
	if (fflush(program) != 0)
		__fpurge(program);
	status = pclose(program);
	sigaction(SIGPIPE, &before, NULL);
	return status;
}

static void note_status(struct answer *answer, int status)
{
	if (status == 0)
		return;
	if (status > 0 && WIFEXITED(status))
		say(answer, false, "Program failed with status %d: %s", WEXITSTATUS(status),
		    answer->pipe.text);
	else
		say(answer, false, "Program failed %s", answer->pipe.text);
}

/* What the program prints takes the answer's place. */
static int filter_through_program(struct answer *answer, const char *command,
                                  enum doc_format format, struct progress *progress)
{
	FILE *in = tmpfile(), *program = NULL;
	struct str shell_line = {0};
	struct doc *doc = doc_new();
	char *line = NULL;
	size_t cap = 0;
	ssize_t len;

	if (in && answer_write(answer, command, format, false, progress, in) && fflush(in) == 0) {
		rewind(in);
		/* not <&%d: some shells take one digit there */
		str_fmt(&shell_line, "{ %s\n} </dev/fd/%d 2>&1", answer->pipe.text, fileno(in));
		program = popen(shell_line.text, "re");
	}
	while (program && (len = getline(&line, &cap, program)) >= 0) {
		doc_put_text(doc, ROLE_PLAIN, line, (size_t)len - (len && line[len - 1] == '\n'));
		doc_newline(doc);
	}
	doc_free(answer->doc);
	answer->doc = doc;
	free(line);
	str_release(&shell_line);
	if (in)
		fclose(in);
	return program ? pclose(program) : -1;
}

void answer_send(struct answer *answer, const char *command, enum doc_format format,
                 enum pipe_end pipe_end, struct progress *progress)
{
	if (answer->has_format)
		format = answer->format;
	if (format == DOC_DOC)
		format = DOC_TEXT;
	if (answer->redirect.len)
		send_to_file(answer, command, format, pipe_end, progress);
	if (!answer->pipe.len || answer->failed)
		return;
	if (pipe_end == PIPE_SHOWS) {
		note_status(answer, filter_through_program(answer, command, format, progress));
		return;
	}
	note_status(answer, send_to_program(answer, command, format, progress));
	doc_free(answer->doc);
	answer->doc = NULL;
}
