/* What every unit test includes: cmocka and the headers it wants before it. */
#ifndef SQ_TESTS_UNIT_H
#define SQ_TESTS_UNIT_H
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* Rows of a table. */
#define LENGTH(table) (sizeof(table) / sizeof *(table))
#endif
