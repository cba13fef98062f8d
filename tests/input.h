#ifndef TESTS_INPUT_H
#define TESTS_INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * What fuzz targets share. A target is one file tests/fuzz_NAME.c with this function; libFuzzer
 * calls it, or fuzz_main.c with the files of testdata/fuzz/NAME.
 */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A file in memory with these bytes, the same path each time; unnamed files go to memory too. */
const char *input_file(const uint8_t *data, size_t size);

/*
 * A directory that is also HOME: empty, with the same path each time, in memory if the machine has
 * that. It is removed when the program ends well.
 */
const char *input_dir(void);
/*
 * Writes a file in it; the file's directory exists. The file stays there until input_dir is called
 * or the file is put again, which costs little if its bytes are the same. NULL: there is no such
 * file.
 */
void input_put(const char *name, const void *data, size_t size);
/*
 * Goes there, and back: a corpus is named from where we were. What is there at the top is removed,
 * but for what was put and for directories with what was put.
 */
void input_enter(void);
void input_leave(void);

/*
 * The bytes before the next `between`, or all that is left; *data and *size move past it. False:
 * nothing is left.
 */
bool input_piece(const uint8_t **data, size_t *size, const char *between, const uint8_t **piece,
                 size_t *len);

/*
 * A session may stay open from one run to the next while it is opened over the same bytes:
 * input_differs says whether they differ from those of the call before. LLVMFuzzerCustomMutator,
 * which libFuzzer calls if a target has it, makes that frequent with input_mutate: seven of eight
 * times only one of the first n bytes changes, those which choose the commands.
 */
bool input_differs(const uint8_t *data, size_t size);
size_t input_mutate(uint8_t *data, size_t size, size_t max, unsigned seed, size_t n);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max, unsigned seed);

/* The text up to the first NUL, in a block of just that size; the caller frees it. */
char *input_text(const uint8_t *data, size_t size);

/* The same for the first line; *data and *size move past it. */
char *input_line(const uint8_t **data, size_t *size);

/* What always holds, NDEBUG or not. */
#define MUST(holds) ((holds) ? (void)0 : must_failed(#holds, __FILE__, __LINE__))
_Noreturn void must_failed(const char *what, const char *file, int line);

#endif
