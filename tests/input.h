#ifndef TESTS_INPUT_H
#define TESTS_INPUT_H

#include <stddef.h>
#include <stdint.h>

/*
 * What fuzz targets share. A target is one file tests/fuzz_NAME.c with this function; libFuzzer calls it, or fuzz_main.c
 * with the files of testdata/fuzz/NAME.
 */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A file in memory with these bytes, the same path each time. */
const char *input_file(const uint8_t *data, size_t size);

/* Text up to the first NUL, in a block of its own size, so that reading beyond its end is found. The caller frees it. */
char *input_text(const uint8_t *data, size_t size);

/* The same of the first line; *data and *size are moved behind it. */
char *input_line(const uint8_t **data, size_t *size);

/* What always holds, NDEBUG or not. */
#define MUST(holds) ((holds) ? (void)0 : must_failed(#holds, __FILE__, __LINE__))
_Noreturn void must_failed(const char *what, const char *file, int line);

#endif
