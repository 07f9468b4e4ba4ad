/* List: words that somebody gave, in their order. */
#ifndef SQ_SUPPORT_LIST_H
#define SQ_SUPPORT_LIST_H

typedef struct sq_list {
    int n;
    const char **item;
} sq_list;
#endif
