# Run by cpack between installing and packing: what Debian's policy wants of a package beside the files that
# every installation has.
if(NOT CPACK_GENERATOR STREQUAL "DEB")
  return()
endif()
find_program(gzip gzip REQUIRED)
set(share ${CPACK_TEMPORARY_DIRECTORY}${CPACK_PACKAGING_INSTALL_PREFIX}/share)
set(doc ${share}/doc/${CPACK_PACKAGE_NAME})
file(MAKE_DIRECTORY ${doc})
configure_file(${CPACK_SQUALL_DEB}/copyright ${doc}/copyright COPYONLY)
configure_file(${CPACK_SQUALL_DEB}/changelog ${doc}/changelog.Debian COPYONLY)
file(GLOB licence ${share}/doc/*/LICENSE) # its text is in the copyright file
if(licence)
  file(REMOVE ${licence})
endif()
file(GLOB pages ${share}/man/man1/*.1)
execute_process(COMMAND ${gzip} -9nf ${pages} ${doc}/changelog.Debian COMMAND_ERROR_IS_FATAL ANY)
file(CHMOD_RECURSE ${share}/man ${doc} FILE_PERMISSIONS OWNER_READ OWNER_WRITE GROUP_READ WORLD_READ
  DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
