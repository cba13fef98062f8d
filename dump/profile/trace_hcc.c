#include "dump/profile/trace_hcc.h"

#include <string.h>

#include "dump/base/str.h"
#include "dump/format/cells.h"
#include "dump/format/decimal.h"
#include "dump/format/text_lines.h"

enum { PROGRESS_LINES = 1024, FIELDS_MOST = 16 };

#define CUT_NS 100               /* so much an exact length may differ from the printed one */

struct hcc {
	struct trace *trace;
	int64_t next_ns;                 /* the end of the record before */
	bool any_timed;
	bool no_end;                     /* the last field of the last line is not ended */
};

/* What a line says. */
struct command {
	enum activity_kind kind;
	struct text tag, id;             /* id "0.1.4"; empty: not said */
	int64_t len_ns, start_ns, end_ns, bytes;
	bool has_times, has_bytes;
};

/* Fields. */

static bool is_same(struct text text, const char *with)
{
	return text.len == strlen(with) && !memcmp(text.at, with, text.len);
}

static bool ends(struct text text, const char *with, struct text *before)
{
	size_t n = strlen(with);

	if (text.len < n || memcmp(text.at + text.len - n, with, n) != 0)
		return false;
	*before = text_trimmed((struct text){ text.at, text.len - n });
	return true;
}

static size_t split(struct text line, struct text *fields)
{
	size_t n = 0;

	while (line.len && n < FIELDS_MOST) {
		const char *end = memchr(line.at, ';', line.len);
		size_t len = end ? (size_t)(end - line.at) : line.len;

		fields[n++] = text_trimmed((struct text){ line.at, len });
		line.at += len + (end != NULL);
		line.len -= len + (end != NULL);
	}
	return n;
}

static bool read_kind(struct text type, enum activity_kind *kind)
{
	static const struct { const char *type; enum activity_kind kind; } types[] = {
		{ "kernel", ACTIVITY_KERNEL }, { "copy", ACTIVITY_COPY },
		{ "copyslo", ACTIVITY_COPY },
		{ "barrier", (enum activity_kind)ACTIVITY_BARRIER },
	};

	for (size_t i = 0; i < sizeof types / sizeof *types; i++)
		if (is_same(type, types[i].type)) {
			*kind = types[i].kind;
			return true;
		}
	return false;
}

/* Behind the duration: of two numbers or three the last are start and end. */
static void read_rest(struct command *c, const struct text *fields, size_t n)
{
	size_t n_times = 0;

	for (size_t i = 0; i < n; i++) {
		struct text bytes;
		int64_t number;

		if (decimal_is_whole(fields[i].at, fields[i].len, &number)) {
			c->start_ns = c->end_ns;
			c->end_ns = number;
			n_times++;
		} else if (fields[i].len && *fields[i].at == '#') {
			c->id = text_trimmed((struct text){ fields[i].at + 1, fields[i].len - 1 });
		} else if (ends(fields[i], " bytes", &bytes)) {
			c->has_bytes = decimal_is_whole(bytes.at, bytes.len, &c->bytes);
		}
	}
	c->has_times = n_times >= 2 && c->start_ns >= 0;
}

/* Some documents have times that were cut to larger units: then the printed length is right. */
static void choose_length(struct command *c)
{
	int64_t exact, off;

	if (c->has_times && !__builtin_sub_overflow(c->end_ns, c->start_ns, &exact)
	    && exact >= 0 && !__builtin_sub_overflow(exact, c->len_ns, &off)
	    && off <= CUT_NS && off >= -CUT_NS)
		c->len_ns = exact;
}

/* Lines. */

/* What follows the last "profile:" of a line. False: there is none. */
static bool find_report(struct text line, struct text *report)
{
	static const char sign[] = "profile:";
	size_t n = sizeof sign - 1;
	const char *end = line.at + line.len, *found = NULL;

	for (const char *at = line.at;
	     at < end && (at = memmem(at, (size_t)(end - at), sign, n)); at += n)
		found = at + n;
	if (found)
		*report = (struct text){ found, (size_t)(end - found) };
	return found;
}

/* "0.1.4": device 0, queue 1. */
static void place_of(struct text id, struct text *device, struct text *queue)
{
	const char *dot = id.len ? memchr(id.at, '.', id.len) : NULL, *next;

	*device = (struct text){ "", 0 };
	*queue = *device;
	if (!dot)
		return;
	*device = (struct text){ id.at, (size_t)(dot - id.at) };
	*queue = (struct text){ dot + 1, id.len - device->len - 1 };
	next = memchr(queue->at, '.', queue->len);
	if (next)
		queue->len = (size_t)(next - queue->at);
}

static void add(struct hcc *h, const struct command *c)
{
	struct trace *trace = h->trace;
	struct activity a = { .start_ns = c->has_times ? c->start_ns : h->next_ns,
	                      .len_ns = c->len_ns, .node = MAP_NONE, .op = TRACE_NO_NAME,
	                      .launch = MAP_NONE, .launch_delay_ns = -1 };
	struct trace_record record = { .external = TRACE_NO_ID, .step = TRACE_OUTSIDE,
	                               .untimed = !c->has_times, .has_bytes = c->has_bytes };
	struct text device, queue;

	place_of(c->id, &device, &queue);
	if (!trace_end(a.start_ns, a.len_ns, &h->next_ns)) {
		h->next_ns = 0;
		trace->n_left_out++;
		return;
	}
	h->any_timed |= c->has_times;
	a.kind = c->kind & 3u;
	a.bytes = c->has_bytes ? c->bytes : 0;
	a.raw = trace_name(trace, c->tag.at, c->tag.len);
	a.device = trace_device(trace, device.at, device.len) & 0x3fffffff;
	a.stream = trace_stream(trace, queue.at, queue.len);
	record.correlation = c->id.len ? trace_id(trace, c->id.at, c->id.len) : TRACE_NO_ID;
	if (a.kind == ACTIVITY_BARRIER)
		trace_add_wait(trace, &a, &record);
	else
		trace_add(trace, &a, &record);
}

static void take_line(struct hcc *h, struct text line)
{
	struct text fields[FIELDS_MOST], report, us;
	struct command c = { .id = { "", 0 } };
	size_t n;

	h->no_end = false;
	if (!find_report(line, &report))
		return;
	n = split(report, fields);
	if (!n || !read_kind(fields[0], &c.kind))
		return;
	h->no_end = report.at[report.len - 1] != ';';
	if (n < 3 || !ends(fields[2], " us", &us)
	    || !decimal_scaled(us.at, us.len, 3, &c.len_ns) || c.len_ns < 0) {
		h->trace->n_left_out++;
		return;
	}
	c.tag = fields[1];
	read_rest(&c, fields + 3, n - 3);
	choose_length(&c);
	add(h, &c);
}

static bool read_lines(struct hcc *h, struct text_lines *lines, struct progress *progress,
                       struct err *err)
{
	struct text line;

	for (uint64_t n = 0; text_lines_next(lines, &line); n++) {
		if (n % PROGRESS_LINES == 0
		    && !progress_step(progress, lines->off, lines->file->size))
			return err_at(err, ERR_CANCELLED, lines->file->path, 0, "stopped");
		take_line(h, line);
	}
	return true;
}

static bool load(struct trace *trace, struct file *file, struct progress *progress,
                 struct err *err)
{
	struct hcc h = { .trace = trace };
	struct text_lines lines;
	bool ok;

	text_lines_start(&lines, file);
	ok = read_lines(&h, &lines, progress, err);
	if (ok && !trace->records.len && !trace->n_left_out)
		ok = err_at(err, ERR_UNSUPPORTED, file->path, 0, "no line of HCC_PROFILE is in it");
	if (ok) {
		trace->untimed = !h.any_timed;
		trace_warn_cut(trace, &lines.why);
		if (h.no_end && lines.is_cut && !lines.why.code)
			trace_warn_no_end(trace, lines.off);
	}
	text_lines_release(&lines);
	return ok;
}

const struct trace_source hcc_source = {
	.name = "hcc", .what = "an HCC_PROFILE log", .load = load, .of_several_runs = true,
};
