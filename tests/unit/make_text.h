/* Make text: statements built by hand, as text. */
#ifndef SQ_TESTS_MAKE_TEXT_H
#define SQ_TESTS_MAKE_TEXT_H
#include "codegen/print/c.h"
#include "tests/unit/make_code.h"
#include "tests/unit/unit.h"

static inline void assert_text(const made *m, const sq_code *x, const char *expected)
{
    sq_text t = {0};
    sq_c_code(&(sq_c_printer){.pool = m->pool}, x, &t);
    assert_string_equal(sq_text_str(&t), expected);
    sq_text_free(&t);
}
#endif
