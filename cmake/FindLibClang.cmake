# FindLibClang: header and library of libclang from one prefix. Clang's own CMake package does not
# come with Debian's libclang development package, hence this.
#
#   find_package(LibClang 17)
# Where it looks: LibClang_ROOT (variable or environment), what `llvm-config` (newest first) says,
# /usr/lib/llvm-<n>. Results:
#   LibClang::headers        target: include folder, and as definitions what dlopen needs:
#                            SQ_LIBCLANG_SONAME "libclang-19.so.19", SQ_LIBCLANG_PATH the full path
#   LibClang::LibClang       target: the library, to link with
#   LibClang_VERSION, LibClang_INCLUDE_DIR, LibClang_LIBRARY
# From 17 on libclang has clang_getCursorBinaryOperatorKind, which the frontend cannot do without;
# that it links is checked, not believed.

set(prefixes ${LibClang_ROOT} $ENV{LibClang_ROOT})
foreach(n RANGE 30 17 -1)
  find_program(LLVM_CONFIG_${n} NAMES llvm-config-${n})
  mark_as_advanced(LLVM_CONFIG_${n})
  if(LLVM_CONFIG_${n})
    execute_process(COMMAND ${LLVM_CONFIG_${n}} --prefix OUTPUT_VARIABLE prefix
      OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
    list(APPEND prefixes ${prefix})
  endif()
  list(APPEND prefixes /usr/lib/llvm-${n} /usr/lib/llvm${n} /opt/homebrew/opt/llvm@${n})
endforeach()
list(APPEND prefixes /usr /usr/local)

# Both from the same prefix: headers of one version with another's library crash late.
foreach(prefix IN LISTS prefixes)
  if(NOT LibClang_LIBRARY OR NOT LibClang_INCLUDE_DIR)
    unset(LibClang_LIBRARY CACHE)
    unset(LibClang_INCLUDE_DIR CACHE)
    find_path(LibClang_INCLUDE_DIR clang-c/Index.h PATHS ${prefix}/include NO_DEFAULT_PATH)
    find_library(LibClang_LIBRARY NAMES clang PATHS ${prefix}/lib ${prefix}/lib64 NO_DEFAULT_PATH)
  endif()
endforeach()

if(LibClang_LIBRARY AND LibClang_INCLUDE_DIR)
  get_filename_component(real ${LibClang_LIBRARY} REALPATH)
  foreach(form "libclang-([0-9.]+)[.]so" "/llvm-?([0-9.]+)/" "libclang[.]so[.]([0-9.]+)")
    if(NOT LibClang_VERSION AND "${LibClang_LIBRARY} ${real}" MATCHES "${form}")
      set(LibClang_VERSION ${CMAKE_MATCH_1})
    endif()
  endforeach()
  include(CheckSymbolExists)
  set(CMAKE_REQUIRED_INCLUDES ${LibClang_INCLUDE_DIR})
  set(CMAKE_REQUIRED_LIBRARIES ${LibClang_LIBRARY})
  check_symbol_exists(clang_getCursorBinaryOperatorKind clang-c/Index.h LibClang_IS_17)
  unset(CMAKE_REQUIRED_INCLUDES)
  unset(CMAKE_REQUIRED_LIBRARIES)
endif()

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(LibClang
  REQUIRED_VARS LibClang_LIBRARY LibClang_INCLUDE_DIR LibClang_IS_17
  VERSION_VAR LibClang_VERSION
  REASON_FAILURE_MESSAGE "install libclang-19-dev (scripts/deps does) or set LibClang_ROOT")
mark_as_advanced(LibClang_LIBRARY LibClang_INCLUDE_DIR)

if(LibClang_FOUND AND NOT TARGET LibClang::LibClang)
  add_library(LibClang::LibClang UNKNOWN IMPORTED)
  set_target_properties(LibClang::LibClang PROPERTIES IMPORTED_LOCATION ${LibClang_LIBRARY}
    INTERFACE_INCLUDE_DIRECTORIES ${LibClang_INCLUDE_DIR})

  # The name other machines with the same package have it under.
  execute_process(COMMAND ${CMAKE_OBJDUMP} -p ${LibClang_LIBRARY} OUTPUT_VARIABLE dynamic
    ERROR_QUIET)
  if(dynamic MATCHES "SONAME +([^ \n]+)")
    set(soname ${CMAKE_MATCH_1})
  else()
    get_filename_component(soname ${LibClang_LIBRARY} NAME)
  endif()
  add_library(LibClang::headers INTERFACE IMPORTED)
  set_target_properties(LibClang::headers PROPERTIES
    INTERFACE_INCLUDE_DIRECTORIES ${LibClang_INCLUDE_DIR}
    INTERFACE_COMPILE_DEFINITIONS
      "SQ_LIBCLANG_SONAME=\"${soname}\";SQ_LIBCLANG_PATH=\"${LibClang_LIBRARY}\"")
endif()
