double a[5];
void f(void)
{
#pragma scop
    for (int i = 0; i <= 5; i++) a[i] = 0;
#pragma endscop
}
// error: 5:34: 'a' is written out of bounds: for example S0[i=5] writes a[5]
// help: 5:34: narrow the bounds of its loop, or declare the array larger
