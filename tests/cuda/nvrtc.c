/* Nvrtc: compiles a CUDA file at run time, in memory and without any header, as a program would do that
 * brings its kernels along as text: nvrtc FILE sm_80 [FOLDER], the folder of CUDA's headers for text
 * that includes one. What the compiler says is printed; exit 1 where it says anything. */
#include <nvrtc.h>
#include <stdio.h>
#include <stdlib.h>

static char *read_file(const char *path)
{
    FILE *f = fopen(path, "rb");
    char *text = calloc(1, 1 << 22);
    if (!f || !text || fread(text, 1, (1 << 22) - 1, f) == 0)
        exit(2);
    fclose(f);
    return text;
}

int main(int argc, char **argv)
{
    char arch[64], path[512], *text = argc >= 3 ? read_file(argv[1]) : NULL;
    const char *options[] = {arch, path};
    nvrtcProgram program;
    size_t log = 0, bytes = 0;
    if (!text)
        return 2;
    snprintf(arch, sizeof arch, "--gpu-architecture=%s", argv[2]);
    snprintf(path, sizeof path, "--include-path=%s", argc > 3 ? argv[3] : "");
    if (nvrtcCreateProgram(&program, text, argv[1], 0, NULL, NULL) != NVRTC_SUCCESS)
        return 2;
    nvrtcResult result = nvrtcCompileProgram(program, argc > 3 ? 2 : 1, options);
    nvrtcGetProgramLogSize(program, &log);
    char *said = calloc(1, log + 1);
    if (said)
        nvrtcGetProgramLog(program, said);
    if (result == NVRTC_SUCCESS)
        nvrtcGetCUBINSize(program, &bytes);
    if (log > 1)
        printf("%s\n", said ? said : "");
    nvrtcDestroyProgram(&program);
    free(said);
    free(text);
    return result != NVRTC_SUCCESS || bytes == 0 || log > 1;
}
