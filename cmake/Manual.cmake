# Pages of the manual and completions for shells, which the built squall prints from its own tables.
# Where a squall for another machine is built and cannot run here, there are none.
file(STRINGS cli/main.c squall_commands REGEX "^    {\"[a-z]+\", ")
list(TRANSFORM squall_commands REPLACE "^    {\"([a-z]+)\".*" "\\1")
if(NOT SQUALL_TUNER)
  list(REMOVE_ITEM squall_commands tune race bench check db learn lsp) # they are no part of it
endif()
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS cli/main.c)

if(CMAKE_CROSSCOMPILING AND NOT CMAKE_CROSSCOMPILING_EMULATOR)
  message(STATUS "the manual and completions are left out: this squall does not run here")
  return()
endif()

set(squall_shown ${CMAKE_BINARY_DIR}/shown)
file(MAKE_DIRECTORY ${squall_shown})
# squall_show(<file> <words...>): what `squall show words...` prints, as a file of the build.
function(squall_show file)
  add_custom_command(OUTPUT ${squall_shown}/${file}
    COMMAND squall show ${ARGN} > ${squall_shown}/${file}
    DEPENDS squall VERBATIM)
  set(squall_shown_files ${squall_shown_files} ${squall_shown}/${file} PARENT_SCOPE)
endfunction()

squall_show(squall.1 manual)
foreach(command IN LISTS squall_commands)
  squall_show(squall-${command}.1 manual ${command})
endforeach()
install(FILES ${squall_shown_files} DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)

squall_show(squall completions --shell=bash)
squall_show(_squall completions --shell=zsh)
squall_show(squall.fish completions --shell=fish)
install(FILES ${squall_shown}/squall
  DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
install(FILES ${squall_shown}/_squall DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
install(FILES ${squall_shown}/squall.fish
  DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
add_custom_target(manual ALL DEPENDS ${squall_shown_files})
