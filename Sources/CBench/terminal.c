// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pty.h>
#include <sys/ioctl.h>

#include "CBench.h"

int bench_terminal(int rows, int columns, int *terminal) {
    struct winsize size = {.ws_row = (unsigned short)rows, .ws_col = (unsigned short)columns};
    int controller = -1;
    if (openpty(&controller, terminal, NULL, NULL, &size) != 0) return -1;
    if (fcntl(controller, F_SETFD, FD_CLOEXEC) != 0 || fcntl(*terminal, F_SETFD, FD_CLOEXEC) != 0) return -1;
    return controller;
}
