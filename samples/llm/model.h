/* Sizes of the model, for the program and for the kernels: those that are constants here need no
 * parameter, and their loops no remainders. */
#ifndef MODEL_H
#define MODEL_H

enum {
    HEADS = 4,
    HEAD = 64,          /* values of a head, in pairs that rope turns */
    DIM = HEADS * HEAD, /* values of a token between layers */
    HIDDEN = 768,       /* values inside of a feed-forward layer */
    LAYERS = 6,
    VOCABULARY = 2048,
    BLOCK = 32,   /* weights of one scale */
    PROMPT = 128, /* tokens given */
    NEW = 64,     /* tokens generated */
    CONTEXT = PROMPT + NEW
};

#endif
