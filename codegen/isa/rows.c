/* Rows: see rows.h. */
#include "codegen/isa/rows.h"

#define BIT(op) SQ_VOP_BIT(SQ_VOP_##op)
#define ZIPPED (BIT(ZIP16_FIRST) | BIT(ZIP16_SECOND) | BIT(HALVES_LOW) | BIT(HALVES_HIGH))

const sq_vector_row sq_vector_rows[SQ_NVOPS] = {
    [SQ_VOP_LOAD] = {"load", SQ_ROW_ANY, false, sq_define_memory, 0, "r = @(q)", "r[l] = q[l]"},
    [SQ_VOP_STORE] = {"store", SQ_ROW_ANY, false, sq_define_memory, 0, "@(p, a)", "p[l] = a[l]"},
    [SQ_VOP_ALL] = {"all", SQ_ROW_HELD, false, sq_define_memory, 0, "r = @(x)", "r[l] = x"},
    [SQ_VOP_FMA] = {"fma", SQ_ROW_HELD, true, sq_define_fma, 0, "r = @(a, b, c)",
                    "r[l] = (T)FMA((W)a[l], (W)b[l], (W)c[l])"},
    [SQ_VOP_FMA_TURNED] = {"fma_turned", SQ_ROW_REAL, false, sq_define_fma, 0, "r = @(a, b, c)",
                           "r[l] = (T)FMA(a[l], b[l], l % 2 ? c[l] : -c[l])"},
    [SQ_VOP_DOT4] = {"dot4", SQ_ROW_WORDS, true, sq_define_dot, 0, "r = @(a, b, c)",
                     "W sum = c[l]; for (int i = 0; i < 32; i += 8) "
                     "sum += (W)((uint8_t)(a[l] >> i) * (int8_t)(b[l] >> i)); r[l] = (T)sum"},
    [SQ_VOP_DOT2] = {"dot2", SQ_ROW_WORDS, true, sq_define_dot, 0, "r = @(a, b, c)",
                     "W sum = c[l]; for (int i = 0; i < 32; i += 16) "
                     "sum += (W)((int16_t)(a[l] >> i) * (int16_t)(b[l] >> i)); r[l] = (T)sum"},
    [SQ_VOP_SAD4] = {"sad4", SQ_ROW_WORDS, false, sq_define_sad, 0, "r = @(a, b, c)",
                     "W sum = c[l]; for (int w = l; w < l + 2 && l % 2 == 0; w++) for (int i = 0; i < 32; i += 8) "
                     "sum += (W)abs((uint8_t)(a[w] >> i) - (uint8_t)(b[w] >> i)); r[l] = (T)sum"},
    [SQ_VOP_FMA_LOW] = {"fma_low", SQ_ROW_LONG, false, sq_define_fma_low, 0, "r = @(a, b, c)",
                        "r[l] = (T)((W)((int64_t)(int32_t)a[l] * (int32_t)b[l]) + (W)c[l])"},
    [SQ_VOP_MAX] = {"max", SQ_ROW_HELD, true, sq_define_extreme, 0, "r = @(a, b)",
                    "r[l] = a[l] > b[l] ? a[l] : b[l]"},
    [SQ_VOP_MIN] = {"min", SQ_ROW_HELD, true, sq_define_extreme, 0, "r = @(a, b)",
                    "r[l] = a[l] < b[l] ? a[l] : b[l]"},
    [SQ_VOP_AVERAGE] = {"average", SQ_ROW_SMALL, false, sq_define_average, 0, "r = @(a, b)",
                        "r[l] = (T)((a[l] + b[l] + 1) >> 1)"},
    [SQ_VOP_SCALE] = {"scale", SQ_ROW_HELD, false, sq_define_scale, 0,
                      "r = @(a, (V){0} + (T)(99 * s))",
                      "r[l] = (T)ldexp((double)a[l], 99 * (int)s)"},
    [SQ_VOP_LOAD_N] = {"load_n", SQ_ROW_ANY, false, sq_define_masked, 0, "r = @(q, n)",
                       "r[l] = l < n ? q[l] : 0"},
    [SQ_VOP_STORE_N] = {"store_n", SQ_ROW_ANY, false, sq_define_masked, 0, "@(p, a, n)",
                        "if (l < n) p[l] = a[l]"},
    [SQ_VOP_LOAD_PART] = {"load_part", SQ_ROW_ANY, false, sq_define_part, BIT(LOAD_N),
                          "r = @(q, n, f)", "r[l] = !f || l < n ? q[l] : 0"},
    [SQ_VOP_STORE_PART] = {"store_part", SQ_ROW_ANY, false, sq_define_part, BIT(STORE_N),
                           "@(p, a, n, f)", "if (!f || l < n) p[l] = a[l]"},
    [SQ_VOP_STORE_PARTS] = {"store_parts", SQ_ROW_ANY, false, sq_define_store_parts, 0, "@(p, a, n)",
                             "if (l < n) p[l] = a[l]"},
    [SQ_VOP_LOAD_WHERE] = {"load_where", SQ_ROW_ANY, false, sq_define_where, 0, "r = @(q, m)",
                           "r[l] = m[l] ? q[l] : 0"},
    [SQ_VOP_STORE_WHERE] = {"store_where", SQ_ROW_ANY, false, sq_define_where, 0, "@(p, a, m)",
                            "if (m[l]) p[l] = a[l]"},
    [SQ_VOP_LT] = {"lt", SQ_ROW_HELD, false, sq_define_comparison, 0, "t = @(a, b)", "t[l] = -(a[l] < b[l])"},
    [SQ_VOP_LE] = {"le", SQ_ROW_HELD, false, sq_define_comparison, 0, "t = @(a, b)", "t[l] = -(a[l] <= b[l])"},
    [SQ_VOP_EQ] = {"eq", SQ_ROW_HELD, false, sq_define_comparison, 0, "t = @(a, b)", "t[l] = -(a[l] == b[l])"},
    [SQ_VOP_NE] = {"ne", SQ_ROW_HELD, false, sq_define_comparison, 0, "t = @(a, b)", "t[l] = -(a[l] != b[l])"},
    [SQ_VOP_SELECT] = {"select", SQ_ROW_HELD, false, sq_define_select, 0, "r = @(m, a, b)",
                       "r[l] = m[l] ? a[l] : b[l]"},
    [SQ_VOP_GATHER] = {"gather", SQ_ROW_ANY, false, sq_define_gather, 0, "r = @(q, s, n)",
                       "r[l] = l < n ? q[l * s] : 0"},
    [SQ_VOP_INDEXED] = {"indexed", SQ_ROW_ANY, false, sq_define_indexed, 0, "r = @(q, j)",
                        "r[l] = q[j[l]]"},
    [SQ_VOP_LOOKUP] = {"lookup", SQ_ROW_ANY, false, sq_define_indexed, 0, "r = @(q, j)",
                       "r[l] = q[j[l]]"},
    [SQ_VOP_HALVES_LOW] = {"halves_low", SQ_ROW_ANY, false, sq_define_halves, 0, "r = @(a, b)",
                           "r[l] = l < L / 2 ? a[l] : b[l - L / 2]"},
    [SQ_VOP_HALVES_HIGH] = {"halves_high", SQ_ROW_ANY, false, sq_define_halves, 0, "r = @(a, b)",
                            "r[l] = l < L / 2 ? a[l + L / 2] : b[l]"},
    [SQ_VOP_ZIP16_FIRST] =
        {"zip16_first", SQ_ROW_ANY, false, sq_define_zip16, 0, "r = @(a, b)",
         "const int k = 16 / sizeof(T) < L ? 16 / sizeof(T) : L, i = l / k * k + l % k / 2; "
         "r[l] = l % 2 ? b[i] : a[i]"},
    [SQ_VOP_ZIP16_SECOND] =
        {"zip16_second", SQ_ROW_ANY, false, sq_define_zip16, 0, "r = @(a, b)",
         "const int k = 16 / sizeof(T) < L ? 16 / sizeof(T) : L, i = l / k * k + (k + l % k) / 2; "
         "r[l] = l % 2 ? b[i] : a[i]"},
    [SQ_VOP_JOINED] = {"joined", SQ_ROW_ANY, false, sq_define_joined, 0, "r = @(q, q + s)",
                       "r[l] = l < L / 2 ? q[l] : q[l - L / 2 + s]"},
    [SQ_VOP_STRIDE2] = {"stride2", SQ_ROW_ANY, false, sq_define_strided, 0, "r = @(q)",
                        "r[l] = q[2 * l]"},
    [SQ_VOP_STRIDE2_N] = {"stride2_n", SQ_ROW_ANY, false, sq_define_strided, 0, "r = @(q, n)",
                          "r[l] = l < n ? q[2 * l] : 0"},
    [SQ_VOP_STRIDE3] = {"stride3", SQ_ROW_ANY, false, sq_define_strided, 0, "r = @(q)",
                        "r[l] = q[3 * l]"},
    [SQ_VOP_STRIDE3_N] = {"stride3_n", SQ_ROW_ANY, false, sq_define_strided, 0, "r = @(q, n)",
                          "r[l] = l < n ? q[3 * l] : 0"},
    [SQ_VOP_STRIDE4] = {"stride4", SQ_ROW_ANY, false, sq_define_strided, 0, "r = @(q)",
                        "r[l] = q[4 * l]"},
    [SQ_VOP_STRIDE4_N] = {"stride4_n", SQ_ROW_ANY, false, sq_define_strided, 0, "r = @(q, n)",
                          "r[l] = l < n ? q[4 * l] : 0"},
    [SQ_VOP_CHANNEL2] = {"channel2", SQ_ROW_ANY, false, sq_define_channel, 0, "r = @(q, k % 2)",
                         "r[l] = q[2 * l + k % 2]"},
    [SQ_VOP_CHANNEL2_N] = {"channel2_n", SQ_ROW_ANY, false, sq_define_channel, 0,
                           "r = @(q, k % 2, n)", "r[l] = l < n ? q[2 * l + k % 2] : 0"},
    [SQ_VOP_CHANNEL3] = {"channel3", SQ_ROW_ANY, false, sq_define_channel, 0, "r = @(q, k % 3)",
                         "r[l] = q[3 * l + k % 3]"},
    [SQ_VOP_CHANNEL3_N] = {"channel3_n", SQ_ROW_ANY, false, sq_define_channel, 0,
                           "r = @(q, k % 3, n)", "r[l] = l < n ? q[3 * l + k % 3] : 0"},
    [SQ_VOP_CHANNEL4] = {"channel4", SQ_ROW_ANY, false, sq_define_channel, 0, "r = @(q, k)",
                         "r[l] = q[4 * l + k]"},
    [SQ_VOP_CHANNEL4_N] = {"channel4_n", SQ_ROW_ANY, false, sq_define_channel, 0,
                           "r = @(q, k, n)", "r[l] = l < n ? q[4 * l + k] : 0"},
    [SQ_VOP_COPY2] = {"copy2", SQ_ROW_ANY, false, sq_define_strided_copy, BIT(STRIDE2), "@(p, q, h)",
                      "for (int i = 0; i < h - l; i += L) p[l + i] = q[2 * l + 2 * i]"},
    [SQ_VOP_COPY3] = {"copy3", SQ_ROW_ANY, false, sq_define_strided_copy, BIT(STRIDE3), "@(p, q, h)",
                      "for (int i = 0; i < h - l; i += L) p[l + i] = q[3 * l + 3 * i]"},
    [SQ_VOP_COPY4] = {"copy4", SQ_ROW_ANY, false, sq_define_strided_copy, BIT(STRIDE4), "@(p, q, h)",
                      "for (int i = 0; i < h - l; i += L) p[l + i] = q[4 * l + 4 * i]"},
    [SQ_VOP_CLIP2] = {"clip2", SQ_ROW_ANY, false, sq_define_strided_clip, BIT(COPY2), "@(p, q, -5, h, n, 0)",
                      "for (int i = 0; i < h - l; i += L) { const int64_t k = 2 * l + 2 * i - 5; "
                      "p[l + i] = k >= 0 && k < n ? q[k] : 0; }"},
    [SQ_VOP_CLIP3] = {"clip3", SQ_ROW_ANY, false, sq_define_strided_clip, BIT(COPY3), "@(p, q, -5, h, n, 0)",
                      "for (int i = 0; i < h - l; i += L) { const int64_t k = 3 * l + 3 * i - 5; "
                      "p[l + i] = k >= 0 && k < n ? q[k] : 0; }"},
    [SQ_VOP_CLIP4] = {"clip4", SQ_ROW_ANY, false, sq_define_strided_clip, BIT(COPY4), "@(p, q, -5, h, n, 0)",
                      "for (int i = 0; i < h - l; i += L) { const int64_t k = 4 * l + 4 * i - 5; "
                      "p[l + i] = k >= 0 && k < n ? q[k] : 0; }"},
    [SQ_VOP_SCATTER] = {"scatter", SQ_ROW_ANY, false, sq_define_gather, 0, "@(p, s, a, n)",
                        "if (l < n) p[l * s] = a[l]"},
    [SQ_VOP_REVERSED] = {"reversed", SQ_ROW_ANY, false, sq_define_reversed, 0, "r = @(a)",
                         "r[l] = a[L - 1 - l]"},
    [SQ_VOP_LOAD_BACK] = {"load_back", SQ_ROW_ANY, false, sq_define_back, BIT(REVERSED), "r = @(q)",
                          "r[l] = q[-l]"},
    [SQ_VOP_STORE_BACK] = {"store_back", SQ_ROW_ANY, false, sq_define_back, BIT(REVERSED),
                           "@(p, a)", "p[-l] = a[l]"},
    [SQ_VOP_LOAD_BACK_N] = {"load_back_n", SQ_ROW_ANY, false, sq_define_back_part, BIT(LOAD_BACK),
                            "r = @(q, n)", "r[l] = l < n ? q[-l] : 0"},
    [SQ_VOP_STORE_BACK_N] = {"store_back_n", SQ_ROW_ANY, false, sq_define_back_part,
                             BIT(STORE_BACK) | BIT(SCATTER), "@(p, a, n)",
                             "if (l < n) p[-l] = a[l]"},
    [SQ_VOP_ZIP_FIRST] = {"zip_first", SQ_ROW_ANY, false, sq_define_zip, 0, "r = @(a, b)",
                          "r[l] = l % 2 ? b[l / 2] : a[l / 2]", ZIPPED},
    [SQ_VOP_ZIP_SECOND] = {"zip_second", SQ_ROW_ANY, false, sq_define_zip, 0, "r = @(a, b)",
                           "r[l] = l % 2 ? b[(L + l) / 2] : a[(L + l) / 2]", ZIPPED},
    [SQ_VOP_ZIP3_FIRST] =
        {"zip3_first", SQ_ROW_ANY, false, sq_define_zip3, 0, "r = @(a, b, c)",
         "const int i = l; r[l] = i % 3 == 0 ? a[i / 3] : i % 3 == 1 ? b[i / 3] : c[i / 3]",
         BIT(HALVES_LOW)},
    [SQ_VOP_ZIP3_SECOND] =
        {"zip3_second", SQ_ROW_ANY, false, sq_define_zip3, 0, "r = @(a, b, c)",
         "const int i = L + l; r[l] = i % 3 == 0 ? a[i / 3] : i % 3 == 1 ? b[i / 3] : c[i / 3]", 0},
    [SQ_VOP_ZIP3_THIRD] =
        {"zip3_third", SQ_ROW_ANY, false, sq_define_zip3, 0, "r = @(a, b, c)",
         "const int i = 2 * L + l; r[l] = i % 3 == 0 ? a[i / 3] : i % 3 == 1 ? b[i / 3] : c[i / 3]",
         BIT(HALVES_HIGH)},
    [SQ_VOP_TWICE_FIRST] = {"twice_first", SQ_ROW_ANY, false, sq_define_swizzle, 0, "r = @(a)",
                            "r[l] = a[l / 2 * 2]"},
    [SQ_VOP_TWICE_SECOND] = {"twice_second", SQ_ROW_ANY, false, sq_define_swizzle, 0, "r = @(a)",
                             "r[l] = a[l / 2 * 2 + 1]"},
    [SQ_VOP_SWAPPED] = {"swapped", SQ_ROW_ANY, false, sq_define_swizzle, 0, "r = @(a)",
                        "r[l] = a[l % 2 ? l - 1 : l + 1]"},
    [SQ_VOP_FOURS] = {"fours", SQ_ROW_FOURS, false, sq_define_fours, 0, "r = @(a, k, 3 - k, 0, k)",
                      "const int from[] = {k, 3 - k, 0, k}; r[l] = a[l / 4 * 4 + from[l % 4]]"},
    [SQ_VOP_TRANSPOSE] = {"transpose", SQ_ROW_ANY, false, sq_define_transpose,
                          BIT(ZIP_FIRST) | BIT(ZIP_SECOND), "@(z)",
                          "for (int k = 0; k < L; k++) z[k][l] = y[l][k]", ZIPPED},
    [SQ_VOP_TURN] = {"turn", SQ_ROW_ANY, false, sq_define_turn, BIT(TRANSPOSE),
                     "@(p, s, q, d, h, n)",
                     "for (int i = 0; i < n; i++) for (int k = l; k < h; k += L) "
                     "p[i * s + k] = q[k * d + i]"},
    [SQ_VOP_SUM] =
        {"sum", SQ_ROW_HELD, false, sq_define_sum, 0, "x = @(a)",
         "T t[L]; memcpy(t, a, sizeof t); for (int k = L / 2; k; k /= 2) for (int i = 0; "
         "i < k; i++) t[i] = (T)((W)t[i] + (W)t[i + k]); x = t[0]"},
    [SQ_VOP_GET] = {"get", SQ_ROW_STORED, false, sq_define_stored, 0, "g = @(a)",
                    "g[l] = GET(a[l])"},
    [SQ_VOP_BITS] = {"bits", SQ_ROW_STORED, false, sq_define_stored, 0, "r = @(e)",
                     "r[l] = BITS(e[l])"},
    [SQ_VOP_ROUND] = {"round", SQ_ROW_STORED, false, sq_define_stored, BIT(GET) | BIT(BITS),
                      "g = @(e)", "g[l] = GET(BITS(e[l]))"},
    [SQ_VOP_ALIGNED] = {"aligned", SQ_ROW_ANY, false, NULL, 0, "r = @(q)", "r[l] = q[l]"},
    [SQ_VOP_STORE_ALIGNED] = {"store_aligned", SQ_ROW_ANY, false, NULL, 0, "@(p, a)",
                              "p[l] = a[l]"},
};

bool sq_vector_row_takes(const sq_vector_row *r, sq_type type, int lanes)
{
    bool stored = sq_type_stored(type);
    bool small = sq_type_unsigned(type) && sq_type_bytes(type) <= 2;
    return (r->single || lanes > 1) && (r->types == SQ_ROW_WORDS ? type == SQ_I32
                                        : r->types == SQ_ROW_SMALL ? small
                                        : r->types == SQ_ROW_LONG  ? type == SQ_I64
                                        : r->types == SQ_ROW_REAL  ? sq_type_real(type) && !stored && lanes % 2 == 0
                                        : r->types == SQ_ROW_FOURS ? lanes % 4 == 0
                                        : r->types == SQ_ROW_ANY ? true
                                                                 : stored == (r->types == SQ_ROW_STORED));
}
