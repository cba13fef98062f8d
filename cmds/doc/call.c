#include "cmds/doc/call.h"

#include <string.h>

#include "dump/base/utf8.h"

void call_error(struct call *call, const char *fmt, ...)
{
	struct line *line = doc_open_line(call->out);
	va_list args;

	va_start(args, fmt);
	str_vfmt(&line->text, fmt, args);
	va_end(args);
	line_mark(line, ROLE_ERROR, 0, line->text.len);
	doc_newline(call->out);
	call->failed = true;
}

static bool has_warning(const struct doc *doc, const char *text)
{
	size_t i = 0;

	while (i < doc_warnings(doc) && strcmp(doc_warning(doc, i), text))
		i++;
	return i < doc_warnings(doc);
}

void call_note(struct call *call, const char *text)
{
	if (!has_warning(call->out, text))
		doc_warn(call->out, "%s", text);
}

/* Batch mode says a fault of a file as it says those that it meets when it opens one. */
static void warn(struct call *call, const char *text, bool is_fault)
{
	if (!has_warning(call->out, text))
		doc_warn(call->out, "%s", text);
	else if (strstr(str_text(call->complaint), text))
		return;
	if (call->complaint->len && call->complaint->text[call->complaint->len - 1] != '\n')
		str_putc(call->complaint, '\n');
	if (is_fault && !call->on_screen)
		str_puts(call->complaint, "tensordbg: ");
	utf8_escape(call->complaint, text, strlen(text));
	if (call->on_screen && !call->toast->len)
		str_puts(call->toast, text);
}

void call_warn(struct call *call, const char *text)
{
	warn(call, text, false);
}

void call_fault(struct call *call, const char *text)
{
	warn(call, text, true);
}

void call_damage(struct call *call, const char *file, const struct err *damage)
{
	struct str text = {0};

	err_put(&text, file, damage);
	call_fault(call, text.text);
	str_release(&text);
}

void put_file_error(struct doc *doc, const struct err *err)
{
	struct str text = {0};

	err_put(&text, err->src, err);
	doc_line_put(doc, ROLE_ERROR, "ERROR: %s", text.text);
	str_release(&text);
}

bool call_wants_status(const struct call *call)
{
	static const char name[] = "exit-code";
	bool has = false, given = false;

	for (size_t i = 0; call->cmd && i < call->cmd->n_opts; i++)
		has |= !strcmp(call->cmd->opts[i].name, name);
	for (size_t i = 0; has && i < call->n_words; i++) {
		const char *word = call->words[i];

		given |= !strncmp(word, "--e", 3) && !strncmp(name, word + 2, strlen(word + 2));
	}
	return given;
}

void call_found(struct call *call, bool found, bool unjudged)
{
	if (call_wants_status(call))
		call->status = found ? 1 : unjudged ? 3 : 0;
}

void call_syntax_error(struct call *call)
{
	doc_line_put(call->out, ROLE_PLAIN, "Syntax error for command: %s", call->typed);
	doc_line_put(call->out, ROLE_PLAIN, "For help, do \"help %s\"", call->typed);
	call->failed = true;
}

/* The exception Python would have raised; NULL: the fault is not in what was typed. */
static const char *python_class(enum err_code code)
{
	switch (code) {
	case ERR_SYNTAX: return "SyntaxError";
	case ERR_TYPE: return "TypeError";
	case ERR_VALUE: return "ValueError";
	case ERR_INDEX: return "IndexError";
	case ERR_LOOKUP: return "LookupError";
	case ERR_KEY: return "KeyError";
	case ERR_REGEX: return "re.error";
	case ERR_NAME: return "NameError";
	case ERR_ATTRIBUTE: return "AttributeError";
	case ERR_ZERO_DIVISION: return "ZeroDivisionError";
	case ERR_AXIS: return "numpy.AxisError";
	case ERR_PATH: return "OSError";
	default: return NULL;
	}
}

static void put_error_block(struct call *call, const char *class)
{
	struct doc *doc = call->out;

	doc_put(doc, ROLE_PLAIN, "Error occurred during handling of command: %s ", call->cmd->name);
	for (size_t i = 0; i < call->n_words; i++)
		doc_put(doc, ROLE_PLAIN, "%s%s", i ? " " : "", call->words[i]);
	doc_line_put(doc, ROLE_PLAIN, ":");
	doc_line_put(doc, ROLE_PLAIN, "<class '%s'>: %s", class, call->err.msg);
	doc_newline(doc);
	doc_line_put(doc, ROLE_PLAIN, "%s: %s", class, call->err.msg);
	doc_newline(doc);
	if (call->advice)
		doc_line_put(doc, ROLE_PLAIN, "%s", call->advice);
}

void call_put_failure(struct call *call)
{
	const char *class = python_class(call->err.code);

	doc_free(call->out);
	call->out = doc_new();
	if (class)
		put_error_block(call, class);
	else if (!strcmp(call->err.src, "command"))
		call_error(call, "ERROR: %s", call->err.msg);
	else
		put_file_error(call->out, &call->err);
	call->failed = true;
}

void call_put_reason(const struct call *call, struct str *out)
{
	static const char prefix[] = "ERROR: ";
	const char *class = python_class(call->err.code);
	struct line line = {0};

	if (class) {
		str_fmt(out, "%s: %s", class, call->err.msg);
		return;
	}
	if (!doc_rows(call->out) && call->complaint->len) {
		str_put(out, call->complaint->text, strcspn(call->complaint->text, "\n"));
		return;
	}
	doc_line(call->out, 0, 0, &line);
	str_puts(out, str_text(&line.text));
	if (!strncmp(str_text(out), prefix, strlen(prefix))) {
		str_reset(out);
		str_puts(out, line.text.text + strlen(prefix));
	}
	line_release(&line);
}
