/* Version: the one place it is written. CMakeLists.txt reads it from here. */
#ifndef SQ_SUPPORT_VERSION_H
#define SQ_SUPPORT_VERSION_H

#define SQ_VERSION "0.1.0"

#endif
