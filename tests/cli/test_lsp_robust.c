/* squall lsp, by a scripted client: the life of the server, and messages that are none, too large, too
 * many, cancelled, or whose text takes more than is allowed. */
#include "tests/cli/lsp_client.h"

static void test_life(void **state)
{
    (void)state;
    start(NULL);
    expect_code(ask("textDocument/hover", place("file:///k.sq", 0, 0)), -32002);
    json_decref(answer_to(ask("initialize", json_object())));
    expect_code(ask("initialize", json_object()), -32600);
    tell("$/unknown", json_object());
    tell("workspace/didChangeConfiguration", json_object());
    expect_alive();
    expect_code(ask("textDocument/hover", place("file:///k.sq", 0, 0)), -32602);
    json_decref(answer_to(ask("shutdown", NULL)));
    expect_code(ask("textDocument/hover", place("file:///k.sq", 0, 0)), -32600);
    tell("exit", NULL);
    assert_null(receive());
    assert_int_equal(finish(), 0);

    begin();
    tell("exit", NULL);
    assert_int_equal(finish(), 1);
    begin();
    assert_int_equal(finish(), 1); /* the editor has died */
}

/* What is no message costs an error; the next one is heard. */
static void test_broken(void **state)
{
    (void)state;
    static const char *const wrong[] = {"{", "{\"jsonrpc\":\"2.0\",}", "\xff\xfe",
                                        "{\"id\":1e99999}"};
    static const char *const odd[] = {
        "[]", "null", "42", "{}", "{\"id\":{},\"method\":\"x\"}", "{\"id\":1}", "{\"method\":7}"};
    begin();
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        send_text(wrong[i]);
        expect_error(-32700);
        expect_alive();
    }
    for (size_t i = 0; i < sizeof odd / sizeof *odd; i++) {
        send_text(odd[i]);
        expect_error(-32600);
        expect_alive();
    }
    send_bytes("Content-Length: 5\r\n\r\n{\"a\":1}", 28); /* too short */
    expect_error(-32700);
    expect_alive();
    send_bytes("Content-Length: 40\r\n\r\n{}", 24); /* too long: some of what follows is lost */
    tell("$/lost", NULL);
    tell("$/lost", NULL);
    expect_error(-32700);
    expect_alive();
    static const char *const heads[] = {"Content-Length: -5\r\n\r\n", "Content-Length: x\r\n\r\n",
                                        "Length: 5\r\n\r\n", "\r\n\r\n",
                                        "Content-Length: 99999999999999999999999\r\n\r\n"};
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++) {
        send_bytes(heads[i], strlen(heads[i]));
        expect_error(-32700);
        expect_alive();
    }
    send_bytes("content-length:2\n\n{}", 20); /* in small letters, with bare line ends */
    expect_error(-32600);
    tell("textDocument/didOpen", json_pack("{s:i}", "textDocument", 1));
    tell("textDocument/didChange", json_pack("[i]", 1));
    tell("textDocument/didClose", json_pack("{s:{s:s}}", "textDocument", "uri", "file:///none.sq"));
    tell("$/cancelRequest", json_pack("{s:i}", "id", 4711));
    expect_code(ask("textDocument/completion", json_pack("{s:s}", "textDocument", "none")), -32602);
    expect_alive();
    end();
}

/* Larger than is read, as JSON that nests too deep, and as noise. */
static void test_huge(void **state)
{
    (void)state;
    enum { HUGE_BYTES = 65 << 20, DEEP = 100000, NOISE = 300000 };
    char head[64], *text = malloc(HUGE_BYTES);
    unsigned seed = 2026;
    assert_non_null(text);
    begin();
    memset(text, ' ', HUGE_BYTES);
    send_bytes(head, (size_t)snprintf(head, sizeof head, "Content-Length: %d\r\n\r\n", HUGE_BYTES));
    send_bytes(text, HUGE_BYTES);
    expect_error(-32600);
    expect_alive();
    memset(text, '[', DEEP);
    send_bytes(head, (size_t)snprintf(head, sizeof head, "Content-Length: %d\r\n\r\n", DEEP));
    send_bytes(text, DEEP);
    expect_error(-32700);
    expect_alive();
    for (int i = 0; i < NOISE; i++)
        text[i] = (char)((seed = seed * 1103515245 + 12345) >> 16);
    send_bytes(text, NOISE);
    expect_error(-32700);
    expect_alive();
    free(text);
    end();
}

/* A request that waits ends with its cancellation, once. */
static void test_cancel(void **state)
{
    (void)state;
    const char *uri = uri_in_folder("gemm.sq");
    begin();
    sq_text both = {0};
    open_text(uri, 1, gemm);
    for (int i = 0; i < 2; i++) {
        char *text =
            json_dumps(i ? json_pack("{s:s, s:s, s:{s:s}}", "jsonrpc", "2.0", "method",
                                     "$/cancelRequest", "params", "id", "mine")
                         : json_pack("{s:s, s:s, s:s, s:o}", "jsonrpc", "2.0", "id", "mine",
                                     "method", "textDocument/hover", "params", place(uri, 6, 6)),
                       0);
        sq_text_printf(&both, "Content-Length: %zu\r\n\r\n%s", strlen(text), text);
        free(text);
    }
    change(uri, 2, with(gemm, "fast", "strict"));
    send_bytes(both.s, both.n); /* in one piece: heard before the worker is */
    sq_text_free(&both);
    for (int answers = 0; answers == 0;) {
        json_t *m = receive();
        answers += strcmp(text_at(m, "id"), "mine") == 0;
        if (answers)
            assert_int_equal(number_at(m, "error.code"), -32800);
        json_decref(m);
    }
    int id = ask("textDocument/hover", place(uri, 6, 6));
    json_decref(answer_to(id));
    expect_alive();
    end();
}

/* A text whose reading never ends, one that is too large, an include of what the editor sends. */
static void test_limits(void **state)
{
    (void)state;
    const char *uri = uri_in_folder("loop.sq");
    sq_text text = {0};
    begin_with("--read-seconds=1");
    sq_text_puts(&text, "#define A0(x) x + x\n");
    for (int i = 1; i < 40; i++)
        sq_text_printf(&text, "#define A%d(x) A%d(A%d(x))\n", i, i - 1, i - 1);
    sq_text_puts(&text, "int f = A39(1);\n");
    open_text(uri, 1, text.s);
    json_t *list = diagnostics(uri, 1);
    assert_non_null(strstr(text_at(list, "0.message"), "than is allowed"));
    json_decref(list);
    change(uri, 2, with(gemm, "squall.h", "/dev/stdin"));
    list = diagnostics(uri, 2);
    assert_true(json_array_size(list) > 0); /* of an empty file: it is not what we send */
    assert_null(strstr(text_at(list, "0.message"), "than is allowed"));
    json_decref(list);
    sq_text_clear(&text);
    while (text.n <= 8 << 20)
        sq_text_puts(&text, "/* a text that is larger than what is read of a file, for sure */\n");
    change(uri, 3, text.s);
    json_decref(expect_diagnostic(uri, 3, 0, 0, 0, "more than 8388608 bytes"));
    sq_text_free(&text);
    change(uri, 4, gemm);
    expect_clean(uri, 4);
    end();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_life),   cmocka_unit_test(test_broken), cmocka_unit_test(test_huge),
        cmocka_unit_test(test_cancel), cmocka_unit_test(test_limits),
    };
    signal(SIGPIPE, SIG_IGN);
    if (!mkdtemp(folder))
        return 1;
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    rmdir(folder);
    return failed;
}
