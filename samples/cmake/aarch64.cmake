# Cross compiling for 64-bit Arm, with Debian's gcc-aarch64-linux-gnu; qemu-user runs the result:
#
#   cmake -S . -B build -DCMAKE_TOOLCHAIN_FILE=$PWD/aarch64.cmake -DCMAKE_PREFIX_PATH=/where/squall/is
#   cmake --build build && qemu-aarch64 -L /usr/aarch64-linux-gnu build/app
#
# squall is a program of the building machine: nothing of it is for the other one.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
set(CMAKE_FIND_ROOT_PATH /usr/aarch64-linux-gnu)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-aarch64 -L /usr/aarch64-linux-gnu)
