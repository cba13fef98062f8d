#ifndef BASE_TEXT_H
#define BASE_TEXT_H

#include <stddef.h>

/* A stretch of another text, which has to stay. */
struct text {
	const char *at;
	size_t len;
};

#endif
