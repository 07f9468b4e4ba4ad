#define Q 3
int y = ;
