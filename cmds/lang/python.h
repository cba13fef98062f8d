#ifndef CMDS_PYTHON_H
#define CMDS_PYTHON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "dump/base/err.h"
#include "dump/base/str.h"

/* Python's reading and writing of small things, where tfdbg left them to Python. */

/* str.isspace() of one character; also what \s matches. */
bool python_space(uint32_t cp);
/* str.strip(): where the text begins; *len is shortened. */
const char *python_strip(const char *text, size_t *len);

/* What int(text) takes: blanks around, a sign, single _ between digits. Out of 64 bits: clamped. */
bool python_int(const char *text, size_t len, int64_t *out);
/* The same of digits alone, at least one: no sign, no blanks. */
bool python_digits(const char *text, size_t len, int64_t *out);
/* The same; on false *err has int()'s own text and ERR_VALUE. off: the column of text. */
bool python_int_read(const char *text, size_t len, uint64_t off, int64_t *out, struct err *err);

/*
 * What float(text) takes; beyond the range of a double it is an infinity. ERR_VALUE with float()'s
 * own text.
 */
bool python_float_read(const char *text, size_t len, uint64_t off, double *out, struct err *err);

/* Appends repr() of a str: in quotes, escaped. Bytes that are no UTF-8 are shown as \udcXX. */
void python_repr(struct str *out, const char *text, size_t len);

#endif
