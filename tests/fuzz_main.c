/*
 * Instead of libFuzzer: calls the target with each file named on the command line, or with each
 * file of its corpus. A name is printed before its file is tried, so the last one is the one that
 * failed.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dump/base/str.h"
#include "dump/files/walk.h"
#include "tests/input.h"

#define CORPUS "testdata/fuzz/"

static bool replay(const char *path)
{
	FILE *in = fopen(path, "re");
	char block[4096];
	struct str bytes = {0};
	size_t n;

	printf("%s\n", path);
	fflush(stdout);
	if (!in)
		return false;
	while ((n = fread(block, 1, sizeof block, in)) > 0)
		str_put(&bytes, block, n);
	fclose(in);
	LLVMFuzzerTestOneInput((const uint8_t *)str_text(&bytes), bytes.len);
	str_release(&bytes);
	return true;
}

/* "build/tests/fuzz_wire" has its corpus in testdata/fuzz/wire. */
static void replay_corpus(const char *program, int *passed, int *failed)
{
	const char *name = strrchr(program, '_');
	struct str dir = {0}, path = {0};
	struct listing list = {0};

	str_fmt(&dir, "%s%s", CORPUS, name ? name + 1 : "");
	listing_of(&list, dir.text, NULL);
	for (size_t i = 0; i < list.entries.len; i++) {
		str_reset(&path);
		str_fmt(&path, "%s/%s", dir.text, list.entries.at[i].name);
		++*(replay(path.text) ? passed : failed);
	}
	listing_release(&list);
	str_release(&path);
	str_release(&dir);
}

int main(int argc, char **argv)
{
	int passed = 0, failed = 0;

	LLVMFuzzerTestOneInput((const uint8_t *)"", 0);
	for (int i = 1; i < argc; i++)
		++*(replay(argv[i]) ? &passed : &failed);
	if (argc < 2)
		replay_corpus(argv[0], &passed, &failed);
	printf("%d passed, %d failed\n", passed, failed);
	return passed && !failed ? EXIT_SUCCESS : EXIT_FAILURE;
}
