/* Members, inside: what the files that find the stand-ins of a region share.
 *
 *     members.c       members of structs
 *     member_calls.c  the same in what stands for calls
 *     member_names.c  the names of all of them
 *     products.c      products in the bounds of loops
 *     firsts.c        what counters begin with */
#ifndef SQ_FRONTEND_MEMBERS_INSIDE_H
#define SQ_FRONTEND_MEMBERS_INSIDE_H
#include "frontend/members.h"
#include "frontend/scop_build.h"

/* A variable that is part of a text: a number, a struct, or a pointer to one. */
typedef struct sq_holder {
    CXCursor decl;
    bool changed;   /* in the region, or its address is taken there */
    bool is_read;   /* whatever the region does, a member is read */
    bool in_memory; /* others may know where it is */
} sq_holder;

enum { SQ_MOST_FACTORS = 4 };

/* A text of a region that a name stands in for. */
typedef struct sq_mention {
    size_t from, to;
    const char *text, *type;
    const char *said; /* what its name is made of; NULL: the text */
    bool is_first;    /* what a counter begins with */
    const char *key; /* the same for texts of one value: the factors of a product in the order of their letters */
    int n;
    CXCursor base[SQ_MOST_FACTORS]; /* variables; a product has one for each factor */
    bool arrow[SQ_MOST_FACTORS];    /* it is a pointer, and the factor is behind it */
} sq_mention;

typedef struct sq_member_finder {
    sq_reader *r;
    const char *text; /* of the file, and behind it of the macros that stand for calls */
    size_t calls_at;  /* where these begin; 0: there are none */
    sq_region_text region;
    CXCursor function; /* around it */
    bool writes_bytes; /* in the region: those may be parts of a pointer */
    int nwritten, written_room;
    const char **written; /* paths of the members that the region gives values */
    int nnames, name_room;
    const char **name; /* of declarations and macros, from headers and by ## too */
    int nmentions, mention_room, nholders, holder_room, nsubscripts, subscript_room;
    size_t (*subscript)[2]; /* from, to */
    sq_mention *mention;
    sq_holder *holder;
    sq_members *found;
    int refused_room;
    char *view;
} sq_member_finder;

/* Of a variable; there is one for each. */
sq_holder *sq_member_holder(sq_member_finder *f, CXCursor decl);
/* The variable of im, im.w and p->size.w; false for anything else. */
bool sq_member_base(const sq_member_finder *f, CXCursor c, CXCursor *decl);
bool sq_member_is_volatile(const sq_member_finder *f, CXCursor c);
/* "float *" of a number or a pointer to numbers; NULL. */
const char *sq_member_type(const sq_member_finder *f, CXCursor c);
/* True if the text is a name with members behind it; or a name alone, if that is asked for. */
bool sq_member_is_path(const char *text, size_t n, bool alone);
/* True if the path follows no pointer, or one that a variable is: whether others are NULL nobody can ask before. */
bool sq_member_follows_once(const char *text);
void sq_member_mention(sq_member_finder *f, const sq_mention *m);
/* True of the path of a member that the region gives a value. */
bool sq_member_is_written(const sq_member_finder *f, const char *path, size_t n);

/* The member as the text of the file there says it, without parentheses; NULL: a macro says it. */
const char *sq_member_written(const sq_member_finder *f, CXCursor c, size_t from, size_t to);
void sq_member_subscript(sq_member_finder *f, size_t from, size_t to);

/* member_calls.c: true if the cursor is part of what stands for a call; the text of that. */
bool sq_member_in_call(const sq_member_finder *f, CXCursor c, size_t *from, size_t *to);
/* "im.w", "p->size.w"; NULL of anything else. */
const char *sq_member_path(const sq_member_finder *f, CXCursor c);
/* The next place of a name with its members, all of them; `to`: there is none. */
size_t sq_member_find(const sq_member_finder *f, const char *path, size_t from, size_t to);
/* Takes the mention wherever the member that c is stands from one place to another. */
void sq_member_in_text(sq_member_finder *f, CXCursor c, sq_mention m, size_t from, size_t to);
/* Takes all subscripts between two places. */
void sq_member_subscripts(sq_member_finder *f, size_t from, size_t to);

/* member_names.c: lists what the unit declares, and the functions of its regions. */
void sq_member_names(sq_member_finder *f, CXCursor *top, int n, const sq_region_text *t, int nregions);
/* The stand-in of a mention, a new one or that of an earlier one; NULL: all names are taken. */
sq_struct_member *sq_member_of(sq_member_finder *f, const sq_mention *m);

/* firsts.c: takes what a statement or declaration gives a counter; nothing where that is a name or a number. */
void sq_member_first(sq_member_finder *f, CXCursor c);

/* products.c: takes the product that bounds a loop, n < im.w * im.h; nothing where it is none. */
void sq_member_bound(sq_member_finder *f, CXCursor loop);
/* Takes the same products in the region's subscripts; all bounds are there. */
void sq_member_products(sq_member_finder *f);
/* True if a variable of the region has the name of a factor. */
bool sq_member_is_shadowed(sq_member_finder *f, const sq_mention *m);
/* True if the region gives one of its factors, a member, a value. */
bool sq_member_has_written(const sq_member_finder *f, const sq_mention *m);
/* "!__builtin_mul_overflow(im.w, im.h, &(int){0})" */
const char *sq_member_fits(const sq_member_finder *f, const sq_mention *m);
#endif
