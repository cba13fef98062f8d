#ifndef TESTS_SUITE_H
#define TESTS_SUITE_H

#include <check.h>
#include <locale.h>
#include <stdlib.h>

/* The number of rows of an array. */
#define ROWS(table) ((int)(sizeof (table) / sizeof *(table)))

/* A test program is one suite: SUITE_MAIN("wire", tcase_add_test(t, reads_varint); ...) */
#define SUITE_MAIN(name, ...) \
	int main(void) \
	{ \
		Suite *suite = suite_create(name); \
		TCase *t = tcase_create(name); \
		SRunner *runner = srunner_create(suite); \
		int failed; \
		setlocale(LC_CTYPE, "C.UTF-8"); \
		tcase_set_timeout(t, 120); \
		__VA_ARGS__ \
		suite_add_tcase(suite, t); \
		srunner_run_all(runner, CK_NORMAL); \
		failed = srunner_ntests_failed(runner); \
		srunner_free(runner); \
		return failed ? EXIT_FAILURE : EXIT_SUCCESS; \
	}

#endif
