// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// The way in which people are told how far something is.
enum ProgressStyle: Sendable {
    /// Nothing is shown, as nobody would read it.
    case none
    /// One line, which is written over again.
    case movingLine
    /// A line from time to time: where the cursor cannot be moved, or somebody listens.
    case lines
}
