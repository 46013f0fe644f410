// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#define SD_JOURNAL_SUPPRESS_LOCATION
#include "CSystemd.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <systemd/sd-daemon.h>
#include <systemd/sd-id128.h>
#include <systemd/sd-journal.h>

int systemd_notify(const char *state) { return sd_notify(0, state); }

int systemd_notify_with_fds(const char *state, const int *fds, unsigned count) {
    return sd_pid_notify_with_fds(0, 0, state, fds, count);
}

int systemd_listen_fds(char ***names) {
    *names = NULL;
    return sd_listen_fds_with_names(0, names);
}

int systemd_listen_start(void) { return SD_LISTEN_FDS_START; }

int systemd_is_listener(int fd, const char *path) { return sd_is_socket_unix(fd, SOCK_STREAM, 1, path, 0) > 0; }

int systemd_watchdog_enabled(uint64_t *usec) { return sd_watchdog_enabled(0, usec); }

/// The most fields of one entry; what is beyond is left out.
enum { FIELDS_MAX = 64 };

int systemd_journal_send(const void *const *fields, const size_t *lengths, int count) {
    struct iovec parts[FIELDS_MAX];
    if (count > FIELDS_MAX) count = FIELDS_MAX;
    for (int i = 0; i < count; i++) parts[i] = (struct iovec){.iov_base = (void *)fields[i], .iov_len = lengths[i]};
    return sd_journal_sendv(parts, count);
}

int systemd_machine_id(const uint8_t *application, uint8_t *machine) {
    sd_id128_t name, id;
    memcpy(name.bytes, application, sizeof name.bytes);
    int result = sd_id128_get_machine_app_specific(name, &id);
    if (result < 0) return result;
    memcpy(machine, id.bytes, sizeof id.bytes);
    return 0;
}

int systemd_booted(void) { return sd_booted() > 0; }
