#ifndef DUMP_HLO_LINE_H
#define DUMP_HLO_LINE_H

#include "dump/base/text.h"
#include "dump/base/vec.h"
#include "dump/format/file.h"
#include "dump/model/module.h"

/* The lines of HLO text, for hlo_text.c and hlo_attrs.c. Nobody else includes it. */

/* A place in the text. One character is looked at; nothing of a line needs to be held. */
struct hlo_source {
	struct file *file;
	uint64_t off;            /* of the piece */
	const char *piece, *at, *end;
	struct err err;          /* reading failed: then the text ends here */
};
void hlo_start(struct hlo_source *source, struct file *file, uint64_t off);
/* The next piece of the file. False: there is none. */
bool hlo_more(struct hlo_source *source);

/* The character that comes next; -1: the text ends. */
static inline int hlo_peek(struct hlo_source *source)
{
	return source->at < source->end || hlo_more(source) ? (unsigned char)*source->at : -1;
}

static inline uint64_t hlo_off(const struct hlo_source *source)
{
	return source->off + (uint64_t)(source->at - source->piece);
}

/* A text ends where its line does, broken or not. */
static inline bool hlo_is_end(int c)
{
	return c == '\n' || c == '\r' || c < 0;
}

void hlo_skip_blanks(struct hlo_source *source);
void hlo_skip_line(struct hlo_source *source);   /* and its end */

/*
 * The text up to one of the characters in stops that stands outside brackets, strings and comments;
 * that one is taken. Comments are left out, NUL is UTF8_NUL, what is longer than max is cut. out
 * NULL: it is passed over. Returns the stop, or 0 at the end of the line.
 */
int hlo_take(struct hlo_source *source, const char *stops, struct str *out, size_t max);

struct hlo_operand {
	size_t at, len;
};

/* A line "  [ROOT] NAME = SHAPE OPCODE(OPERANDS), KEY=VALUE, ...". Start with {0}. */
struct hlo_line {
	bool is_root;
	struct str name, shape, opcode;
	/* Their names, behind one another; of some ops no names, but what they are. */
	struct str operands;
	VEC(struct hlo_operand) operand;
	struct str key, value;           /* the attribute that was read last */
	uint64_t off;
};
/* As far as the first attribute. False: it is no such line. */
bool hlo_line_begin(struct hlo_source *source, struct hlo_line *line);
/*
 * The next attribute. wanted: is its value needed? False: there is none; then the source is at the
 * end of the line.
 */
bool hlo_line_attr(struct hlo_source *source, struct hlo_line *line,
                   bool (*wanted)(const char *key));
void hlo_line_release(struct hlo_line *line);

struct text hlo_text_of(const struct str *str);
/* Without the "%" that names may begin with. */
struct text hlo_name(struct text text);
/* "{op_name=\"a\" line=3}": the next key and its value, without quotes. False: there is none. */
bool hlo_pair(struct text *rest, struct text *key, struct text *value);
/* "{%a, %b}", "%a": the next name. False: there is none. */
bool hlo_name_in(struct text *rest, struct text *name);
/* Undoes what C does to a text inside quotes. */
void hlo_unescape(struct text quoted, struct str *out);

module_attrs hlo_text_attrs;

#endif
