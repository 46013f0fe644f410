// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsPlatform

/// Has the disk begin with the write-ahead log while it grows, so that the commit at a refresh's end has little to wait
/// for.
struct LogWriting: ~Copyable {
    /// In bytes.
    private static let step = 8 << 20

    private let path: String
    private var file: FileDescriptor?
    private var begun = 0

    init(path: String) { self.path = path }

    /// Tells how long the log is; it may have begun anew.
    mutating func grew(to size: Int) {
        if size < begun { begun = 0 }
        guard size - begun >= Self.step else { return }
        // The log is never another file as long as it is open, and SQLite takes no locks on it.
        if file == nil { file = try? FileDescriptor.open(path, .update) }
        file?.beginWriting(begun..<size)
        begun = size
    }
}
