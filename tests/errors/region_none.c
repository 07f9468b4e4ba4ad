int f(int n)
{
    return n;
}
// error: 1:1: there is no kernel in this file; a kernel is a function whose result type is the word kernel
// help: 1:5: to make 'f' a kernel, write kernel f(…)
// help: or to tune loops of ordinary C, write '#pragma scop' before and '#pragma endscop' behind them
