#include "tests/traces.h"

#include <check.h>
#include <string.h>

#include "tests/message.h"

struct trace *trace;
struct err trace_err;

static void read_bytes(const struct trace_source *source, const void *bytes, size_t len,
                       struct progress *progress)
{
	trace_free(trace);
	trace_err = (struct err){0};
	trace = trace_load(file_of(bytes, len), source, NULL, progress, &trace_err);
}

void trace_open_bytes(const struct trace_source *source, const void *bytes, size_t len)
{
	read_bytes(source, bytes, len, NULL);
}

void trace_open_text(const struct trace_source *source, const char *text)
{
	trace_open_bytes(source, text, strlen(text));
	ck_assert_msg(trace != NULL, "%s", trace_err.msg);
}

void trace_let_go(void)
{
	trace_free(trace);
	trace = NULL;
}

/* At the second look, so that something has been read by then. */
static void cancel_soon(struct progress *progress)
{
	if (progress->done)
		progress->cancel = true;
}

void trace_is_cancelled(const struct trace_source *source, const struct str *bytes)
{
	struct progress progress = { .tick = cancel_soon };

	read_bytes(source, bytes->text, bytes->len, &progress);
	ck_assert_ptr_null(trace);
	ck_assert_int_eq(trace_err.code, ERR_CANCELLED);
}
