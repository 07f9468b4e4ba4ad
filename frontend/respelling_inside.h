/* Respelling, inside: what the files that find what is respelled share.
 *
 *     respelling.c  what is respelled
 *     respelling_names.c  the names that stand for it
 *     structs.c     elements of arrays of structs
 *     wholes.c      structs that get their value as a whole
 *     parts.c       structs that a region declares
 *     rows.c        pointers that a region declares
 *     walks.c       pointers that a loop moves
 *     stages.c      integers that several statements give their value
 *     skips.c       if (c) continue;
 *     heads.c       for (; i < n; i++)
 *     endings.c     where loops end
 *     unrolled.c    loops that are unrolled by hand
 *     settings.c    m = n % 5; and out = in;
 *     strides.c     a[y*stride + x*step]
 *     address.c     where an element lies */
#ifndef SQ_FRONTEND_RESPELLING_INSIDE_H
#define SQ_FRONTEND_RESPELLING_INSIDE_H
#include "frontend/address.h"
#include "frontend/members_inside.h"
#include "frontend/respelling.h"
#include "frontend/endings.h"
#include "frontend/spelling.h"

/* A name in the place of a text. */
typedef struct sq_stand_in_text {
    size_t from, to;
    const char *name, *text;
    bool is_out; /* its text has errors */
    bool hides;  /* a struct's variable, of which `hidden` is said where the name is left out */
    sq_member_refused hidden;
} sq_stand_in_text;

/* Where a loop mentions a pointer that it moves, and by how many elements the turn has moved that before. */
typedef struct sq_walk_use {
    CXCursor at;
    int64_t ahead;
} sq_walk_use;

enum { SQ_WALK_STEPS = 8 };

/* A pointer that a loop moves by `step` elements in each turn, or a nest of loops the innermost of which does. */
typedef struct sq_moving_pointer {
    CXCursor decl;
    int nuses; /* in the loop */
    sq_walk_use *use;
    CXCursor turn, start; /* the loop's variable, and its first value */
    int sign;       /* the variable counts up, 1, or down, -1 */
    int64_t step;
    const sq_address_level *nest; /* NULL: one loop moves it, by `step` */
    int nsteps; /* those by something else than a constant, p += stride */
    CXCursor steps[SQ_WALK_STEPS];
    bool is_own; /* the region declares it */
} sq_moving_pointer;

enum { SQ_MOST_LEAVES = 16 };

/* The numbers that a struct is made of. */
typedef struct sq_leaves {
    int n;
    int64_t bytes; /* of all of them */
    struct {
        CXType type;
        int64_t offset;
        const char *path; /* "_at_x" */
    } of[SQ_MOST_LEAVES];
} sq_leaves;

/* A struct that the region declares, a variable for each number in it. */
typedef struct sq_struct_parts {
    CXCursor decl;
    sq_leaves leaves;
    const char *name[SQ_MOST_LEAVES];
    bool is_used[SQ_MOST_LEAVES]; /* by something else than a value of the whole */
} sq_struct_parts;

/* A loop without a first part. */
typedef struct sq_head {
    CXCursor loop, decl;
    bool has_value, is_own; /* own: the statement declares the variable */
    CXCursor set, value;    /* of the statement before it, which gives the variable its value */
    bool goes_on;           /* from where the loop before it ends */
    sq_ending before;
    const char *name;       /* of the variable that the loop has instead */
} sq_head;

/* A loop whose body says one thing ending.by times. */
typedef struct sq_unrolled {
    sq_ending ending;
    int per;       /* statements that are one of these */
    bool has_rest; /* the next loop says the rest of it, and all of it then */
} sq_unrolled;

/* What the region gives a variable, or a member of one, once. */
typedef struct sq_setting {
    CXCursor stmt, to, value, base; /* base: the variable */
    const char *path;               /* "out.w" */
    const char *name;               /* of what the region reads instead; NULL of a struct */
    bool is_whole;                  /* a struct, which is the same as another one */
    bool is_own;                    /* the region declares it */
    bool is_done;                   /* nothing reads it behind the region */
} sq_setting;

/* A size that is read as a multiple of another one in the subscripts of an array. */
typedef struct sq_ratio {
    const char *array, *size, *by; /* their text */
    const char *name;              /* of how many times */
} sq_ratio;

/* How much of a region other names say: all that they can, no pointers and structs of its own, or nothing. */
typedef enum sq_respelled { SQ_SAYS_ALL, SQ_SAYS_MEMBERS, SQ_SAYS_NOTHING } sq_respelled;

/* A region, which is read without errors whatever the others are. */
typedef struct sq_respelled_region {
    size_t from, to;
    sq_respelled says;
    bool has_stages; /* all of its text is needed, or none */
    bool fails;      /* of its text not enough can be read */
} sq_respelled_region;

typedef struct sq_respeller {
    sq_reader *r;
    sq_member_finder f; /* the text, and where that of macros begins */
    size_t n;           /* of the file */
    int ntop;
    CXCursor *top;
    int nstmts; /* of the region */
    CXCursor *stmt;
    int nexpansions, expansion_room;
    size_t (*expansion)[2]; /* of the region: from, to */
    int nstand_ins, stand_in_room, nnames;
    sq_stand_in_text *stand_in;
    sq_address_reader address;
    int refused_room, narrays, array_room; /* pointers whose elements are structs with members that the region reads */
    CXCursor *array;
    bool leaves_rows; /* it has none of these */
    int nregions;
    sq_respelled_region *region, *here; /* the one that is looked at */
    int nrows, row_room; /* pointers that the region declares */
    CXCursor *row;
    int nheads, head_room;
    sq_head *head;
    int nunrolled, unrolled_room;
    sq_unrolled *unrolled;
    int nsettings, setting_room;
    sq_setting *setting;
    int nratios, ratio_room;
    sq_ratio *ratio;
    const char *in_strides; /* the array of the element that is spelled; NULL: none with ratios */
    int nparts, parts_room;
    sq_struct_parts *parts;
    int nalone, alone_room; /* assignments of structs that stand where a block may */
    CXCursor *alone;
    int nwalks, walk_room; /* pointers that it moves */
    sq_moving_pointer *walk;
    int nstaged, staged_room; /* integers that several statements give their value */
    struct sq_staged *staged;
    CXCursor around; /* the function of the region */
    sq_members *found; /* arrays that the file has no names for */
} sq_respeller;

/* respelling_names.c: true if no declaration of the unit and no word of the text is the name. */
bool sq_respeller_is_new(const sq_respeller *x, const char *name);
/* Such a name, a short one. */
const char *sq_respeller_name(sq_respeller *x);
/* What messages call it. */
void sq_respeller_says(sq_respeller *x, const char *name, const char *text);

/* structs.c: how the places of the respeller's unit are read. */
sq_address_reader sq_struct_reader(sq_respeller *x);
/* Lists the arrays of structs of the region. */
void sq_structs_find(sq_respeller *x);
/* True if c is an element that the region has to say in another way; its place. */
bool sq_struct_read(sq_respeller *x, CXCursor c, sq_address *a);
/* Adds the element; false, after a reason, if it has no text. */
bool sq_struct_put(sq_respeller *x, CXCursor c, sq_address *a, sq_spelling *s);
/* "float" of const float */
const char *sq_struct_type_text(const sq_respeller *x, CXType t);
/* Why an array has no elements of the type; NULL: it may have. */
const char *sq_struct_type_refused(const sq_respeller *x, CXType t);
/* Adds the number of that type there. c: the expression that it is said of. */
bool sq_struct_put_leaf(sq_respeller *x, CXCursor c, CXType t, sq_address *a, sq_spelling *s);

/* wholes.c: lists the assignments of structs that stand where a block may. */
void sq_wholes_find(sq_respeller *x);
/* The numbers of a struct; false if there are too many, or some byte is none of a number. */
bool sq_whole_leaves(const sq_respeller *x, CXType t, sq_leaves *to);
/* True if c assigns all of a struct to another, p[i] = q[j], that is made of numbers. */
bool sq_whole_is_copy(sq_respeller *x, CXCursor c);
/* True if it would be one but that its value may read what it writes. */
bool sq_whole_overlaps(sq_respeller *x, CXCursor c);
/* Adds such an assignment as those of all numbers; false: c is none. */
bool sq_whole_copy(sq_respeller *x, CXCursor c, sq_spelling *s);
/* True of what such a value may be, of a struct that the region declares. */
bool sq_whole_is_value(sq_respeller *x, CXCursor c);
/* Adds number `leaf` of such a value. */
void sq_whole_put_leaf(sq_respeller *x, CXCursor c, const sq_leaves *leaves, int leaf, sq_spelling *s);

/* parts.c: lists the structs that the region declares. */
void sq_parts_find(sq_respeller *x);
/* Of the name of one, or its declaration; NULL: it is none. */
const sq_struct_parts *sq_parts_of(const sq_respeller *x, CXCursor c);
/* True if something in c mentions the variable. */
bool sq_parts_mentioned(const sq_respeller *x, CXCursor c, const sq_struct_parts *p);
/* True of a declaration and of a number of one, t.re. */
bool sq_parts_is(const sq_respeller *x, CXCursor c);
/* Adds what stands for these; false: c is none. */
bool sq_parts_put(sq_respeller *x, sq_spelling *s, CXCursor c);
/* What is said of c, a place of a struct's variable that the region cannot have (members.h); false if it is no place of
 * a variable. */
bool sq_respeller_refusal(const sq_respeller *x, CXCursor c, const char *why, sq_member_refused *to);
void sq_respeller_refuse(sq_respeller *x, const sq_member_refused *one);
/* Lists what of structs in arrays is no number of theirs. */
void sq_structs_refused(sq_respeller *x);

/* rows.c: lists the pointers that the region declares and only reads. */
void sq_rows_find(sq_respeller *x);
/* True of such a pointer. */
bool sq_row_value(const sq_respeller *x, CXCursor decl, CXCursor *value);
/* True if the region declares it and reads it as what it leads to: the declaration goes. */
bool sq_row_is_gone(const sq_respeller *x, CXCursor decl);
/* True if the value, of a pointer that one of n statements declares, leads to one place wherever they are. */
bool sq_row_is_steady(const sq_respeller *x, CXCursor value, const CXCursor *stmt, int n);
/* True if the statement declares another variable of a name that the value mentions. */
bool sq_row_is_hidden(const sq_respeller *x, CXCursor value, CXCursor stmt);
/* True if the type is int, long or long long. */
bool sq_respeller_is_signed(const sq_respeller *x, CXCursor c);
/* True if c itself gives the variable, or a member of it, a value, or takes its address. */
bool sq_respeller_changes_here(const sq_respeller *x, CXCursor c, CXCursor decl);
/* True if something in c gives the variable, or a member of it, a value, or takes its address. */
bool sq_respeller_changes(const sq_respeller *x, CXCursor c, CXCursor decl);
/* True if something in c takes the address of the variable, or of a member of it. */
bool sq_respeller_takes_address(const sq_respeller *x, CXCursor c, CXCursor decl);

/* walks.c: lists the pointers that loops of the region move. */
void sq_walks_find(sq_respeller *x);
/* Of p and p++, where p is one of them: whether that stands in its loop, and the elements that it is ahead there. */
const sq_moving_pointer *sq_walk_of(const sq_respeller *x, CXCursor c, bool *inside, int64_t *ahead);
/* True of p++ and p += 3. */
bool sq_walk_step(const sq_respeller *x, CXCursor c, int64_t *by);

/* True of a variable from outside of the region that nobody reads behind it, not by its address either. */
bool sq_walk_is_done_with(const sq_respeller *x, CXCursor decl);

/* respelling_loops.c: visits each for of the region, those around others first: it is stmt[k] of n statements that
 * follow each other. None where rows are left as they are. */
typedef void sq_at_loop(sq_respeller *x, const CXCursor *stmt, int n, int k);
void sq_respeller_each_loop(sq_respeller *x, sq_at_loop *visit);

/* heads.c: lists the loops without a first part. */
void sq_heads_find(sq_respeller *x);
/* True of such a loop. */
bool sq_head_is(const sq_respeller *x, CXCursor c);
/* True if its variable has the value there that another loop leaves. */
bool sq_head_goes_on(const sq_respeller *x, CXCursor c, CXCursor before);
/* Adds the first value of the variable, of a loop with a first part, too. */
void sq_head_put_first(const sq_respeller *x, sq_spelling *s, const sq_ending *of);
/* True of what gives its variable a value before it, a statement or a declaration: that goes. */
bool sq_head_is_set(const sq_respeller *x, CXCursor c);
/* Adds what stands for these, and for the variable in the loop; false: c is none. */
bool sq_head_put(const sq_respeller *x, sq_spelling *s, CXCursor c);

/* unrolled.c: lists the loops that are unrolled by hand; those without a first part are known. */
void sq_unrolled_find(sq_respeller *x);
/* NULL: the loop is none of these. */
const sq_unrolled *sq_unrolled_of(const sq_respeller *x, CXCursor loop);
/* Adds what stands for one, but for those that are heads, too; false: c is none. */
bool sq_unrolled_put(const sq_respeller *x, sq_spelling *s, CXCursor c);
/* Adds all of it behind its variable's first value. */
void sq_unrolled_put_turns(const sq_respeller *x, sq_spelling *s, const sq_unrolled *u, const char *name);

/* settings.c: lists what the region sets once. */
void sq_settings_find(sq_respeller *x);
/* True if something in c gives a value to what the setting is of, a part of that or a struct that it is in. */
bool sq_setting_changes(const sq_respeller *x, CXCursor c, const sq_setting *s);
/* True of what sets it, and of what reads it. */
bool sq_setting_is(const sq_respeller *x, CXCursor c);
/* Adds what stands for these; false: c is none. */
bool sq_setting_put(const sq_respeller *x, sq_spelling *to, CXCursor c);

/* strides.c: lists the sizes of subscripts that are said in steps of others. */
void sq_strides_find(sq_respeller *x);
/* True of an element with such subscripts. */
bool sq_stride_is(const sq_respeller *x, CXCursor c);
/* Adds what stands for it, or for such a size in it; false: c is none. */
bool sq_stride_put(sq_respeller *x, sq_spelling *s, CXCursor c);

/* stages.c: lists the integers that several statements of a block give their value, for subscripts. */
void sq_stages_find(sq_respeller *x);
/* True if the statement is one of these. */
bool sq_stage_is(const sq_respeller *x, CXCursor stmt);
/* Adds what stands for it, for a declaration in it, or for a name in it; false: c is none of these. */
bool sq_stage_put(const sq_respeller *x, sq_spelling *s, CXCursor c);

/* skips.c: true if the statement, of a loop's body, goes on with the next turn where a condition holds. */
bool sq_skip_is(const sq_respeller *x, CXCursor stmt);
/* True if one of the body's statements is such. */
bool sq_skip_in(const sq_respeller *x, CXCursor body);
/* Adds the statements, the last ones of a loop's body. */
void sq_skip_put(const sq_respeller *x, sq_spelling *s, const CXCursor *stmt, int n);
#endif
