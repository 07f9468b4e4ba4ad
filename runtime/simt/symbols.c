/* Symbols: the source lines of addresses, which addr2line reads from the program's own tables, and
 * the names of functions and variables. */
#include "runtime/simt/simt.h"
#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* From libstdc++ or libc++abi, which every C++ program has. */
char *__cxa_demangle(const char *name, char *to, size_t *n, int *status);

static char self[512];

static const char *own_path(void)
{
    ssize_t n = self[0] ? 0 : readlink("/proc/self/exe", self, sizeof self - 1);
    if (n > 0)
        self[n] = 0;
    return self;
}

/* ---- lines ---- */

/* Lines of our own headers are not the user's: their caller's line is used instead. */
static bool is_ours(const char *file)
{
    return strstr(file, "simt/include/") != NULL;
}

static void strip_folder(char *file)
{
    char here[512];
    if (!getcwd(here, sizeof here))
        return;
    size_t n = strlen(here);
    if (strncmp(file, here, n) == 0 && file[n] == '/')
        memmove(file, file + n + 1, strlen(file + n + 1) + 1);
    if (strncmp(file, "./", 2) == 0)
        memmove(file, file + 2, strlen(file + 2) + 1);
}

/* Parses "path/file.cu:12 (discriminator 3)": keeps the first line of an address that is the
 * user's. */
static void read_line(char *text, simt_line *to)
{
    char *colon = strrchr(text, ':');
    if (to->line > 0 || !colon || is_ours(text))
        return;
    int line = atoi(colon + 1);
    *colon = 0;
    if (line <= 0)
        return;
    to->line = line;
    snprintf(to->file, sizeof to->file, "%.199s", text);
    strip_folder(to->file);
}

/* Each address is echoed before its lines, those of the innermost inlined call first. */
static void read_lines(FILE *from, simt_line *to, size_t n)
{
    char text[1024];
    size_t at = 0;
    while (fgets(text, sizeof text, from)) {
        text[strcspn(text, "\n")] = 0;
        if (strncmp(text, "0x", 2) == 0 && !strchr(text, ':'))
            at++;
        else if (at > 0 && at <= n)
            read_line(text, &to[at - 1]);
    }
}

static bool ask(const char *program, const char *list, simt_line *to, size_t n)
{
    char command[1400];
    snprintf(command, sizeof command, "%s -a -i -e '%s' <'%s' 2>/dev/null", program, own_path(),
             list);
    FILE *f = popen(command, "r");
    if (!f)
        return false;
    read_lines(f, to, n);
    return pclose(f) == 0;
}

void simt_lines_of(const uint32_t *pc, simt_line *to, size_t n)
{
    static const char *const programs[] = {"addr2line", "llvm-addr2line", "llvm-addr2line-19"};
    char list[] = "/tmp/squall-simt-XXXXXX";
    memset(to, 0, n * sizeof *to);
    int fd = n ? mkstemp(list) : -1;
    FILE *f = fd >= 0 ? fdopen(fd, "w") : NULL;
    if (!f)
        return;
    for (size_t i = 0; i < n; i++) /* of the call, which is before its return address */
        fprintf(f, "0x%llx\n", (unsigned long long)(pc[i] + simt_image_first() - 1));
    fclose(f);
    for (size_t i = 0; i < sizeof programs / sizeof *programs; i++)
        if (ask(programs[i], list, to, n))
            break;
    unlink(list);
}

/* ---- names ---- */

static const ElfW(Sym) * symbol;
static size_t nsymbols;
static const char *strings;

static void open_table(void)
{
    static bool tried;
    struct stat s;
    int fd = tried ? -1 : open(own_path(), O_RDONLY);
    tried = true;
    if (fd < 0)
        return;
    const char *file = fstat(fd, &s) == 0
                           ? mmap(NULL, (size_t)s.st_size, PROT_READ, MAP_PRIVATE, fd, 0)
                           : MAP_FAILED;
    close(fd);
    if (file == MAP_FAILED)
        return;
    const ElfW(Ehdr) *head = (const void *)file;
    const ElfW(Shdr) *section = (const void *)(file + head->e_shoff);
    for (int i = 0; i < head->e_shnum; i++)
        if (section[i].sh_type == SHT_SYMTAB) {
            symbol = (const void *)(file + section[i].sh_offset);
            nsymbols = section[i].sh_size / sizeof *symbol;
            strings = file + section[section[i].sh_link].sh_offset;
        }
}

static const char *readable(const char *name)
{
    int status = -1;
    char *text = __cxa_demangle(name, NULL, NULL, &status);
    if (!text || status != 0)
        return name;
    char *paren = strchr(text, '('); /* arguments are redundant */
    if (paren && paren != text && !strstr(text, "(anonymous"))
        *paren = 0;
    /* Never freed, as there are few. The name of a template instance begins with its return
     * type. */
    return strncmp(text, "void ", 5) == 0 ? text + 5 : text;
}

const char *simt_symbol_of(const void *p, uintptr_t *start, size_t *size)
{
    uintptr_t at = (uintptr_t)p - simt_image_base + simt_image_first();
    open_table();
    for (size_t i = 0; i < nsymbols; i++) {
        const ElfW(Sym) *s = &symbol[i];
        int type = ELF64_ST_TYPE(s->st_info);
        if ((type != STT_FUNC && type != STT_OBJECT) || at < s->st_value ||
            at - s->st_value >= s->st_size)
            continue;
        *start = s->st_value - simt_image_first() + simt_image_base;
        *size = s->st_size;
        return readable(strings + s->st_name);
    }
    *start = (uintptr_t)p;
    *size = 0;
    return "";
}
