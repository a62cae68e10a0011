// SPDX-License-Identifier: Apache-2.0

#ifndef LAUNCH_ARGUMENTS_H
#define LAUNCH_ARGUMENTS_H

#include <stdbool.h>

// The arguments that the process was started with, the program's name first: 0 and NULL on a platform whose loader doesn't pass them on.
int servertrust_launch_argument_count(void);
const char *_Nullable servertrust_launch_argument(int index);

// Whether threads of this process can be found in /proc, or needn't be: see CLaunchArguments.c. False is for a process that would end with a
// trap as soon as it has used its threads for a while.
bool servertrust_can_use_threads(void);

#endif
