#ifndef DUMP_SUMMARY_FIELDS_H
#define DUMP_SUMMARY_FIELDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "dump/base/arena.h"
#include "dump/base/str.h"
#include "dump/base/text.h"

/* Messages of protocol buffers in memory, as the values of a summary are. */

/* Puts a field; nothing if it is 0 or empty. */
void field_put_number(struct str *out, uint32_t field, uint64_t number);
void field_put_int(struct str *out, uint32_t field, int64_t number);     /* sint64 */
/* -0 is not 0; every NaN is the same. */
void field_put_double(struct str *out, uint32_t field, double number);
void field_put_bytes(struct str *out, uint32_t field, const void *bytes, size_t len);
void field_put_text(struct str *out, uint32_t field, const char *text);  /* NULL: nothing */
/* The same of one that is 0 or empty, too. */
void field_put_any_double(struct str *out, uint32_t field, double number);
void field_put_element(struct str *out, uint32_t field, const void *bytes, size_t len);

void varint_put(struct str *out, uint64_t number);
/* Of what lies at *at, which moves behind it. False: it is cut, or has more than 64 bits. */
bool varint_take(struct text *at, uint64_t *number);
static inline uint64_t zigzag(int64_t number)
{
	return (uint64_t)number << 1 ^ (uint64_t)(number >> 63);
}
static inline int64_t unzigzag(uint64_t number)
{
	return (int64_t)(number >> 1) ^ -(int64_t)(number & 1);
}

/* One of a message. */
struct message_field {
	uint32_t number;
	bool is_bytes;           /* else it is a number */
	uint64_t value;          /* of a double its bits */
	struct text bytes;
};

/*
 * The next field of a message, which moves behind it. False at the end; or if it is damaged, then
 * *damaged. Groups and fixed numbers of four bytes are damage.
 */
bool message_next(struct text *message, struct message_field *field, bool *damaged);

double field_double(const struct message_field *field);
/* A copy in mem, up to its first NUL. */
const char *field_text(const struct message_field *field, struct arena *mem);

#endif
