#ifndef CMDS_PYTHON_JSON_H
#define CMDS_PYTHON_JSON_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "dump/base/str.h"

/*
 * JSON written piece by piece as Python's json.dumps writes it: an indent of 4 or none, all but
 * ASCII escaped. Set out and compact, the rest {0}.
 */
struct python_json {
	FILE *out;
	bool compact;            /* no blanks and newlines */
	bool failed;             /* to write */
	bool first;              /* private: nothing in the innermost yet */
	int depth;               /* private */
	struct str text;         /* private: not written yet */
};

void pj_open(struct python_json *json, char bracket);
void pj_close(struct python_json *json, char bracket);
void pj_event(struct python_json *json);                 /* opens an object in a list */
void pj_inside(struct python_json *json, const char *key);       /* opens an object behind a key */
void pj_key(struct python_json *json, const char *key, size_t len);
void pj_text(struct python_json *json, const char *key, const char *text, size_t len);
void pj_word(struct python_json *json, const char *key, const char *word);
void pj_int(struct python_json *json, const char *key, int64_t value);
void pj_us(struct python_json *json, const char *key, int64_t ns);       /* "12.345" */

bool pj_finish(struct python_json *json);                /* false: not all could be written */
void pj_release(struct python_json *json);

#endif
