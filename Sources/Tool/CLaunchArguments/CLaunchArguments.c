// SPDX-License-Identifier: Apache-2.0

#include "CLaunchArguments.h"

// Defines __GLIBC__, where that is the library, and no more.
#if __has_include(<features.h>)
#include <features.h>
#endif

static int count;
static char **arguments;

// The loaders of glibc and of Apple's platforms call constructors with the arguments of main. Musl's doesn't.
#if defined(__GLIBC__) || defined(__APPLE__)
__attribute__((constructor)) static void keep(int argc, char **argv) {
    if (argc > 0 && argv) {
        count = argc;
        arguments = argv;
    }
}
#endif

int servertrust_launch_argument_count(void) { return count; }

const char *servertrust_launch_argument(int index) {
    return index >= 0 && index < count ? arguments[index] : 0;
}
