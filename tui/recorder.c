#include "tui/recorder.h"

#include <string.h>

#include "cmds/session/envelope.h"
#include "cmds/session/suggest.h"
#include "dump/base/say.h"
#include "tui/recorder_texts.h"

#define X(name, needs, slower, records) { #name, needs, slower, records, recorder_##name },
const struct recorder recorders[] = { RECORDERS(X) };
#undef X
const size_t n_recorders = sizeof recorders / sizeof *recorders;

#define LIST "list"

static bool put_rows(void *context, struct data *data, struct progress *progress, struct err *err)
{
	(void)context, (void)progress, (void)err;
	data_rows(data, "name,needs,slower,records");
	for (size_t i = 0; i < n_recorders; i++) {
		data_object(data);
		data_key(data, "name");
		data_str(data, recorders[i].name);
		data_key(data, "needs");
		data_str(data, recorders[i].needs);
		data_key(data, "slower");
		data_literal(data, recorders[i].slower);
		data_key(data, "records");
		data_str(data, recorders[i].records);
		data_end(data);
	}
	data_end(data);
	return true;
}

static int longest(int width, const char *text)
{
	return (int)strlen(text) > width ? (int)strlen(text) : width;
}

static void put_list(struct doc *doc)
{
	int names = 0, needs = 0;

	for (size_t i = 0; i < n_recorders; i++) {
		names = longest(names, recorders[i].name);
		needs = longest(needs, recorders[i].needs);
	}
	doc_line_put(doc, ROLE_PLAIN, "%-*s  %-*s  Slower  Records", names, "Name", needs,
	             "Needs");
	for (size_t i = 0; i < n_recorders; i++)
		doc_line_put(doc, ROLE_PLAIN, "%-*s  %-*s  %5sx  %s", names, recorders[i].name,
		             needs, recorders[i].needs, recorders[i].slower,
		             recorders[i].records);
	doc_newline(doc);
	doc_line_put(doc, ROLE_PLAIN, "tensordbg --recorder NAME > record_NAME.py, which says at "
	                              "its top how it is used.");
	doc_typed(doc, DATA_ROWS, put_rows, NULL);
}

static bool print_list(enum doc_format format, FILE *out)
{
	struct answer answer = { .doc = doc_new() };
	bool ok;

	put_list(answer.doc);
	ok = answer_write(&answer, "--recorder " LIST, format, false, NULL, out);
	answer_release(&answer);
	return ok;
}

static void complain(const char *name)
{
	struct suggest near = { .word = name };
	struct str names = {0};

	suggest_try(&near, LIST);
	for (size_t i = 0; i < n_recorders; i++)
		suggest_try(&near, recorders[i].name);
	if (suggest_put(&near, &names))
		say("--recorder=%s: did you mean %s?", name, names.text);
	else
		say("--recorder=%s: there is no such recorder; --recorder " LIST " names them",
		    name);
	str_release(&names);
}

bool recorder_print(const char *name, enum doc_format format, FILE *out)
{
	if (!strcmp(name, LIST)) {
		print_list(format, out);
		return true;
	}
	for (size_t i = 0; i < n_recorders; i++)
		if (!strcmp(name, recorders[i].name)) {
			fputs(recorders[i].text, out);
			return true;
		}
	complain(name);
	return false;
}

void recorder_tell_where(FILE *out)
{
	fputs("Nothing recorded yet? 'tensordbg --recorder " LIST "' lists the recorders.\n",
	      out);
}
