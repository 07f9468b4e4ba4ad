/* Members: what regions read of structs, im.w and p->data[i], as variables of their own. */
#ifndef SQ_FRONTEND_MEMBERS_H
#define SQ_FRONTEND_MEMBERS_H
#include "frontend/clang.h"

typedef struct sq_struct_member {
    const char *text; /* "im.w" */
    const char *key;  /* of products of the same factors the same; what has another guard or address has another */
    const char *name; /* "im_w": as long, and no other word of the file */
    const char *type; /* "float *" */
    const char *guard; /* what has to hold where it is read before the region, in C; NULL: nothing */
    bool has_address;  /* something else may refer to it */
    bool is_record;    /* an array of the members of one type of the structs that are at `text` */
    const char *record; /* the type of the variable that leads to these structs; NULL: more than its name does */
    bool is_record_param, is_record_array; /* that variable is a parameter, is an array */
} sq_struct_member;

/* Something of a struct that the region names, and that is no variable of its own or number of an array. */
typedef struct sq_member_refused {
    size_t decl;     /* where the variable at its root has its name in its declaration, in bytes */
    const char *why; /* "it is a bit-field"; NULL: a macro names it where nothing can be put in its place */
    sq_loc at;
    bool is_single; /* of a struct that is no element of an array */
} sq_member_refused;

/* A name in the text that is read, and what the user's text says there. */
typedef struct sq_said_name {
    const char *name, *text;
} sq_said_name;

typedef struct sq_members {
    int n;
    sq_struct_member *member;
    int nrefused;
    sq_member_refused *refused;
    int nsaid, said_room;
    sq_said_name *said;
    const char *view;     /* the file with the names in the place of the texts; NULL: there are arrays alone, or none */
    const char *calls;    /* SQ_CALLS_PATH likewise; NULL: there is none */
    const char *declared; /* declarations of the names, a file of its own */
} sq_members;

/* Reads the unit, which has regions, once more with variables in the place of members and of products that bound
 * loops; leaves it as it is where it has none, or has errors. A region reads the members of a struct where nothing in
 * it changes the struct; those behind a pointer are read before the region, which the text may not do. */
void sq_members_read(sq_reader *r, CXIndex index, const char **args, int nargs, const char *text, size_t n);
#define SQ_MEMBERS_PATH SQ_PRELUDE_DIR "/members.h"
/* "extern float * im_data;" of all of them. */
const char *sq_members_declared(const sq_reader *r, const sq_members *m);
/* The one of that name; NULL: a variable of the file has it. */
const sq_struct_member *sq_member_named(const sq_reader *r, const char *name);
/* What the user's text says for the name of a variable, "m" of R0; the name itself, where it is the user's. */
const char *sq_member_said(const sq_reader *r, const char *name);
#endif
