// SPDX-License-Identifier: Apache-2.0
// Starts test processes faster than a new program: a server that has loaded the program, but has no threads yet, forks for each run.
//
// With MUTATION_SERVER in the environment, the program never reaches its main function. It reads a line for each run from standard
// input, and writes a line for each run to standard output:
//
//     NUMBER TAB SECONDS TAB REACHED TAB UNTIL TAB CONFIGURATION     runs the tests that the configuration selects, with a mutant
//     STATUS TAB SECONDS TAB TEXT                                    the result
//
// The run ends early after the test UNTIL, which is - in most runs.
//
// A test may start the program again, as exit tests do. With MUTATION_ACTIVE in the environment, the new process has the mutant of the
// run. With MUTATION_SEEN, which is the path of the shared memory, it notes what it reaches.
//
// STATUS is passed, noticed, crashed, hung or empty (no test ran). TEXT is the first failed test, or the signal, or with REACHED = 1 for
// each test: its name, the seconds since the test before, and the numbers of the mutants that it reached, with tabs between them.
#define _GNU_SOURCE
#include "MutationSwitch.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

int mutation_active = 0;
unsigned char *mutation_seen = NULL;

enum { maximum = 1 << 17, text_size = 4096, log_size = 1 << 25 };

/// What a test process tells the server.
static struct shared {
    int tests;
    char text[text_size];
    unsigned char seen[maximum];
    // The last part, because a run doesn't clear it. The size that the tests use, and what each test reached.
    size_t used;
    char log[log_size];
} *shared;
static int shared_file = -1;
static double noted;
static const char *last = "";

/// Defined in MutationServer, in Swift.
void mutation_run(const char *configuration);

void mutation_noticed(const char *test) {
    strncpy(shared->text, test, text_size - 1);
    _exit(1);
}

void mutation_ended(bool passed, int tests) {
    shared->tests = tests;
    _exit(passed ? 0 : 1);
}

bool mutation_contains(const void *bytes, size_t count, const void *part, size_t size) {
    return memmem(bytes, count, part, size) != NULL;
}

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

void mutation_test_ended(const char *test) {
    if (strcmp(test, last) == 0) mutation_ended(true, 1);
    if (!mutation_seen) return;
    double time = now();
    if (shared->used + strlen(test) + 8 * (size_t)maximum > log_size) _exit(70);
    char *end = shared->log + shared->used;
    end += sprintf(end, "%s%s\t%.3f\t", shared->used ? "\t" : "", test, time - noted);
    for (int index = 0; index < maximum; index++)
        if (shared->seen[index]) end += sprintf(end, "%d ", index);
    memset(shared->seen, 0, maximum);
    shared->used = (size_t)(end - shared->log);
    noted = time;
}

static void map(void) {
    shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED, shared_file, 0);
    if (shared == MAP_FAILED) _exit(71);
}

/// Continues the run in a process that a test has started.
static void join(const char *number) {
    mutation_active = atoi(number);
    const char *path = getenv("MUTATION_SEEN");
    if (!path) return;
    shared_file = open(path, O_RDWR);
    map();
    mutation_seen = shared->seen;
}

static void run(int number, bool reaches, double seconds, const char *configuration) {
    char text[64];
    mutation_active = number;
    snprintf(text, sizeof text, "%d", number);
    setenv("MUTATION_ACTIVE", text, 1);
    if (reaches) {
        mutation_seen = shared->seen;
        snprintf(text, sizeof text, "/proc/%d/fd/%d", (int)getppid(), shared_file);
        setenv("MUTATION_SEEN", text, 1);
    }
    noted = now();
    setpgid(0, 0);
    // Without a server, nothing would end a mutant that hangs.
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    // A mutant may allocate without end.
    struct rlimit memory = {6ul << 30, 6ul << 30};
    setrlimit(RLIMIT_AS, &memory);
    struct rlimit none = {0, 0};
    setrlimit(RLIMIT_CORE, &none);
    struct rlimit processor = {(rlim_t)seconds + 30, (rlim_t)seconds + 30};
    setrlimit(RLIMIT_CPU, &processor);
    int null = open("/dev/null", O_RDWR);
    dup2(null, 0);
    if (!getenv("MUTATION_OUTPUT")) { dup2(null, 1); dup2(null, 2); } else dup2(2, 1);
    // A crash must not print a backtrace, which takes seconds.
    signal(SIGILL, SIG_DFL), signal(SIGTRAP, SIG_DFL), signal(SIGSEGV, SIG_DFL), signal(SIGABRT, SIG_DFL), signal(SIGBUS, SIG_DFL);
    sigset_t all;
    sigemptyset(&all);
    sigprocmask(SIG_SETMASK, &all, NULL);
    mutation_run(configuration);
    _exit(1);
}

__attribute__((constructor)) static void serve(void) {
    const char *number = getenv("MUTATION_ACTIVE");
    if (number) return join(number);
    if (!getenv("MUTATION_SERVER")) return;
    unsetenv("MUTATION_SERVER");
    shared_file = memfd_create("mutation", MFD_CLOEXEC);
    if (shared_file < 0 || ftruncate(shared_file, sizeof *shared) != 0) _exit(71);
    map();
    sigset_t children;
    sigemptyset(&children);
    sigaddset(&children, SIGCHLD);
    sigprocmask(SIG_BLOCK, &children, NULL);
    char *line = NULL;
    size_t capacity = 0;
    while (getline(&line, &capacity, stdin) > 0) {
        int number = 0, reaches = 0, offset = 0;
        double limit = 0;
        if (sscanf(line, "%d\t%lf\t%d\t%n", &number, &limit, &reaches, &offset) != 3) _exit(64);
        char *configuration = strchr(line + offset, '\t');
        if (!configuration) _exit(64);
        *configuration++ = 0;
        last = line + offset;
        memset(shared, 0, offsetof(struct shared, log));
        double begun = now();
        pid_t child = fork();
        // Otherwise, the loop below would wait for any child, and then kill process 1.
        if (child < 0) _exit(71);
        if (child == 0) run(number, reaches, limit, configuration);
        int status = 0;
        bool hung = false;
        while (waitpid(child, &status, WNOHANG) != child) {
            double left = begun + limit - now();
            if (left <= 0 && !hung) {
                hung = true;
                kill(-child, SIGKILL), kill(child, SIGKILL);
            }
            struct timespec wait = {hung ? 1 : (time_t)left, hung ? 0 : (long)((left - (double)(time_t)left) * 1e9)};
            sigtimedwait(&children, NULL, &wait);
        }
        // Programs that the tests have started.
        kill(-child, SIGKILL);
        const char *result = hung ? "hung"
            : WIFSIGNALED(status) ? (WTERMSIG(status) == SIGXCPU ? "hung" : "crashed")
            : WEXITSTATUS(status) != 0 ? "noticed"
            : shared->tests == 0 ? "empty" : "passed";
        printf("%s\t%.3f\t", result, now() - begun);
        if (reaches) {
            fwrite(shared->log, 1, shared->used, stdout);
        } else if (WIFSIGNALED(status)) {
            printf("signal %d", WTERMSIG(status));
        } else {
            for (char *byte = shared->text; *byte; byte++) putchar(*byte == '\n' || *byte == '\t' ? ' ' : *byte);
        }
        putchar('\n');
        fflush(stdout);
    }
    _exit(0);
}
