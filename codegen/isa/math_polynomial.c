/* Math, polynomials: minimax polynomials by the exchange algorithm of Remez in 300 bits, weighted for the relative
 * error of the result; then rounded from the lowest term on, after each of which the others were fitted again. */
#include "codegen/isa/math_polynomial.h"
#include <string.h>

enum { MOST_TERMS = 20 };

typedef struct polynomial {
    const char *name, *term[2][MOST_TERMS]; /* lowest first; for f32, f64 */
} polynomial;

static const polynomial polynomials[] = {
    /* (e^r - 1 - r) / r^2 for |r| <= ln 2 / 2; relative to e^r 2^-28.2, 2^-57.8 */
    {"exp",
     {{"0x1.fffffcp-2f", "0x1.55548ep-3f", "0x1.5558bap-5f", "0x1.123c8p-7f", "0x1.6a41aep-10f"},
      {"0x1.000000000000ap-1", "0x1.55555555554edp-3", "0x1.555555555059ap-5",
       "0x1.111111112aedep-7", "0x1.6c16c184dac49p-10", "0x1.a01a01194c1e0p-13",
       "0x1.a019980dbc285p-16", "0x1.71df4ac45a9bap-19", "0x1.28af626a938c1p-22",
       "0x1.ad454ba29fc70p-26"}}},
    /* e^2r for |r| <= ln 2 / 4, f32: relative 2^-25.5 */
    {"exp_twice",
     {{"0x1p+0f", "0x1p+1f", "0x1.ffffacp+0f", "0x1.5554bp+0f", "0x1.559c9ap-1f", "0x1.12380ep-2f",
       "0x1.38f8ccp-4f"}}},
    /* (tanh(x) / x - 1) / x^2 as a polynomial in x^2 for |x| <= 0.72, 2^-25.5; f64: 0.625, 2^-56.5 */
    {"tanh",
     {{"-0x1.5554dap-2f", "0x1.10f62ep-3f", "-0x1.b63f5cp-5f", "0x1.468056p-6f", "-0x1.47122p-8f"},
      {"-0x1.5555555555503p-2", "0x1.111111110b085p-3", "-0x1.ba1ba1b52e773p-5",
       "0x1.664f47818e26dp-6", "-0x1.226e16d02495ep-7", "0x1.d6cf3b7a93329p-9",
       "-0x1.7d695f1025b90p-10", "0x1.336a9e8d2374cp-11", "-0x1.df785c52396b2p-13",
       "0x1.43dca8c66535fp-14", "-0x1.0e3438873ef75p-16"}}},
    /* f32: even and odd terms of (log(1 + f) - f + f^2/2) / f^3 for 1 + f between the roots of 1/2 and 2,
     * 2^-30.2, which do not wait for each other;
     * f64: (log(1 + f) / s - 2) / z with s = f / (2 + f), z = s^2, 2^-59.5 */
    {"log_odd", {{"-0x1.000008p-2f", "-0x1.555b94p-3f", "-0x1.fc3b6p-4f", "-0x1.ddb4cep-4f"}}},
    {"log",
     {{"0x1.555548p-2f", "0x1.99a47ep-3f", "0x1.233a2cp-3f", "0x1.e6e97ap-4f", "0x1.13c1aep-4f"},
      {"0x1.5555555555593p-1", "0x1.999999997fa54p-2", "0x1.2492494221ccdp-2",
       "0x1.c71c51e0ccab4p-3", "0x1.7466477c0bbcfp-3", "0x1.39a0d64b494b3p-3",
       "0x1.2f0eaba2b64c3p-3"}}},
    /* erf(x) / x - 1 as a polynomial in x^2 for |x| <= 1; 2^-29.3, 2^-56.2. f32: up to 1 + 2^-7, 2^-28.1 */
    {"erf_small",
     {{"0x1.06eba8p-3f", "-0x1.81273ep-2f", "0x1.ce2cf2p-4f", "-0x1.b7f88cp-6f", "0x1.54017p-8f",
       "-0x1.a3d7eap-11f", "0x1.4916e2p-14f"},
      {"0x1.06eba8214db68p-3", "-0x1.812746b0379b2p-2", "0x1.ce2f21a0408cfp-4",
       "-0x1.b82ce311edfc3p-6", "0x1.565bccf7e048bp-8", "-0x1.c02db01439118p-11",
       "0x1.f9a2b74ab6683p-14", "-0x1.f4ca1f9dafd47p-17", "0x1.b97e3cf9015b9p-20",
       "-0x1.5bfe47dd80001p-23", "0x1.d6e28f02ddb1fp-27", "-0x1.ab11b70de86d9p-31"}}},
    /* f32: the fourth root of 1 - erf(1 + t) for 1 + t from 1 + 2^-7 to 4, 2^-26.4;
     * f64: log(1 - erf(1 + t)) for 1 + t up to 6, 2^-58.7; relative to erf */
    {"erf_large",
     {{"0x1.427126p-1f", "-0x1.a974eep-2f", "0x1.1b12eep-8f", "0x1.a07266p-5f", "-0x1.f0f71ap-9f",
       "-0x1.62c866p-8f", "0x1.4e8108p-10f", "0x1.47e7b4p-15f", "-0x1.c92342p-16f"},
      {"-0x1.d97fbf27aa2a1p+0", "-0x1.51c9b0006c23cp+1", "-0x1.afabc11a2927bp-1",
       "-0x1.5477f09c3fd9ep-5", "0x1.48c9d3f4305b0p-7", "-0x1.033f66877241fp-9",
       "0x1.f1b3be7ba0506p-13", "0x1.b8da1550aacd2p-16", "-0x1.c79e9ae5182e0p-16",
       "0x1.42523a868f9fcp-17", "-0x1.1407bd5d60debp-19", "0x1.2d592f9e49f0dp-23",
       "0x1.a983adafd0014p-24", "-0x1.c4d2e509de8f2p-25", "0x1.03f404b3a492cp-26",
       "-0x1.9090438ee7b54p-29", "0x1.9d67fd9a34845p-32", "-0x1.03b9b2157362bp-35",
       "0x1.2ccec273af971p-40"}}},
};

const char *const *sq_math_polynomial(const char *name, sq_type type, int *n)
{
    for (size_t i = 0; i < sizeof polynomials / sizeof polynomials[0]; i++) {
        const char *const *term = polynomials[i].term[type == SQ_F64];
        if (strcmp(polynomials[i].name, name) != 0)
            continue;
        for (*n = 0; *n < MOST_TERMS && term[*n];)
            ++*n;
        return term;
    }
    return NULL;
}
