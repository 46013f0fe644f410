// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "CLinux.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <termios.h>
#include <unistd.h>

// In C, because a signal handler must find all of it without the Swift runtime: no lock, no first use, no allocation.
static struct {
    int input, output;
    const char *leaving;
    size_t leaving_count;
    void (*dying)(void);
    struct termios before;
    volatile sig_atomic_t is_raw;
} terminal;

// All that end a process which does not catch them, but SIGKILL and SIGPIPE, which is ignored.
static const int deadly[] = {
    SIGTERM, SIGINT,  SIGHUP,  SIGQUIT, SIGSEGV,   SIGILL,  SIGTRAP, SIGABRT, SIGBUS, SIGFPE,    SIGSYS,
    SIGUSR1, SIGUSR2, SIGALRM, SIGPROF, SIGVTALRM, SIGXCPU, SIGXFSZ, SIGIO,   SIGPWR, SIGSTKFLT,
};
// A stack that has run over cannot run a handler.
static char handler_stack[1 << 16];

void linux_terminal_leave(void) {
    if (!terminal.is_raw) return;
    enum { STALL_TIMEOUT_MS = 1000 };  // after which the rest of the bytes is dropped
    for (size_t done = 0; done < terminal.leaving_count;) {
        ssize_t count = write(terminal.output, terminal.leaving + done, terminal.leaving_count - done);
        if (count > 0) {
            done += (size_t)count;
        } else if (count < 0 && errno == EAGAIN) {
            struct pollfd entry = {.fd = terminal.output, .events = POLLOUT};
            if (poll(&entry, 1, STALL_TIMEOUT_MS) <= 0) break;
        } else if (count == 0 || errno != EINTR) {
            break;
        }
    }
    tcsetattr(terminal.input, TCSANOW, &terminal.before);
    // Last: a signal that ends the process while a slow terminal takes the bytes gives it back once more, as a whole.
    terminal.is_raw = 0;
}

static void die(int number) {
    linux_terminal_leave();
    if (terminal.dying) terminal.dying();
    struct sigaction usual = {.sa_handler = SIG_DFL};
    sigaction(number, &usual, NULL);
    raise(number);
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, number);
    sigprocmask(SIG_UNBLOCK, &set, NULL);
}

static void catch_deadly(void) {
    stack_t stack = {.ss_sp = handler_stack, .ss_size = sizeof handler_stack};
    sigaltstack(&stack, NULL);
    struct sigaction action = {.sa_handler = die, .sa_flags = SA_ONSTACK};
    // In the background tcsetattr(3) would stop it with SIGTTOU.
    sigfillset(&action.sa_mask);
    for (size_t i = 0; i < sizeof deadly / sizeof *deadly; i++) {
        struct sigaction before;
        // nohup(1) ignores SIGHUP, for one.
        if (sigaction(deadly[i], NULL, &before) == 0 && before.sa_handler == SIG_IGN) continue;
        sigaction(deadly[i], &action, NULL);
    }
}

int linux_terminal_enter(int input, int output, const void *leaving, size_t count, void (*dying)(void)) {
    // The settings of the first time are those that are given back.
    if (!terminal.leaving) {
        if (tcgetattr(input, &terminal.before) < 0) return -1;
        terminal.input = input;
        terminal.output = output;
        terminal.leaving_count = count;
        terminal.dying = dying;
        terminal.leaving = leaving;
        catch_deadly();
    }
    struct termios raw = terminal.before;
    cfmakeraw(&raw);
    raw.c_cc[VMIN] = 1;
    raw.c_cc[VTIME] = 0;
    terminal.is_raw = 1;
    if (tcsetattr(input, TCSANOW, &raw) == 0) return 0;
    terminal.is_raw = 0;
    return -1;
}

void linux_terminal_stop(int whole_group) {
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGTSTP);
    kill(whole_group ? 0 : getpid(), SIGTSTP);
    // It is delivered here, and the call returns when the process goes on.
    sigprocmask(SIG_UNBLOCK, &set, NULL);
    sigprocmask(SIG_BLOCK, &set, NULL);
}
