// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The machine's disks.
enum Disk {
    /// Waits until all that has been written is on the disk, so that nobody is kept waiting by what others have left
    /// for later.
    static func settle() { sync() }
}
