# Functions for projects that generate kernels while they build. Nothing here ever tunes: a build
# only reads the .sched files that are committed beside the descriptions.
#
#   squall_add_kernel(<name> SOURCES a.sq [b.sq ...]
#     [STATIC | OBJECT | INTERFACE]   kind of library (default STATIC; INTERFACE: sources are
#                                     compiled into the consumers)
#     [TARGETS c|host|... [openmp|tasks|serial]  what squall compile --target takes: squall show targets
#            |generic avx2 ... [openmp|tasks|serial]  several: one library, whose functions take the best target
#                                     that the processor has (squall compile --targets)
#            |cuda [arch=...]]
#     [MACHINE host|<class>]          squall compile --machine
#     [SCHEDULES a.<class>.sched ...] watched for changes; those beside a source are found by squall
#     [FIX M=512 N=512 ...]           sizes made constant; S=1|2: parameters with a function for each value;
#                                     of one source alone: a.sq:K=64
#     [VISIBILITY default|hidden]     squall compile --visibility: whether a shared library that the kernels are
#                                     linked into shows them
#     [OPTIONS ...]                   further words for squall compile; of one source alone: a.sq:--at=K=64
#     [EMIT report])                  report beside the source; path in target property SQUALL_REPORT
#
# Lists may be given as one word, TARGETS "${LIST}".
#
# gives library <name> (alias squall_kernels::<name>) from <stem>.c and <stem>.h, with the headers'
# folder as include folder, and OpenMP with it where the target asks for it. Unless the project sets
# CMAKE_POSITION_INDEPENDENT_CODE it may be linked into shared libraries.
#
# With TARGETS cuda it is a STATIC library from <stem>.cu, made by nvcc for that architecture, which
# links into programs of pure C; the project needs no language but C. CUDA's runtime and the folder of
# its headers come with it. Where no nvcc is found (CUDAToolkit_ROOT names another one) there is a
# message and no library: use it under if(TARGET <name>). Words for nvcc alone are NVCC_OPTIONS.
#
#   squall_tune(<name> [BUDGET 60s] [OPTIONS ...])
#
# gives target <name>.tune, which is in no default build: it tunes the kernel's sources for the TARGETS
# (of several, those that this machine runs) or MACHINE that the kernel is built for, and leaves .sched files beside them, to be looked at and
# committed. What was tuned for another target would not be used. OPTIONS of one source alone: a.sq:--at=K=64.
#
# How a source is generated: a stamp is the rule's output, the generated files are byproducts that
# are left alone when their bytes would not change, and the depfile names the *stamp*. Of the
# schemes that avoid compiling again what did not change, only this one neither misses a changed
# include nor runs the generator in a build without changes, with Ninja and Make alike.
cmake_minimum_required(VERSION 3.21)

# What the tool says of a target: "cflags", words for a compiler; "runs", whether this machine does.
function(_squall_ask_target target key result)
  if(target STREQUAL "c")
    set(target generic)
  endif()
  get_property(known GLOBAL PROPERTY _SQUALL_${key}_${target} SET)
  if(NOT known)
    set(value "")
    get_target_property(executable squall::squall IMPORTED_LOCATION)
    if(executable)
      execute_process(COMMAND ${executable} show targets --json OUTPUT_VARIABLE json
        RESULT_VARIABLE rc ERROR_QUIET)
      if(rc STREQUAL "0")
        string(JSON n LENGTH ${json} targets)
        math(EXPR last "${n} - 1")
        foreach(i RANGE ${last})
          string(JSON row_name GET ${json} targets ${i} name)
          string(JSON row_host GET ${json} targets ${i} host)
          if(row_name STREQUAL target OR (target STREQUAL "host" AND row_host))
            string(JSON value GET ${json} targets ${i} ${key})
          endif()
        endforeach()
      endif()
    endif()
    separate_arguments(value UNIX_COMMAND "${value}")
    set_property(GLOBAL PROPERTY _SQUALL_${key}_${target} "${value}")
  endif()
  get_property(value GLOBAL PROPERTY _SQUALL_${key}_${target})
  set(${result} ${value} PARENT_SCOPE)
endfunction()

# Of the words of TARGETS those that name targets, and the options.
function(_squall_split_targets words names options)
  set(options_found ${words})
  list(FILTER words EXCLUDE REGEX "^(openmp|tasks|serial|arch=.*)$")
  list(FILTER options_found INCLUDE REGEX "^(openmp|tasks|serial|arch=.*)$")
  set(${names} ${words} PARENT_SCOPE)
  set(${options} ${options_found} PARENT_SCOPE)
endfunction()

# One description -> <stem>.<ext> and <stem>.h in `dir`; the paths go to <result>.
function(_squall_generate name source dir ext words schedules report result)
  get_filename_component(source ${source} ABSOLUTE BASE_DIR ${CMAKE_CURRENT_SOURCE_DIR})
  get_filename_component(stem ${source} NAME_WE)
  set(stamp ${dir}/${stem}.stamp)
  # A .sched that appears or goes changes the output as much as one that is edited. Then all that is
  # remembered of the last run is forgotten; CMake's Makefiles would otherwise look for the file that
  # is gone in every build.
  get_filename_component(folder ${source} DIRECTORY)
  file(GLOB beside CONFIGURE_DEPENDS ${folder}/${stem}.*.sched)
  if(NOT "${_SQUALL_BESIDE_${name}_${stem}}" STREQUAL "${beside}")
    set(remembered ${CMAKE_CURRENT_BINARY_DIR}/CMakeFiles/${name}.generate.dir/compiler_depend)
    file(REMOVE ${stamp} ${stamp}.d ${remembered}.internal ${remembered}.make)
    set(_SQUALL_BESIDE_${name}_${stem} "${beside}" CACHE INTERNAL "")
  endif()
  set(products ${dir}/${stem}.${ext} ${dir}/${stem}.h)
  set(emit src,header)
  if(report)
    list(APPEND products ${dir}/${stem}.report)
    string(APPEND emit ,report)
  endif()
  add_custom_command(
    OUTPUT ${stamp}
    BYPRODUCTS ${products}
    COMMAND squall::squall compile ${source} -o ${dir}/${stem}.${ext} --header=${dir}/${stem}.h
            --emit=${emit} --if-changed -MD -MF ${stamp}.d -MT ${stamp} ${words}
    COMMAND ${CMAKE_COMMAND} -E touch ${stamp}
    DEPENDS ${source} ${beside} ${schedules} squall::squall
    DEPFILE ${stamp}.d
    COMMENT "Generating ${stem}.${ext} with squall"
    VERBATIM)
  set(${result} ${products} PARENT_SCOPE)
  set(${result}_STAMP ${stamp} PARENT_SCOPE)
endfunction()

# The words of lists that were given as one, TARGETS "${LIST}", for parsed arguments A_<name>.
macro(_squall_open_lists)
  foreach(_squall_list IN ITEMS ${ARGN})
    string(REPLACE "\\;" ";" A_${_squall_list} "${A_${_squall_list}}")
  endforeach()
endmacro()

# Where nvcc is, or why a library of CUDA kernels is left out.
function(_squall_find_nvcc why)
  set(${why} "" PARENT_SCOPE)
  if(CMAKE_CROSSCOMPILING)
    set(${why} "nvcc makes programs for this machine, and the project is for another one"
      PARENT_SCOPE)
    return()
  endif()
  find_package(CUDAToolkit QUIET)
  if(NOT CUDAToolkit_FOUND OR NOT CUDAToolkit_NVCC_EXECUTABLE)
    set(${why} "no nvcc in PATH nor in /usr/local/cuda; -DCUDAToolkit_ROOT=/where/cuda/is names one"
      PARENT_SCOPE)
    return()
  endif()
  set(CUDAToolkit_NVCC_EXECUTABLE ${CUDAToolkit_NVCC_EXECUTABLE} PARENT_SCOPE)
  set(CUDAToolkit_INCLUDE_DIRS ${CUDAToolkit_INCLUDE_DIRS} PARENT_SCOPE)
  # By path: targets that are imported here are not seen from other folders of the project.
  foreach(runtime cudart_static cudart)
    if(TARGET CUDA::${runtime})
      get_target_property(path CUDA::${runtime} IMPORTED_LOCATION)
      set(_squall_cudart ${path} PARENT_SCOPE)
      return()
    endif()
  endforeach()
  set(${why} "${CUDAToolkit_NVCC_EXECUTABLE} is there, but no libcudart beside it" PARENT_SCOPE)
endfunction()

# Objects of CUDA files, by rules of our own instead of CMake's language: a function can enable none,
# and the consumers are C. Without the two flags the host part would want the library of C++.
function(_squall_nvcc generated targets options result)
  set(arch sm_80)
  foreach(word IN LISTS targets)
    if(word MATCHES "^arch=(.*)$")
      set(arch ${CMAKE_MATCH_1})
    endif()
  endforeach()
  if(CMAKE_CUDA_HOST_COMPILER)
    list(APPEND options -ccbin ${CMAKE_CUDA_HOST_COMPILER})
  endif()
  set(headers ${generated})
  list(FILTER headers INCLUDE REGEX "[.]h$")
  list(FILTER generated INCLUDE REGEX "[.]cu$")
  set(objects "")
  foreach(source IN LISTS generated)
    get_filename_component(stem ${source} NAME_WE)
    set(object ${source}${CMAKE_C_OUTPUT_EXTENSION})
    add_custom_command(
      OUTPUT ${object}
      COMMAND ${CUDAToolkit_NVCC_EXECUTABLE} -arch=${arch} -O2
              -Xcompiler -fPIC,-fno-threadsafe-statics,-fno-exceptions ${options}
              -c ${source} -o ${object}
      DEPENDS ${source} ${headers}
      COMMENT "Building ${stem}.cu with nvcc for ${arch}"
      VERBATIM)
    list(APPEND objects ${object})
  endforeach()
  set(${result} ${objects} PARENT_SCOPE)
endfunction()

# A misspelt keyword is taken for one more word of the list before it, where it fails late or never.
function(_squall_refuse_keywords who words)
  list(JOIN ARGN " " known)
  foreach(word IN LISTS words)
    if(word MATCHES "^[A-Z][A-Z_]+$")
      message(FATAL_ERROR "${who}: '${word}' is no keyword; there are: ${known}")
    endif()
  endforeach()
endfunction()

# `words` with absolute paths in front of those that are for one source: a.sq:K=64, a.sq:--at=K=64. A source is named
# as in SOURCES, or by its file's name. What looks like the name of another one, by the pattern, is an error.
function(_squall_place who sources words pattern result)
  set(placed "")
  foreach(word IN LISTS words)
    if(word MATCHES "^([^:]+):(.*)$")
      set(named "${CMAKE_MATCH_1}")
      set(rest "${CMAKE_MATCH_2}")
      get_filename_component(absolute "${named}" ABSOLUTE BASE_DIR ${CMAKE_CURRENT_SOURCE_DIR})
      set(path "")
      foreach(source IN LISTS sources)
        get_filename_component(file ${source} NAME)
        get_filename_component(source ${source} ABSOLUTE BASE_DIR ${CMAKE_CURRENT_SOURCE_DIR})
        if(named STREQUAL file OR absolute STREQUAL source)
          set(path ${source})
        endif()
      endforeach()
      if(path)
        set(word "${path}:${rest}")
      elseif(named MATCHES "${pattern}")
        list(JOIN sources " " known)
        message(FATAL_ERROR "${who} ${word}: '${named}' is none of its SOURCES; there are: ${known}")
      endif()
    endif()
    list(APPEND placed "${word}")
  endforeach()
  set(${result} "${placed}" PARENT_SCOPE)
endfunction()

# Of words that were placed, those for the source at `path`: those for it and those for all.
function(_squall_words_of path sources words result)
  set(own "")
  foreach(word IN LISTS words)
    set(for "${path}")
    foreach(source IN LISTS sources)
      string(FIND "${word}" "${source}:" at)
      if(at EQUAL 0)
        set(for "${source}")
        string(LENGTH "${source}:" n)
        string(SUBSTRING "${word}" ${n} -1 rest)
        set(word "${rest}")
        break()
      endif()
    endforeach()
    if(for STREQUAL path)
      list(APPEND own "${word}")
    endif()
  endforeach()
  set(${result} "${own}" PARENT_SCOPE)
endfunction()

# --fix for the source at `path`; nothing where there is nothing to fix.
function(_squall_fix_of path sources fix result)
  _squall_words_of(${path} "${sources}" "${fix}" own)
  list(JOIN own "," joined)
  if(own)
    set(joined "--fix=${joined}")
  endif()
  set(${result} "${joined}" PARENT_SCOPE)
endfunction()

function(squall_add_kernel name)
  cmake_parse_arguments(PARSE_ARGV 1 A "STATIC;OBJECT;INTERFACE" "MACHINE;VISIBILITY"
    "SOURCES;TARGETS;SCHEDULES;FIX;OPTIONS;EMIT;NVCC_OPTIONS")
  _squall_open_lists(SOURCES TARGETS SCHEDULES FIX OPTIONS EMIT NVCC_OPTIONS)
  if(A_UNPARSED_ARGUMENTS OR NOT A_SOURCES)
    message(FATAL_ERROR "squall_add_kernel(${name} SOURCES file.sq ...): "
      "not understood: '${A_UNPARSED_ARGUMENTS}'")
  endif()
  _squall_refuse_keywords("squall_add_kernel(${name})"
    "${A_SOURCES};${A_TARGETS};${A_SCHEDULES};${A_FIX};${A_EMIT};${A_MACHINE};${A_VISIBILITY}" SOURCES
    STATIC OBJECT INTERFACE TARGETS MACHINE VISIBILITY SCHEDULES FIX OPTIONS EMIT NVCC_OPTIONS)
  foreach(source IN LISTS A_SOURCES)
    if(source MATCHES "[.](c|cc|cpp|cxx)$")
      message(FATAL_ERROR "squall_add_kernel(${name}): ${source} is no description (.sq). A C file with "
        "regions has no header of its own; its new file takes its place in the build:\n"
        "  add_custom_command(OUTPUT new.c DEPENDS ${source} COMMAND squall::squall compile "
        "\${CMAKE_CURRENT_SOURCE_DIR}/${source} -o new.c)")
    endif()
  endforeach()
  _squall_place("squall_add_kernel(${name}) OPTIONS" "${A_SOURCES}" "${A_OPTIONS}" "^[^-].*[.]sq$" words)
  set(target c)
  set(ext c)
  _squall_split_targets("${A_TARGETS}" names options)
  list(LENGTH names several)
  if(several GREATER 1)
    if("cuda" IN_LIST names)
      message(FATAL_ERROR "squall_add_kernel(${name} TARGETS ${A_TARGETS}): a program chooses among targets "
        "of processors; kernels for cuda are a library of their own")
    endif()
    list(JOIN A_TARGETS "," joined)
    list(APPEND words --targets=${joined})
    set(target several) # no flags: each function carries those of its target
  elseif(A_TARGETS)
    list(GET A_TARGETS 0 target)
    if(target STREQUAL "cuda")
      set(ext cu)
      if(A_OBJECT OR A_INTERFACE)
        message(FATAL_ERROR "squall_add_kernel(${name}): kernels for cuda are a STATIC library")
      endif()
      _squall_find_nvcc(missing)
      if(missing)
        message(STATUS "${name} is left out: ${missing}")
        set_property(GLOBAL PROPERTY _SQUALL_LEFT_OUT_${name} TRUE)
        return()
      endif()
    endif()
    list(JOIN A_TARGETS "," joined)
    list(APPEND words --target=${joined})
  endif()
  if(A_MACHINE)
    list(APPEND words --machine=${A_MACHINE})
  endif()
  if(A_VISIBILITY)
    if(NOT A_VISIBILITY MATCHES "^(default|hidden)$")
      message(FATAL_ERROR "squall_add_kernel(${name} VISIBILITY ${A_VISIBILITY}): accepted are default and hidden")
    endif()
    list(APPEND words --visibility=${A_VISIBILITY})
  endif()
  _squall_place("squall_add_kernel(${name}) FIX" "${A_SOURCES}" "${A_FIX}" ".*" fix)
  set(schedules "")
  foreach(schedule IN LISTS A_SCHEDULES)
    get_filename_component(schedule ${schedule} ABSOLUTE BASE_DIR ${CMAKE_CURRENT_SOURCE_DIR})
    list(APPEND schedules ${schedule})
  endforeach()

  # A folder of its own: two kernels of one project may come from sources of one name.
  set(dir ${CMAKE_CURRENT_BINARY_DIR}/${name}.squall)
  file(MAKE_DIRECTORY ${dir})
  set(generated "")
  set(stamps "")
  set(sources "")
  foreach(source IN LISTS A_SOURCES)
    get_filename_component(source ${source} ABSOLUTE BASE_DIR ${CMAKE_CURRENT_SOURCE_DIR})
    list(APPEND sources ${source})
  endforeach()
  foreach(source IN LISTS sources)
    _squall_words_of(${source} "${sources}" "${words}" own)
    _squall_fix_of(${source} "${sources}" "${fix}" fixed)
    _squall_generate(${name} ${source} ${dir} ${ext} "${own};${fixed}" "${schedules}" "${A_EMIT}" made)
    list(APPEND generated ${made})
    list(APPEND stamps ${made_STAMP})
  endforeach()
  set(reports ${generated})
  list(FILTER reports INCLUDE REGEX "[.]report$")
  list(FILTER generated EXCLUDE REGEX "[.]report$")
  set_source_files_properties(${generated} PROPERTIES GENERATED TRUE SKIP_LINTING TRUE
    SKIP_PRECOMPILE_HEADERS TRUE)

  # The stamps belong to a target of their own, which the library waits for: with Make, a rule
  # reached from two targets would run twice at once.
  add_custom_target(${name}.generate DEPENDS ${stamps})
  if(A_INTERFACE)
    add_library(${name} INTERFACE)
    target_sources(${name} INTERFACE ${generated})
    set(scope INTERFACE)
  else()
    set(kind STATIC)
    if(A_OBJECT)
      set(kind OBJECT)
    endif()
    if(ext STREQUAL "cu")
      _squall_nvcc("${generated}" "${A_TARGETS}" "${A_NVCC_OPTIONS}" generated)
    endif()
    add_library(${name} ${kind} ${generated})
    if(ext STREQUAL "cu")
      set_target_properties(${name} PROPERTIES LINKER_LANGUAGE C)
    endif()
    set(scope PUBLIC)
  endif()
  add_dependencies(${name} ${name}.generate)
  add_library(squall_kernels::${name} ALIAS ${name})
  target_include_directories(${name} ${scope} $<BUILD_INTERFACE:${dir}>)
  set_target_properties(${name} PROPERTIES SQUALL_REPORT "${reports}" SQUALL_SOURCES "${sources}"
    SQUALL_OPTIONS "${A_OPTIONS}" SQUALL_FIX "${fix}" SQUALL_TARGETS "${A_TARGETS}"
    SQUALL_MACHINE "${A_MACHINE}")

  # A shared library that these are linked into needs it, and nobody says so to what is linked into it.
  get_property(has_shared GLOBAL PROPERTY TARGET_SUPPORTS_SHARED_LIBS)
  if(NOT A_INTERFACE AND has_shared AND NOT DEFINED CMAKE_POSITION_INDEPENDENT_CODE)
    set_target_properties(${name} PROPERTIES POSITION_INDEPENDENT_CODE ON)
  endif()

  # A build without a type does not optimise: kernels ten times slower, and nobody meant that.
  if(NOT A_INTERFACE AND NOT ext STREQUAL "cu")
    target_compile_options(${name} PRIVATE $<$<NOT:$<BOOL:$<CONFIG>>>:-O2>)
  endif()
  _squall_ask_target(${target} cflags flags)
  if(flags AND A_INTERFACE)
    target_compile_options(${name} INTERFACE ${flags})
  elseif(flags)
    target_compile_options(${name} PRIVATE ${flags})
  endif()
  if("openmp" IN_LIST A_TARGETS)
    find_package(OpenMP REQUIRED COMPONENTS C)
    target_link_libraries(${name} ${scope} OpenMP::OpenMP_C)
  endif()
  if(ext STREQUAL "cu")
    target_include_directories(${name} SYSTEM PUBLIC ${CUDAToolkit_INCLUDE_DIRS})
    target_link_libraries(${name} PUBLIC ${_squall_cudart} pthread dl rt)
  elseif(UNIX)
    target_link_libraries(${name} ${scope} m)
  endif()
endfunction()

function(squall_tune name)
  cmake_parse_arguments(PARSE_ARGV 1 A "" "BUDGET" "OPTIONS")
  _squall_open_lists(OPTIONS)
  if(A_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "squall_tune(${name}): not understood: '${A_UNPARSED_ARGUMENTS}'; there are: "
      "BUDGET OPTIONS")
  endif()
  get_property(left_out GLOBAL PROPERTY _SQUALL_LEFT_OUT_${name})
  if(left_out)
    return()
  endif()
  if(NOT A_BUDGET)
    set(A_BUDGET 60s)
  endif()
  get_target_property(sources ${name} SQUALL_SOURCES)
  get_target_property(fix ${name} SQUALL_FIX)
  get_target_property(targets ${name} SQUALL_TARGETS)
  get_target_property(machine ${name} SQUALL_MACHINE)
  set(words --budget=${A_BUDGET})
  if(machine)
    list(APPEND words --machine=${machine})
  endif()
  set(tuned "-") # one pass without --target
  set(left "")   # targets that this machine does not run
  list(TRANSFORM targets REPLACE "^tasks$" openmp) # whose schedules tasks take
  _squall_split_targets("${targets}" names options)
  list(LENGTH names several)
  if(several GREATER 1)
    set(tuned "")
    foreach(target IN LISTS names)
      _squall_ask_target(${target} runs runs)
      if(runs)
        set(joined ${target} ${options})
        list(JOIN joined "," joined)
        list(APPEND tuned ${joined})
      else()
        list(APPEND left ${target})
      endif()
    endforeach()
  elseif(targets OR NOT machine) # neither: portable C, as `squall compile` takes it
    if(NOT targets)
      set(targets c)
    endif()
    list(JOIN targets "," tuned)
  endif()
  _squall_place("squall_tune(${name}) OPTIONS" "${sources}" "${A_OPTIONS}" "^[^-].*[.]sq$" placed)
  list(APPEND words ${placed}) # may name another target, for another build
  set(commands "")
  foreach(source IN LISTS sources)
    _squall_words_of(${source} "${sources}" "${words}" own)
    _squall_fix_of(${source} "${sources}" "${fix}" fixed)
    foreach(one IN LISTS tuned)
      set(target --target=${one})
      if(one STREQUAL "-")
        set(target "")
      endif()
      list(APPEND commands COMMAND squall::squall tune ${source} ${target} ${own} ${fixed})
    endforeach()
  endforeach()
  set(comment "Tuning ${name}")
  if(left)
    list(JOIN left " and " left)
    string(APPEND comment "; not for ${left}, which this machine does not run")
  endif()
  add_custom_target(${name}.tune ${commands} COMMENT "${comment}" USES_TERMINAL VERBATIM)
endfunction()
