void maxpool(int h, int w, int c, int size, int stride, int out_h, int out_w, const float *in, float *out)
{
#pragma scop
    for (int k = 0; k < c; k++)
        for (int i = 0; i < out_h; i++)
            for (int j = 0; j < out_w; j++) {
                float max = -1e30f;
                for (int n = 0; n < size; n++)
                    for (int m = 0; m < size; m++) {
                        float v = in[(k*h + i*stride + n)*w + j*stride + m];
                        max = v > max ? v : max;
                    }
                out[(k*out_h + i)*out_w + j] = max;
            }
#pragma endscop
}
// error: 10:35: in this subscript 'stride' multiplies a variable, and is no length of rows of 'in'
// help: the step of a window is a number; --fix=stride=2 makes it one
