#include "tests/made_xspace.h"

#include <string.h>

#include "tests/message.h"

void made_plane(struct made_xspace *m, const char *name)
{
	put_bytes(&m->head, 2, name, strlen(name));
	m->n_events = m->n_stats = 0;
}

static void end_event(struct made_xspace *m)
{
	if (m->in_event)
		put_message(&m->line, 4, &m->event);
	str_reset(&m->event);
	m->in_event = false;
}

static void end_line(struct made_xspace *m)
{
	end_event(m);
	if (m->in_line)
		put_message(&m->lines, 3, &m->line);
	str_reset(&m->line);
	m->in_line = false;
}

void made_plane_end(struct made_xspace *m)
{
	struct str *const parts[] = { &m->head, &m->lines, &m->events, &m->stats };
	size_t len = 0;

	end_line(m);
	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
		len += parts[i]->len;
	put_varint(&m->out, 1 << 3 | 2);
	put_varint(&m->out, len);
	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
		str_put(&m->out, str_text(parts[i]), parts[i]->len);
		str_reset(parts[i]);
	}
}

/* An entry of a map from numbers to names. */
static void put_entry(struct str *out, uint32_t field, uint32_t id, const char *name)
{
	struct str entry = {0}, value = {0};

	put_number(&value, 1, id);
	put_bytes(&value, 2, name, strlen(name));
	put_number(&entry, 1, id);
	put_message(&entry, 2, &value);
	put_message(out, field, &entry);
	str_release(&entry);
	str_release(&value);
}

uint32_t made_event_name(struct made_xspace *m, const char *name)
{
	put_entry(&m->events, 4, ++m->n_events, name);
	return m->n_events;
}

uint32_t made_stat_name(struct made_xspace *m, const char *name)
{
	put_entry(&m->stats, 5, ++m->n_stats, name);
	return m->n_stats;
}

void made_line(struct made_xspace *m, int64_t id, const char *name, int64_t start_ns)
{
	end_line(m);
	m->in_line = true;
	put_number(&m->line, 1, (uint64_t)id);
	put_bytes(&m->line, 2, name, strlen(name));
	put_number(&m->line, 3, (uint64_t)start_ns);
}

void made_event(struct made_xspace *m, uint32_t name, int64_t start_ps, int64_t len_ps)
{
	end_event(m);
	m->in_event = true;
	put_number(&m->event, 1, name);
	put_number(&m->event, 2, (uint64_t)start_ps);
	put_number(&m->event, 3, (uint64_t)len_ps);
}

static size_t varint_len(uint64_t value)
{
	size_t n = 1;

	for (; value >= 0x80; value >>= 7)
		n++;
	return n;
}

/* A stat whose value is a number in some field. */
static void put_stat(struct made_xspace *m, uint32_t stat, uint32_t field, uint64_t value)
{
	put_varint(&m->event, 4 << 3 | 2);
	put_varint(&m->event, 2 + varint_len(stat) + varint_len(value));
	put_number(&m->event, 1, stat);
	put_number(&m->event, field, value);
}

void made_number(struct made_xspace *m, uint32_t stat, uint64_t value)
{
	put_stat(m, stat, 3, value);
}

void made_reference(struct made_xspace *m, uint32_t stat, uint32_t text)
{
	put_stat(m, stat, 7, text);
}

void made_text(struct made_xspace *m, uint32_t stat, const char *value)
{
	struct str body = {0};

	put_number(&body, 1, stat);
	put_bytes(&body, 5, value, strlen(value));
	put_message(&m->event, 4, &body);
	str_release(&body);
}

void made_xspace_release(struct made_xspace *m)
{
	struct str *const all[] = { &m->out, &m->head, &m->lines, &m->events, &m->stats, &m->line,
	                            &m->event };

	for (size_t i = 0; i < sizeof all / sizeof *all; i++)
		str_release(all[i]);
}
