# cmake -DINPUT=devices.json -DOUTPUT=file.c -P EmbedDevices.cmake
# Writes the table of devices, sq_devices of tuner/device/device_file.h, a row each: an object's members are
# those of sq_device (ir/machine/device.h) by their names.
file(READ ${INPUT} text)
string(JSON count LENGTH "${text}")
math(EXPR last "${count} - 1")
foreach(i RANGE ${last})
  set(row "")
  string(JSON members LENGTH "${text}" ${i})
  math(EXPR last_member "${members} - 1")
  foreach(m RANGE ${last_member})
    string(JSON member MEMBER "${text}" ${i} ${m})
    string(JSON type TYPE "${text}" ${i} ${member})
    string(JSON value GET "${text}" ${i} ${member})
    if(type STREQUAL "STRING")
      set(value "\"${value}\"")
    endif()
    string(APPEND row ".${member} = ${value}, ")
  endforeach()
  string(APPEND rows "    {${row}},\n")
endforeach()
get_filename_component(name ${INPUT} NAME)
file(WRITE ${OUTPUT} "/* ${name}, as rows. */
#include \"tuner/device/device_file.h\"
const sq_device sq_devices[] = {
${rows}    {0},
};
")
