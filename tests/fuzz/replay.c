/* Replay: main of a fuzz target in a build without libFuzzer: runs it over every file of the
 * folders and over the files named. A crash, or an input that takes longer than five seconds, ends
 * it with the input's name. */
#include "tests/fuzz/target.h"
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int LLVMFuzzerInitialize(int *argc, char ***argv) __attribute__((weak));

enum { SECONDS_AN_INPUT = 5 };

static int replayed;

static void replay_file(const char *path)
{
    FILE *f = fopen(path, "rb");
    struct stat st;
    if (!f || fstat(fileno(f), &st) < 0) {
        printf("cannot read %s\n", path);
        exit(2);
    }
    size_t n = (size_t)st.st_size;
    uint8_t *data = malloc(n ? n : 1); /* of that size exactly, for the sanitizers */
    if (!data || fread(data, 1, n, f) != n)
        exit(2);
    fclose(f);
    printf("%s\n", path);
    fflush(stdout);
    alarm(SECONDS_AN_INPUT);
    LLVMFuzzerTestOneInput(data, n);
    alarm(0);
    free(data);
    replayed++;
}

static void replay(const char *path)
{
    DIR *dir = opendir(path);
    if (!dir) {
        replay_file(path);
        return;
    }
    for (struct dirent *e; (e = readdir(dir));) {
        char inside[1000];
        snprintf(inside, sizeof inside, "%s/%s", path, e->d_name);
        if (e->d_name[0] != '.')
            replay_file(inside);
    }
    closedir(dir);
}

int main(int argc, char **argv)
{
    if (LLVMFuzzerInitialize)
        LLVMFuzzerInitialize(&argc, &argv);
    for (int i = 1; i < argc; i++)
        replay(argv[i]);
    printf("%d inputs\n", replayed);
    return replayed == 0;
}
