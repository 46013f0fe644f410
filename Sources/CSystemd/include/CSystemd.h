// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0
//
// The part of libsystemd that is used, without its variadic calls and macros.
#pragma once
#include <stddef.h>
#include <stdint.h>

/// sd_notify(3); more than 0 where a service manager was told, 0 where there is none, or a negative error number.
int systemd_notify(const char *_Nonnull state);
/// The same with file descriptors, which the manager keeps copies of.
int systemd_notify_with_fds(const char *_Nonnull state, const int *_Nonnull fds, unsigned count);
/// sd_listen_fds_with_names(3): how many descriptors were handed over, from `systemd_listen_start` on.
/// `names` is an array of as many strings and nil, to be freed with all of them, or nil.
int systemd_listen_fds(char *_Nullable *_Nullable *_Nonnull names);
int systemd_listen_start(void);
/// Whether the descriptor is a stream Unix socket that listens, bound to `path` where one is given.
int systemd_is_listener(int fd, const char *_Nullable path);
/// sd_watchdog_enabled(3): more than 0 where the manager wants a sign of life every `usec`.
int systemd_watchdog_enabled(uint64_t *_Nonnull usec);
/// sd_journal_sendv(3) of `NAME=value` fields.
int systemd_journal_send(const void *_Nonnull const *_Nonnull fields, const size_t *_Nonnull lengths, int count);
/// sd_id128_get_machine_app_specific(3): 16 bytes of this machine, for this application only.
int systemd_machine_id(const uint8_t *_Nonnull application, uint8_t *_Nonnull machine);
/// sd_booted(3)
int systemd_booted(void);
