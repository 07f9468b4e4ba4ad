/* Files: whole or not at all, untouched when unchanged, and the right error. Runs in an empty
 * folder. */
#include "support/file.h"
#include "tests/unit/unit.h"
#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

static void put(const char *path, const char *text)
{
    sq_diags *d = sq_diags_new();
    assert_int_equal(sq_file_write(d, path, text, strlen(text), 0), 0);
    assert_int_equal(sq_diags_errors(d), 0);
    sq_diags_free(d);
}

static void assert_holds(const char *path, const char *expected)
{
    sq_diags *d = sq_diags_new();
    size_t n = 99;
    char *text = sq_file_read(d, path, &n);
    assert_non_null(text);
    assert_string_equal(text, expected);
    assert_int_equal(n, strlen(expected));
    free(text);
    sq_diags_free(d);
}

static int entries(const char *folder)
{
    int n = 0;
    DIR *dir = opendir(folder);
    while (readdir(dir))
        n++;
    closedir(dir);
    return n - 2;
}

static int fresh_folder(void **state)
{
    char *folder = strdup("squall_file_XXXXXX");
    if (!mkdtemp(folder) || chdir(folder) != 0)
        return -1;
    *state = folder;
    return 0;
}

static int remove_folder(void **state)
{
    DIR *dir = opendir(".");
    for (struct dirent *e; (e = readdir(dir));) {
        chmod(e->d_name, 0700);
        if (remove(e->d_name) != 0)
            continue;
    }
    closedir(dir);
    if (chdir("..") != 0)
        return -1;
    rmdir(*state);
    free(*state);
    return 0;
}

static void writes_and_reads(void **state)
{
    (void)state;
    put("a", "one\n");
    assert_holds("a", "one\n");
    put("a", "");
    assert_holds("a", "");
    assert_int_equal(entries("."), 1); /* no temporary is left */
    assert_true(sq_file_exists("a"));
    assert_false(sq_file_exists("b"));
}

static void missing_file_is_the_worlds_fault(void **state)
{
    (void)state;
    sq_diags *d = sq_diags_new();
    assert_null(sq_file_read(d, "missing", NULL));
    assert_int_equal(sq_diags_fault(d), SQ_FAULT_WORLD);
    assert_non_null(strstr(sq_diags_message(d, 0), "cannot read 'missing': No such file"));
    sq_diags_free(d);
}

static void unchanged_file_is_left_alone(void **state)
{
    (void)state;
    put("a", "same");
    struct stat before, after;
    struct timespec old[2] = {{1000, 0}, {1000, 0}};
    utimensat(AT_FDCWD, "a", old, 0);
    stat("a", &before);
    sq_diags *d = sq_diags_new();
    assert_int_equal(sq_file_write(d, "a", "same", 4, 1), 0);
    stat("a", &after);
    assert_int_equal(after.st_mtime, 1000);
    assert_int_equal(after.st_ino, before.st_ino);
    assert_int_equal(sq_file_write(d, "a", "diff", 4, 1), 0);
    assert_holds("a", "diff");
    assert_int_equal(sq_file_write(d, "a", "diff", 4, 0), 0); /* not asked: written anew */
    stat("a", &after);
    assert_int_not_equal(after.st_mtime, 1000);
    sq_diags_free(d);
}

static void set_appears_whole_or_not_at_all(void **state)
{
    (void)state;
    put("a", "old");
    sq_diags *d = sq_diags_new();
    sq_outputs *o = sq_outputs_new();
    sq_outputs_add(o, "a", "new", 3);
    sq_outputs_add(o, "missing/b", "new", 3);
    assert_int_equal(sq_outputs_commit(o, d, 0), -1);
    assert_int_equal(sq_diags_fault(d), SQ_FAULT_WORLD);
    assert_holds("a", "old");
    assert_int_equal(entries("."), 1);
    o = sq_outputs_new();
    sq_outputs_add(o, "a", "new", 3);
    sq_outputs_add(o, "b", "too", 3);
    assert_int_equal(sq_outputs_commit(o, d, 0), 0);
    assert_holds("a", "new");
    assert_holds("b", "too");
    sq_diags_free(d);
}

static void folder_is_no_output(void **state)
{
    (void)state;
    mkdir("dir", 0700);
    sq_diags *d = sq_diags_new();
    assert_int_equal(sq_file_write(d, "dir", "x", 1, 0), -1);
    assert_non_null(strstr(sq_diags_message(d, 0), "Is a directory"));
    sq_diags_free(d);
}

static void links_and_permissions_survive(void **state)
{
    (void)state;
    put("real", "old");
    chmod("real", 0750);
    assert_int_equal(symlink("real", "link"), 0);
    put("link", "new");
    struct stat st;
    lstat("link", &st);
    assert_true(S_ISLNK(st.st_mode));
    assert_holds("real", "new");
    stat("real", &st);
    assert_int_equal(st.st_mode & 0777, 0750);
}

int main(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, fresh_folder, remove_folder)
    const struct CMUnitTest tests[] = {
        TEST(writes_and_reads),
        TEST(missing_file_is_the_worlds_fault),
        TEST(unchanged_file_is_left_alone),
        TEST(set_appears_whole_or_not_at_all),
        TEST(folder_is_no_output),
        TEST(links_and_permissions_survive),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
