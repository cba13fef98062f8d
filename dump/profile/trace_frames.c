/*
 * Frames of Python come as slices of threads, very many and mostly the same: what is kept is a tree
 * of them in which each way from the outermost frame is once, and where each op is in it. One sweep
 * over frames and ops in the order of their starts finds the innermost frame around each op.
 */
#include <stdlib.h>
#include <string.h>

#include "dump/base/mem.h"
#include "dump/profile/trace_parts.h"

#define FRAMES_MOST (1u << 25)

void trace_add_frame(struct trace *trace, uint32_t thread, int64_t start_ns, int64_t len_ns,
                     uint32_t name)
{
	struct trace_making *m = trace->making;
	int64_t end_ns;

	if (!trace_end(start_ns, len_ns, &end_ns))
		return;
	if (m->frames.len == FRAMES_MOST) {
		if (!m->frames_cut)
			trace_warn(trace, "More than %u Python frames: the rest is left out.",
			           FRAMES_MOST);
		m->frames_cut = true;
		return;
	}
	vec_push(&m->frames, ((struct slice_of_frame){ start_ns, end_ns, thread, name }));
}

/* By thread, start, the longer first. */
static int by_nesting(const void *a, const void *b)
{
	const struct slice_of_frame *p = a, *q = b;

	if (p->thread != q->thread)
		return p->thread < q->thread ? -1 : 1;
	if (p->start_ns != q->start_ns)
		return p->start_ns < q->start_ns ? -1 : 1;
	return (p->end_ns < q->end_ns) - (p->end_ns > q->end_ns);
}

struct open_frame {
	int64_t end_ns;
	uint32_t frame;                  /* trace->frames */
};

struct sweep {
	struct trace *trace;
	struct id_map known;             /* trace->frames, by frame above and name */
	VEC(struct open_frame) open;
	size_t next;                     /* of the slices */
};

/* The place in the tree of a frame within another, MAP_NONE: the outermost. */
static uint32_t frame_below(struct sweep *s, uint32_t above, uint32_t name)
{
	int64_t way = (int64_t)((uint64_t)above << 32 | name);
	uint32_t *place = id_map_place(&s->known, way);

	if (*place == MAP_NONE) {
		*place = (uint32_t)s->trace->frames.len;
		vec_push(&s->trace->frames, ((struct trace_frame){ name, above }));
	}
	return *place;
}

static void leave(struct sweep *s, int64_t at_ns)
{
	while (s->open.len && vec_last(&s->open)->end_ns <= at_ns)
		s->open.len--;
}

/* Enters and leaves all frames up to a time of a thread. */
static void go_to(struct sweep *s, uint32_t thread, int64_t at_ns)
{
	const struct trace_making *m = s->trace->making;

	for (; s->next < m->frames.len; s->next++) {
		const struct slice_of_frame *f = &m->frames.at[s->next];
		uint32_t above;

		if (f->thread > thread || (f->thread == thread && f->start_ns > at_ns))
			break;
		if (f->thread < thread)
			continue;
		leave(s, f->start_ns);
		above = s->open.len ? vec_last(&s->open)->frame : MAP_NONE;
		vec_push(&s->open, ((struct open_frame){ f->end_ns,
		                                         frame_below(s, above, f->name) }));
	}
	leave(s, at_ns);
}

void trace_find_frames(struct trace *trace, const uint32_t *host, size_t n)
{
	struct trace_making *m = trace->making;
	struct sweep s = { .trace = trace };
	uint32_t thread = MAP_NONE;

	if (!m->frames.len)
		return;
	qsort(m->frames.at, m->frames.len, sizeof *m->frames.at, by_nesting);
	for (size_t i = 0; i < n; i++) {
		const struct activity *a = &trace->all.at.at[host[i]];
		uint32_t of = trace->records.at[a->record].thread;

		if (of != thread)
			s.open.len = 0;
		thread = of;
		go_to(&s, thread, a->start_ns);
		if (s.open.len)
			trace_set_frame(trace, a->record, vec_last(&s.open)->frame);
	}
	vec_release(&s.open);
	id_map_release(&s.known);
	vec_release(&m->frames);
}
