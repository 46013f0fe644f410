// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The machine's disks.
enum Disk {
    /// Waits until all written data is on the disk (sync(2)), so that one server's writes do not slow the next one.
    static func settle() { sync() }
}
