// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

/// A socket that is connected to `path`, or bound to it; -1 and errno.
int bench_socket(const char *path, int type, int is_bound);
