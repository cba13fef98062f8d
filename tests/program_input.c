#include "tests/program_input.h"

#include "dump/base/str.h"
#include "dump/model/program.h"
#include "tests/input.h"
#include "tests/message.h"

#define SETS 2
#define RECORDS_MAX 64

static struct str file[SETS][PROGRAM_FILE_KINDS];

void program_input(const uint8_t *data, size_t size)
{
	const uint8_t *piece;
	size_t len;

	for (int set = 0; set < SETS; set++)
		for (int kind = 0; kind < PROGRAM_FILE_KINDS; kind++)
			str_reset(&file[set][kind]);
	for (int n = 0; n < RECORDS_MAX &&
	                input_piece(&data, &size, PROGRAM_BETWEEN, &piece, &len); n++)
		if (len)
			put_tfrecord(&file[piece[0] / PROGRAM_FILE_KINDS % SETS]
			                  [piece[0] % PROGRAM_FILE_KINDS], piece + 1, len - 1);
}

/* A process whose metadata are missing isn't found: they are there, even without any record. */
static bool is_there(int set, int kind)
{
	bool any = set == 0;

	for (int k = 0; kind == PROGRAM_FILE_METADATA && k < PROGRAM_FILE_KINDS; k++)
		any |= file[set][k].len > 0;
	return file[set][kind].len || (kind == PROGRAM_FILE_METADATA && any);
}

void program_input_write(bool whole)
{
	struct str name = {0};

	for (int set = 0; set < SETS; set++)
		for (int kind = 0; kind < PROGRAM_FILE_KINDS; kind++) {
			const struct str *f = &file[set][kind];

			str_reset(&name);
			str_fmt(&name, "tfdbg_events.%d.host.%s", set, program_file_suffix[kind]);
			input_put(name.text, is_there(set, kind) ? str_text(f) : NULL,
			          whole ? f->len : f->len / 2);
		}
	str_release(&name);
}
