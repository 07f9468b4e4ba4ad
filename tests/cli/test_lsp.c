/* squall lsp, by a scripted client: diagnostics with their places in UTF-16, hover, completion, fixes,
 * schedules beside their description. */
#include "tests/cli/lsp_client.h"
#include "transforms/transform.h"
#include <dirent.h>

/* A hover there holds the text; "": there is none. */
static void expect_hover(const char *uri, int line, int character, const char *text)
{
    json_t *m = answer_to(ask("textDocument/hover", place(uri, line, character)));
    const char *value = text_at(m, "result.contents.value");
    if (*text ? !strstr(value, text) : !json_is_null(get(m, "result")))
        fail_msg("the hover at %d:%d lacks '%s': '%s'", line, character, text, value);
    json_decref(m);
}

static void test_diagnostics(void **state)
{
    (void)state;
    const char *uri = uri_in_folder("gemm.sq");
    begin();
    open_text(uri, 1, gemm);
    expect_clean(uri, 1);
    change(uri, 2, with(gemm, "B[k][j]", "B[k + 1][j]"));
    json_t *list = expect_diagnostic(uri, 2, 6, 28, 39, "'B' is read out of bounds");
    assert_int_equal(number_at(list, "0.severity"), 1);
    assert_string_equal(text_at(list, "0.source"), "squall");
    json_decref(list);
    change(uri, 3, gemm);
    expect_clean(uri, 3);

    /* An edit of a range, though none is asked for. */
    tell("textDocument/didChange",
         json_pack("{s:{s:s, s:i}, s:[{s:{s:{s:i, s:i}, s:{s:i, s:i}}, s:s}]}", "textDocument",
                   "uri", uri, "version", 4, "contentChanges", "range", "start", "line", 6,
                   "character", 14, "end", "line", 6, "character", 17, "text", "some"));
    json_decref(expect_diagnostic(uri, 4, 6, 14, 18, "unknown function 'some'"));

    /* A name that begins behind a letter of two bytes and one of two units; lines end with CR LF. */
    change(uri, 5, with(gemm, "C[i][j] = sum", "/* \xc3\xa9 \xf0\x9f\x98\x80 */ C[i][j] = smu"));
    json_decref(expect_diagnostic(uri, 5, 6, 4 + 11 + 10, 4 + 11 + 10 + 3, "'smu'"));
    change(uri, 6,
           "#include \"squall.h\"\r\nkernel f(int N, f32 A[N])\r\n{\r\n    idx i;\r\n    A[i] = "
           "B;\r\n}\r\n");
    json_decref(expect_diagnostic(uri, 6, 4, 11, 12, "'B'"));
    /* A byte 0 is text like any other. */
    static const char with_zero[] = "\0int x;\n";
    tell("textDocument/didChange",
         json_pack("{s:{s:s, s:i}, s:[{s:s#}]}", "textDocument", "uri", uri, "version", 7, "contentChanges", "text",
                   with_zero, sizeof with_zero - 1));
    json_decref(diagnostics(uri, 7));

    tell("textDocument/didClose", json_pack("{s:{s:s}}", "textDocument", "uri", uri));
    expect_clean(uri, 0);
    expect_alive();
    end();
}

/* An editor that offers to count bytes is taken at its word; one that does not, is not. */
static void test_bytes(void **state)
{
    (void)state;
    const char *uri = uri_in_folder("gemm.sq");
    static const struct {
        const char *first, *second, *counted;
        int before; /* columns that a letter of two bytes and one of four take */
    } rows[] = {{"utf-32", "utf-8", "utf-8", 6}, {"utf-16", "utf-32", "utf-16", 3}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        start(NULL);
        json_t *m = answer_to(ask("initialize", json_pack("{s:{s:{s:[s,s]}}}", "capabilities", "general",
                                                          "positionEncodings", rows[i].first, rows[i].second)));
        assert_string_equal(text_at(m, "result.capabilities.positionEncoding"), rows[i].counted);
        json_decref(m);
        open_text(uri, 1, with(gemm, "C[i][j] = sum", "/* \xc3\xa9\xf0\x9f\x98\x80 */ C[i][j] = smu"));
        int column = 4 + 3 + rows[i].before + 4;
        json_decref(expect_diagnostic(uri, 1, 6, column + 10, column + 13, "'smu'"));
        change(uri, 2, with(gemm, "C[i][j] =", "/* \xc3\xa9\xf0\x9f\x98\x80 */ C[i][j] ="));
        expect_hover(uri, 6, column, "writes `C`");
        end();
    }
}

/* Editors send all C files and texts: those that are none of ours are left alone. */
static void test_others(void **state)
{
    (void)state;
    static const char region[] = "void f(int n, float *a)\n{\n#pragma scop\n"
                                 "    for (int i = 0; i < n; i++)\n        a[i] = %s;\n"
                                 "#pragma endscop\n}\n";
    const char *uri = uri_in_folder("old.c");
    char text[400];
    begin();
    open_text(uri, 1, "int main(void) { return wrong; }\n");
    expect_clean(uri, 1);
    snprintf(text, sizeof text, region, "1");
    change(uri, 2, text);
    expect_clean(uri, 2);
    expect_hover(uri, 4, 10, "loop `i` around S0");
    snprintf(text, sizeof text, region, "wrong");
    change(uri, 3, text);
    json_decref(expect_diagnostic(uri, 3, 4, 15, 20, "'wrong'"));
    open_text("untitled:Untitled-1", 1, with(gemm, "fast", "fats")); /* its language is said */
    json_decref(expect_diagnostic("untitled:Untitled-1", 1, 1, 18, 22, "'fats'"));
    end();
}

/* Of many versions in a row the last one is told; no worker and no descriptor is left. */
static void test_typing(void **state)
{
    (void)state;
    const char *uri = uri_in_folder("gemm.sq");
    char path[64];
    enum { KEYS = 60 };
    begin();
    open_text(uri, 1, gemm);
    for (int i = 2; i <= KEYS; i++)
        change(uri, i, i % 2 ? gemm : with(gemm, "fast", "fats"));
    json_decref(expect_diagnostic(uri, KEYS, 1, 18, 22, "'fats'"));
    int id = ask("textDocument/hover", place(uri, 0, 0)); /* waits for the worker */
    json_decref(answer_to(id));
    snprintf(path, sizeof path, "/proc/%d/fd", (int)server);
    int n = 0;
    DIR *dir = opendir(path);
    while (dir && readdir(dir))
        n++;
    assert_non_null(dir);
    closedir(dir);
    assert_in_range(n, 5, 12);
    end();
}

static void test_hover(void **state)
{
    (void)state;
    const char *uri = uri_in_folder("gemm.sq");
    begin();
    open_text(uri, 1, gemm);
    expect_hover(uri, 6, 6, "loop `i` around S0");
    expect_hover(uri, 6, 6, "parallel: **yes**, its iterations do not need each other");
    expect_hover(uri, 6, 37, "reduction over `k` around S0");
    expect_hover(uri, 6, 37, "- parallel: **no**");
    expect_hover(uri, 6, 4, "statement `S0` writes `C`; compiled: vectors of 4");
    expect_hover(uri, 2, 9, "kernel `gemm`");
    expect_hover(uri, 2, 9, "parameters of the function: `M, N, K, A, B, C`");
    expect_hover(uri, 2, 9, "a step along `k`");
    expect_hover(uri, 4, 0, "");
    expect_hover(uri, 400, 400, "");
    change(uri, 2, with(gemm, "fp fast", "parameters C A B M N K"));
    expect_hover(uri, 2, 9, "parameters of the function: `C, A, B, M, N, K`");
    change(uri, 3, "#include \"squall.h\"\nkernel copy(int n, const f32 A[n], f32 B[n])\n{\n    idx i;\n"
                   "    B[i] = A[i];\n}\n");
    expect_hover(uri, 1, 8, "\n- a tile of S0: 0 multiply-adds, 6 loads, 6 stores\n"); /* no loop runs through it */
    change(uri, 4, with(gemm, "C[i][j] =", "C[j][i] ="));
    expect_hover(uri, 6, 4,
                 ""); /* the text is wrong, and the facts of the last one go with its lines */
    end();
}

static bool offers(const json_t *answer, const char *label)
{
    const json_t *list = get(answer, "result");
    for (size_t i = 0; i < json_array_size(list); i++)
        if (strcmp(text_at(json_array_get(list, i), "label"), label) == 0)
            return true;
    return false;
}

/* Words parted by blanks that are offered there; with '!' in front, that are not. */
static void expect_offers(const char *uri, int line, int character, const char *words)
{
    json_t *m = answer_to(ask("textDocument/completion", place(uri, line, character)));
    char word[64];
    assert_true(json_is_array(get(m, "result")));
    for (int used; sscanf(words, " %63s%n", word, &used) == 1; words += used)
        if (offers(m, word + (*word == '!')) != (*word != '!'))
            fail_msg("at %d:%d: %s", line, character, word);
    json_decref(m);
}

static void test_completion(void **state)
{
    (void)state;
    const char *sq = uri_in_folder("gemm.sq"), *uri = uri_in_folder("gemm.avx2.sched");
    begin();
    open_text(sq, 1, gemm);
    open_text(uri, 1, sched);
    for (const sq_transform *t = sq_transforms; t->name; t++)
        expect_offers(uri, 5, 4, t->name);
    expect_offers(uri, 5, 4, "S0 !i !A");
    expect_offers(uri, 5, 9, "i j k A B C at as !i0 !tile");
    expect_offers(uri, 5, 21, "i0 i j k !tile");
    expect_offers(uri, 3, 0, "!tile");
    expect_offers(sq, 1, 15, "fp tune parameters !strict");
    expect_offers(sq, 1, 18, "strict reassoc fast !tune");
    expect_offers(sq, 6, 8, "!tile !fp");
    change(sq, 2, with(gemm, "fp fast", "tune "));
    expect_offers(sq, 1, 20, "M N K !A");
    change(sq, 3, with(gemm, "fp fast", "parameters A K "));
    expect_offers(sq, 1, 30, "M N B C !A !K");
    change(sq, 4, with(gemm, "#pragma squall fp fast", "// squall compile -e 'tile(i:4) '"));
    expect_offers(sq, 1, 32, "tile order");
    expect_offers(sq, 1, 27, "i j k A !order");
    expect_offers(sq, 1, 10, "!tile");
    change(uri, 2, with(sched, "tile(i:48)", "tile(i:6*lanes, k:l1/4)"));
    expect_offers(uri, 5, 11, "lanes registers l1 l2 l3 !i !A !at");
    expect_offers(uri, 5, 13, "lanes registers l1 l2 l3 !i !A !at");
    expect_offers(uri, 5, 20, "i j k A !lanes");
    expect_offers(uri, 5, 25, "lanes l1 !i");
    change(uri, 3, with(sched, "tile(i:48)", "auto(fuse: )"));
    expect_offers(uri, 5, 14, "!lanes !i");
    end();
}

/* The one fix that is offered on the line is done to the text. */
static const char *fixed(const char *uri, const char *text, int line, const char *title)
{
    static char result[4096];
    json_t *range = json_pack("{s:{s:i, s:i}, s:{s:i, s:i}}", "start", "line", line, "character", 0,
                              "end", "line", line, "character", 1000);
    json_t *m = answer_to(
        ask("textDocument/codeAction", json_pack("{s:{s:s}, s:o, s:{s:[]}}", "textDocument", "uri",
                                                 uri, "range", range, "context", "diagnostics")));
    assert_int_equal(json_array_size(get(m, "result")), 1);
    assert_string_equal(text_at(m, "result.0.title"), title);
    assert_string_equal(text_at(m, "result.0.kind"), "quickfix");
    json_t *edit = json_array_get(json_object_get(get(m, "result.0.edit.changes"), uri), 0);
    assert_int_equal(number_at(edit, "range.start.line"), line);
    const char *at = text;
    for (int i = 0; i < line; i++)
        at = strchr(at, '\n') + 1;
    snprintf(result, sizeof result, "%.*s%s%s",
             (int)(at - text + number_at(edit, "range.start.character")), text,
             text_at(edit, "newText"), at + number_at(edit, "range.end.character"));
    json_decref(m);
    return result;
}

static void test_fixes(void **state)
{
    (void)state;
    static const struct {
        const char *old, *new, *title;
        int line;
    } rows[] = {
        {"fp fast", "fp fats", "replace 'fats' by 'fast'", 1},
        {"squall fp", "sqall fp", "replace 'sqall' by 'squall'", 1},
        {"= sum(", "= smu(", "replace 'smu' by 'sum'", 6},
        {"\"squall.h\"", "\"squal.h\"", "replace 'squal.h' by 'squall.h'", 0},
    };
    const char *uri = uri_in_folder("gemm.sq"), *other = uri_in_folder("gemm.avx2.sched");
    int version = 1;
    begin();
    open_text(uri, version, gemm);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const char *wrong = with(gemm, rows[i].old, rows[i].new);
        change(uri, ++version, wrong);
        const char *right = fixed(uri, wrong, rows[i].line, rows[i].title);
        assert_string_equal(right, gemm);
        change(uri, ++version, right);
        expect_clean(uri, version);
    }
    const char *wrong = with(sched, "order(", "oder(");
    open_text(other, 1, wrong);
    assert_string_equal(fixed(other, wrong, 5, "replace 'oder' by 'order'"), sched);
    wrong = with(sched, "kernel gemm", "kernel gem");
    change(other, 2, wrong);
    assert_string_equal(fixed(other, wrong, 4, "replace 'gem' by 'gemm'"), sched);
    end();
}

/* Schedules are checked with the description as it stands in the editor. */
static void test_schedules(void **state)
{
    (void)state;
    const char *sq = uri_in_folder("gemm.sq"), *uri = uri_in_folder("gemm.avx2.sched");
    const char *script = uri_in_folder("gemm.script");
    begin();
    open_text(uri, 1, sched);
    json_decref(expect_diagnostic(uri, 1, 0, 0, 0, "beside it: its scripts are not checked"));
    open_text(sq, 1, gemm);
    json_t *list = expect_diagnostic(uri, 1, 4, 7, 11, "made for another version of 'gemm'");
    assert_int_equal(number_at(list, "0.severity"), 2);
    json_decref(list);
    change(sq, 2,
           with(gemm, "idx i, j, k;\n    C[i][j] = sum(A[i][k]",
                "idx a, j, k;\n    C[a][j] = sum(A[a][k]"));
    json_decref(expect_diagnostic(uri, 1, 5, 9, 13, "'i'"));
    change(sq, 3, gemm);
    expect_hover(uri, 5, 10, "loop `i` around S0");
    expect_hover(uri, 5, 5, "Adds an outer loop per argument");
    change(uri, 2, with(sched, "class avx2", "class avx3"));
    json_decref(expect_diagnostic(uri, 2, 0, 0, 0, "there is no machine class 'avx3'"));
    change(uri, 3, with(sched, "squall-sched 1", "squall-sched 1000"));
    json_decref(expect_diagnostic(uri, 3, 0, 13, 17, "1000"));
    open_text(script, 1, "tile(i:4)\nvectorise(j:8)\n");
    json_decref(expect_diagnostic(script, 1, 1, 0, 9, "there is no transform 'vectorise'"));
    expect_offers(script, 0, 0, "tile vectorize");
    end();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_diagnostics), cmocka_unit_test(test_others),
        cmocka_unit_test(test_typing),      cmocka_unit_test(test_hover),
        cmocka_unit_test(test_completion),  cmocka_unit_test(test_fixes),
        cmocka_unit_test(test_schedules),   cmocka_unit_test(test_bytes),
    };
    signal(SIGPIPE, SIG_IGN);
    if (!mkdtemp(folder))
        return 1;
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    rmdir(folder);
    return failed;
}
