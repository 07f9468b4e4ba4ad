void f(void)
{
#pragma scop
    /* nothing */
#pragma endscop
}
// error: 3:1: this region holds no statement
