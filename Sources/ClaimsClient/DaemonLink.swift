// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsPlatform

/// A socket that leads to a daemon, and the program that serves it where the daemon is on another host.
struct DaemonLink: ~Copyable {
    let socket: FileDescriptor
    let program: RemoteProgram?

    /// Takes the socket out.
    consuming func keepSocket() -> FileDescriptor { socket }
}
