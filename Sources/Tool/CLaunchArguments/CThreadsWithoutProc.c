// SPDX-License-Identifier: Apache-2.0

#include "CLaunchArguments.h"

// On Linux libdispatch reads /proc/THREAD/stat of its worker threads once in a while, to start more of them when all are blocked. It traps where
// that file can't be opened: /proc isn't mounted, or is that of another namespace. So threads are not registered for it there, and
// no more of them are started than there are processors, as on platforms where libdispatch doesn't look for blocked ones.
//
// Scripts/build-release links libdispatch into the program with --wrap for both functions (see the end of Package.swift). Elsewhere they are
// not called, and what they stand for is NULL.
#if defined(__linux__)

// Macros alone: the headers of functions define types that Scripts/check-layers takes for this target's.
#include <sys/syscall.h>

long syscall(long number, ...);
int access(const char *path, int mode);

void __real__dispatch_workq_worker_register(void *queue) __attribute__((weak));
void __real__dispatch_workq_worker_unregister(void *queue) __attribute__((weak));
void __wrap__dispatch_workq_worker_register(void *queue);
void __wrap__dispatch_workq_worker_unregister(void *queue);

static _Thread_local bool is_registered;

static bool is_in_proc(void) {
    char path[40] = "/proc/";
    char digits[20];
    int length = 0, end = 6;
    for (long number = syscall(SYS_gettid); number > 0; number /= 10) digits[length++] = (char)('0' + number % 10);
    while (length > 0) path[end++] = digits[--length];
    for (const char *name = "/stat"; *name; name++) path[end++] = *name;
    path[end] = 0;
    return access(path, 4 /* R_OK */) == 0;
}

void __wrap__dispatch_workq_worker_register(void *queue) {
    is_registered = __real__dispatch_workq_worker_register && is_in_proc();
    if (is_registered) __real__dispatch_workq_worker_register(queue);
}

void __wrap__dispatch_workq_worker_unregister(void *queue) {
    if (is_registered && __real__dispatch_workq_worker_unregister) __real__dispatch_workq_worker_unregister(queue);
    is_registered = false;
}

bool servertrust_can_use_threads(void) { return __real__dispatch_workq_worker_register || is_in_proc(); }

#else

bool servertrust_can_use_threads(void) { return true; }

#endif
