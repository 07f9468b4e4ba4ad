/* Machine: the properties of the hardware that determine a schedule. A plain record; classes are
 * rows of a table, the host's is measured by the tuner. */
#ifndef SQ_IR_MACHINE_MACHINE_H
#define SQ_IR_MACHINE_MACHINE_H
#include <stdbool.h>
#include <stdint.h>

/* Costs of the cost model (tuner/model/draft.c), in cycles unless noted; it ranks plans and predicts
 * no times. Each figure has one of three origins:
 *     manual    from the processors' manuals; the same for all targets
 *     measured  separately, on a server with AVX-512 or Zen 3, gcc at -O2
 *     fitted    so that the model's first choices rank as measured for the shapes of `bench/run gemm conv`
 *               on a server with AVX-512: it includes what the model leaves out. The cost measured
 *               separately may be several times as high (5 to 8 cycles for a transposed element).
 *               Fitted figures are changed together and judged by first choices, never alone. */
typedef struct sq_machine_cost {
    /* manual */
    int cache_line; /* bytes */
    int cache_ways;
    int page; /* bytes */
    double narrow_fma; /* multiply-adds per cycle of vectors below the widest */

    /* measured */
    /* Seconds to start and end a parallel region: with two threads 1 us with gcc's library while
     * they spin, 7 if they sleep, 32 with clang's if they do. */
    double parallel_region;
    double crowded_row;   /* per step, for each row whose lines evict others from the L1 cache */
    double crowded_cache; /* bytes: caches beyond this size hold rows at any distance */
    double open_pages;    /* pages of a sum's tile that the next tile continues in the lines where it ends */
    double begun_page;    /* bytes that could be read while a loop over rows arrives at a page */
    /* A byte that a program has not touched yet. Chosen: 2.3 us a page, as in one virtual machine, are 2, and not every
     * program touches it but once. */
    double fresh_byte;
    int tree_rows, tree_along; /* auto()'s tile sizes: outer dimensions, and the innermost one */

    /* fitted: the step of a register tile */
    double issue;          /* instructions per cycle; processors decode 4 to 6 */
    double in_flight;      /* instructions among which those that wait are overtaken: 224 to 512 */
    double load_issue;     /* slots of a load; other loads are part of a multiply-add */
    double loop_issue;     /* slots of an iteration of the serial loop */
    double load_overlap;   /* share of the loads' time that is added to the limit of a step */
    double split_load;     /* for unaligned full vectors: every second one crosses a cache line */
    double unaligned_load; /* for vectors of half the width */
    double gathered_lane;  /* loads per lane of a gathered vector */
    double gathered_many;  /* the same of a vector of sixteen lanes and more */
    double strided_load;   /* loads per stride of vectors shuffled out of contiguous ones, less one */
    double crowded_step;   /* share that a further step adds which is written out where one register of 16 is left */
    double spill;          /* share that each register above the limit adds to a step */
    double most_registers; /* factor of the number of registers beyond which a plan is rejected */

    /* fitted: the rest of it */
    double online_tile;    /* share per factor of two between the tiles of an online form and SQ_FORM_TILE */
    double tile;           /* to enter a register tile */
    double point_tile;     /* the same without a serial loop: a step of the loop around it */
    double masked_tile;    /* share of such a tile that masks along the lanes add */
    double end_vector;     /* the same for a partial vector that is stored instead */
    double row_beside;     /* for such a tile of several rows, per line that it stores */
    double addresses;      /* addresses of accesses that fit in registers */
    double address;        /* per further one, which is recomputed or loaded */
    double stored_sum;     /* to finish one vector of sums */
    double partial_sum;    /* the same if it passes through memory between parts of the sum */
    double added_lane;     /* to add up a lane of a vector of partial sums */
    double scattered_lane; /* to store a lane of a scattered vector */
    double single_point;   /* per flop of points computed one by one */
    double rest_tile;      /* share that a remainder adds to a tile */
    double unknown_rows;   /* share for each further dimension with an unknown number of rows */
    double nest;           /* to enter a loop nest */
    double inner_nest;     /* the same inside of other loops */

    /* fitted: memory */
    double copied_element;   /* for a pack in the array's order */
    double turned_element;   /* for a pack that transposes or has a stride */
    double copy;             /* to start filling a pack */
    double copied_bandwidth; /* factor of memory bandwidth: packs are prefetched and often cached */
    double idle_bandwidth;   /* the same for a copy that few reads justify: in, and out again */
    double copied_reuse;     /* reads of an element below which a copy must gain more than locality */
    double large_panels;     /* factor for panels above a limit; grows with the square */
    double overlap;          /* share of the costs below the limit that is added to it */
    double l2_bandwidth, l3_bandwidth; /* bytes per cycle */
    double cache_share;                /* share of a cache that is available to a kernel's data */

    /* fitted: loops that auto() orders; factors, that of its first order being 1 */
    double tree_as_written; /* of C loops as written */
    double tree_order;      /* added for each later order */
    double tree_kept;       /* where the outermost loop keeps its position */
    double tree_rows_off,
        tree_along_off;    /* added for each factor of two away from tree_rows, tree_along */
    double tree_untiled;   /* for large arrays without tiles */
    double tree_overtiled; /* for small ones with tiles */
} sq_machine_cost;

typedef struct sq_machine {
    const char *name;   /* name of the class, "avx512", or "host" */
    const char *isa;    /* of the class, as in targets */
    bool (*runs)(void); /* true if this processor belongs to it; NULL: none does */
    int vector_bytes;
    int registers;        /* vector registers */
    int fma_latency;      /* cycles */
    double fma_per_cycle; /* with full vectors */
    double loads_per_cycle;
    int64_t l1, l2, l3; /* bytes per core (l3: the share of one core group) */
    int cores;
    double peak_f32;  /* GFLOP/s of one core; an estimate for classes, measured for the host */
    double bandwidth; /* GB/s of one core from memory */
    double
        /* fitted: loads for a value that a step reads again since it has no register. 0 if it is a
         * memory operand of a multiply-add, and there are as many multiply-adds as loads */
        read_again;
    const sq_machine_cost *cost;
    const struct sq_device *device; /* ir/machine/device.h; NULL: a CPU, or a device of the class */
} sq_machine;

extern const sq_machine sq_machines[]; /* better ones first, terminated by a NULL name */
/* Returns a class by ISA name; NULL if unknown. Static storage. */
const sq_machine *sq_machine_class(const char *isa);
/* True if this processor runs code for the ISA. */
bool sq_machine_runs(const char *isa);
/* Returns the best ISA name that it runs. */
const char *sq_machine_host_isa(void);
#endif
