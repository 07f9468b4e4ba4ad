# cmake -DINPUT=file -DOUTPUT=file.c -DSYMBOL=name -P EmbedText.cmake
# Writes `const char name[] = { … };` with the input's bytes and a terminating 0. Numbers rather
# than a string literal, because C promises no more than 4095 characters of those.
file(READ ${INPUT} bytes HEX)
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
string(REGEX REPLACE "((0x..,){16})" "\\1\n    " bytes "${bytes}")
get_filename_component(name ${INPUT} NAME)
file(WRITE ${OUTPUT} "/* ${name}, embedded. */
extern const char ${SYMBOL}[];
const char ${SYMBOL}[] = {
    ${bytes}0x00,
};
")
