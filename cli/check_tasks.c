/* Check tasks: see check_tasks.h. The last share starts first, so that an order between shares is detected. */
#include "cli/check_tasks.h"

static const char head[] =
    "#include <pthread.h>\n"
    "SQ_RUN(struct squall_job {\n"
    "    void (*task)(void *, int);\n"
    "    void *context;\n"
    "    int i;\n"
    "};\n"
    "static void *squall_job_run(void *p)\n"
    "{\n"
    "    struct squall_job *j = p;\n"
    "    j->task(j->context, j->i);\n"
    "    return 0;\n"
    "}\n"
    "static void squall_run(void *pool, void (*task)(void *, int), void *context, int n)\n"
    "{\n"
    "    pthread_t thread[4];\n"
    "    struct squall_job job[4];\n"
    "    if (n < 1 || n > *(const int *)pool)\n"
    "        __builtin_abort();\n"
    "    for (int i = n - 1; i >= 0; i--) {\n"
    "        job[i] = (struct squall_job){task, context, i};\n"
    "        if (pthread_create(&thread[i], 0, squall_job_run, &job[i]))\n"
    "            __builtin_abort();\n"
    "    }\n"
    "    for (int i = 0; i < n; i++)\n"
    "        pthread_join(thread[i], 0);\n"
    "})\n"
    "SQ_PROVE(extern int squall_threads(void);\n"
    "extern void squall_runs(void *, void (*)(void *, int), void *, int);)\n";

void sq_check_tasks_head(sq_text *to)
{
    sq_text_puts(to, head);
}

/* "M, N, A, B, " */
static const char *arguments(const sq_kernel *k, bool all)
{
    sq_text t = {0};
    for (int p = 0; p < k->nparams; p++)
        if (k->param[p].size ? sq_param_shown(&k->param[p]) : all)
            sq_text_printf(&t, "%s, ", sq_param_name(&k->param[p]));
    return sq_text_take(&t, k->arena);
}

void sq_check_tasks_put(const sq_kernel *k, const sq_check_functions *f, sq_text *to)
{
    const char *all = arguments(k, true), *sizes = arguments(k, false);
    sq_text_printf(to,
                   "    SQ_RUN(static unsigned squall_calls;\n"
                   "    if (squall_calls++ & 1) {\n"
                   "        int squall_n = 1 + (int)(squall_calls / 2 %% 4);\n"
                   "        void *squall_given = __builtin_malloc(%s(%ssquall_n) + 1);\n"
                   "        if (squall_given && %s(%ssquall_given, squall_n, squall_run, &squall_n))\n"
                   "            __builtin_abort();\n"
                   "        __builtin_free(squall_given);\n"
                   "        return;\n"
                   "    })\n"
                   "    SQ_PROVE(if (squall_any()) {\n"
                   "        %s(%ssquall_where(), squall_threads(), squall_runs, squall_where());\n"
                   "        return;\n"
                   "    })\n",
                   f->on_workspace, sizes, f->on, all, f->on, all);
}
