// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// A file that a form has sent to the daemon.
struct SentFile: Hashable, Sendable {
    /// The number of an upload in this run.
    struct Number: Hashable, Sendable {
        let value: Int
    }

    /// The upload's name, which submit attaches.
    let upload: String
    let name: String
    let type: String
    let size: Int64
}
