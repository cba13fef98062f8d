#ifndef DUMP_SUMMARY_MESSAGES_H
#define DUMP_SUMMARY_MESSAGES_H

#include "dump/summary/rows.h"

/* For the files of dump/summary/rows.h alone: a message of a row that is read. */
struct message {
	struct text rest;
	struct message_field field;
	struct arena *mem;
	bool damaged;
};

static inline struct message message_of(const struct summary_row *row, struct arena *mem)
{
	return (struct message){ .rest = row->value, .mem = mem };
}

static inline bool next(struct message *m)
{
	return message_next(&m->rest, &m->field, &m->damaged);
}

static inline const char *text_of(struct message *m)
{
	return field_text(&m->field, m->mem);
}

/* Of an enum that ends before n. */
static inline int choice_of(struct message *m, uint64_t n)
{
	if (m->field.value >= n)
		m->damaged = true;
	return m->damaged ? 0 : (int)m->field.value;
}

/* Numbers that may be -1 are kept as they are plus 1, so that "unknown" takes no byte. */
static inline int64_t or_unknown(const struct message *m)
{
	return (int64_t)(m->field.value - 1);
}

static inline void put_or_unknown(struct str *out, uint32_t field, int64_t number)
{
	field_put_number(out, field, (uint64_t)number + 1);
}

bool message_finished(const struct message *m, const char *path, const struct summary_row *row,
                      struct err *err);

#endif
