/* Versions: the one place they are written. CMakeLists.txt reads that of the tool from here.
 * docs/VERSIONS.md says what changes which, and tests/docs/test_versions.sh keeps others the same. */
#ifndef SQ_SUPPORT_VERSION_H
#define SQ_SUPPORT_VERSION_H

#define SQ_VERSION "0.1.0"

#define SQ_LANGUAGE_MAJOR 1 /* what descriptions may hold */
#define SQ_LANGUAGE_MINOR 0
#define SQ_SCHED_MAJOR 1 /* schedules, and the files that hold them */
#define SQ_SCHED_MINOR 0
#define SQ_ABI_MAJOR 1 /* what emitted headers declare, as their users call it */
#define SQ_ABI_MINOR 0

#endif
