// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsPlatform

/// A file that is written piece by piece under another name, and takes its own name only once it is whole and synced.
///
/// A file that never gets that far is removed.
struct NewFile: ~Copyable {
    private let path: String
    private let temporary: String
    private let file: FileDescriptor
    private var buffer: [UInt8] = []
    /// The number of bytes so far.
    private(set) var count = 0
    private var isDone = false

    private static let bufferSize = 64 << 10

    /// Begins the file, which only its owner can read. A leftover of its temporary name is removed.
    init(_ path: String) throws(SystemError) {
        self.path = path
        temporary = path + ".new"
        Files.remove(temporary)
        file = try FileDescriptor.open(temporary, .create(permissions: 0o600))
    }

    deinit {
        if !isDone { Files.remove(temporary) }
    }

    mutating func write(_ bytes: [UInt8]) throws(SystemError) {
        buffer += bytes
        count += bytes.count
        if buffer.count >= Self.bufferSize { try flush() }
    }

    private mutating func flush() throws(SystemError) {
        try file.write(buffer)
        buffer.removeAll(keepingCapacity: true)
    }

    /// Gives the file its name, in the place of one that has it, and returns once both are on the disk.
    mutating func finish() throws(SystemError) {
        try flush()
        try file.sync()
        try Files.rename(temporary, to: path)
        isDone = true
        try Directory.sync(Paths.parent(path))
    }
}
