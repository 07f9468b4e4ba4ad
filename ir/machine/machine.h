/* Machine: what of the hardware decides a schedule. A plain record; classes are rows of a table, the
 * host's is measured by the tuner. */
#ifndef SQ_IR_MACHINE_MACHINE_H
#define SQ_IR_MACHINE_MACHINE_H
#include <stdbool.h>
#include <stdint.h>

/* What the cost model (tuner/model/draft.c) charges, in cycles unless said; it ranks plans and predicts no times.
 * Each figure is of one of three origins:
 *     manual    what the processors' manuals say; the same for all that text is emitted for
 *     measured  by itself, on a server with AVX-512 or Zen 3, gcc at -O2
 *     fitted    so that the model's first choices rank as measured for the shapes of `bench/run gemm conv`
 *               on a server with AVX-512: it stands for what the model leaves out, too. What the same thing
 *               takes by itself may be several times that (a turned element 5 to 8 cycles). A fitted figure
 *               is changed together with the others, and judged by first choices, never by itself. */
typedef struct sq_machine_cost {
    /* manual */
    int cache_line; /* bytes */
    int cache_ways;
    double narrow_fma; /* multiply-adds a cycle of vectors below the widest */

    /* measured */
    /* Seconds to start and end a parallel region: with two threads 1 us with gcc's library while they
     * spin, 7 where they sleep, 32 with clang's where they do. */
    double parallel_region;
    double crowded_row;   /* a step, of each row whose lines push others out of the first cache */
    double crowded_cache; /* bytes: in caches beyond it rows of any distance find room */
    int tree_rows, tree_along; /* of auto()'s tiles: outer dimensions, and the innermost one */

    /* fitted: the step of a register tile */
    double issue;          /* instructions a cycle; processors decode 4 to 6 */
    double load_issue;     /* slots of a load: the others are part of a multiply-add */
    double loop_issue;     /* slots of an iteration of the serial loop */
    double load_overlap;   /* share of the loads' time that adds to the limit of a step */
    double split_load;     /* of full vectors that lie anywhere: every second crosses a line */
    double unaligned_load; /* of vectors half as long */
    double gathered_lane;  /* loads per lane of a vector whose elements lie apart */
    double strided_load;   /* loads per stride of vectors put together from whole ones, less one */
    double spill;          /* share that each register too many adds to a step */
    double most_registers; /* times those there are: more are no plan */

    /* fitted: the rest of it */
    double tile;           /* to enter a register tile */
    double point_tile;     /* the same of one without a loop in it: a step of the loop around it */
    double masked_tile;    /* share of such a tile that masks along the lanes cost in addition */
    double end_vector;     /* the same of a vector that is stored by itself instead */
    double row_beside;     /* of such a tile of several rows, for each line that it stores */
    double addresses;      /* of its accesses that registers hold */
    double address;        /* one more, which is computed again or loaded */
    double stored_sum;     /* to finish one vector of sums */
    double partial_sum;    /* the same where it passes through memory between parts of the sum */
    double added_lane;     /* to add up a lane of a vector of partial sums */
    double scattered_lane; /* to store a lane of a vector whose elements lie apart */
    double single_point;   /* per flop of points computed one by one */
    double rest_tile;      /* share of a tile that one of fewer points costs in addition */
    double unknown_rows;   /* share that rows of one more dimension of unknown length cost */
    double nest;           /* to enter a loop nest */

    /* fitted: memory */
    double copied_element;   /* of a pack in the array's order */
    double turned_element;   /* of one that turns or skips */
    double copy;             /* to begin filling a pack */
    double copied_bandwidth; /* times that of memory: packs are read ahead and often cached */
    double copied_reuse;     /* reads of an element below which a copy has to bring more than being near */
    double large_panels;     /* factor where panels begin to be large; grows by the square */
    double overlap;          /* share of what is not the limit that adds to it all the same */
    double l2_bandwidth, l3_bandwidth; /* bytes a cycle from there */
    double cache_share;                /* of a cache that a kernel's data can count on */

    /* fitted: loops that auto() orders; factors, that of its first order being 1 */
    double tree_as_written; /* of C loops as written */
    double tree_order;      /* added by each later order */
    double tree_kept;       /* where the outermost loop keeps its place */
    double tree_rows_off,
        tree_along_off;    /* added by each doubling away from tree_rows, tree_along */
    double tree_untiled;   /* of large arrays without tiles */
    double tree_overtiled; /* of small ones with them */
} sq_machine_cost;

typedef struct sq_machine {
    const char *name;   /* of the class, "avx512", or "host" */
    const char *isa;    /* of the class, and so of targets */
    bool (*runs)(void); /* true if this processor has it; NULL: none does */
    int vector_bytes;
    int registers;        /* of vectors */
    int fma_latency;      /* cycles */
    double fma_per_cycle; /* full vectors */
    double loads_per_cycle;
    int64_t l1, l2, l3; /* bytes per core (l3: the share of one core group) */
    int cores;
    double peak_f32;  /* GFLOP/s of one core; a guess for classes, measured for the host */
    double bandwidth; /* GB/s of one core from memory */
    double
        read_again; /* fitted: loads that one costs of a value that a step reads once more because there
                          is no register for it. 0 where it is an operand of a multiply-add in memory, and
                          the multiply-adds are as many as the loads */
    const sq_machine_cost *cost;
    const struct sq_device *device; /* ir/machine/device.h; NULL: a processor, or a device of the class */
} sq_machine;

extern const sq_machine sq_machines[]; /* better ones first, ended by a NULL name */
/* A class by ISA name; NULL if unknown. Static storage. */
const sq_machine *sq_machine_class(const char *isa);
/* True if this processor runs text for the ISA. */
bool sq_machine_runs(const char *isa);
/* The best ISA name that it does. */
const char *sq_machine_host_isa(void);
#endif
