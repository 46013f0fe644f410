// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsPlatform

/// A file that is written piece by piece under another name, and takes its own name only once it is whole and synced.
///
/// A file that never gets that far is removed.
struct ReplacementFile: ~Copyable {
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

    /// Gives the file its name, replaces the earlier file, and returns once both are on the disk.
    mutating func finish() throws(SystemError) {
        try flush()
        try file.sync()
        try Files.rename(temporary, to: path)
        isDone = true
        try Directory.sync(Paths.parent(path))
    }
}

/// The texts of a cut's entries, in a file without a name, which vanishes with this value.
final class EntrySpool {
    private let file: FileDescriptor
    private var size = 0
    /// The bytes that are not written yet.
    private var buffer: [UInt8] = []

    private static let bufferSize = 64 << 10

    /// - Parameter folder: any folder on the file system that is to hold the texts.
    init(in folder: String) throws(SystemError) { file = try FileDescriptor.temporary(in: folder) }

    /// Keeps a text, and returns its place.
    func append(_ text: [UInt8]) throws(SystemError) -> TriggerCut.Kept {
        let kept = TriggerCut.Kept(offset: size + buffer.count, length: text.count)
        buffer += text
        if buffer.count >= Self.bufferSize { try flush() }
        return kept
    }

    private func flush() throws(SystemError) {
        let bytes = buffer
        try file.write(bytes.rawSpan, at: size)
        size += buffer.count
        buffer.removeAll(keepingCapacity: true)
    }

    /// The text at a place.
    func text(_ kept: TriggerCut.Kept) throws(SystemError) -> [UInt8] {
        if kept.offset + kept.length > size { try flush() }
        return try file.read(kept.length, at: kept.offset)
    }

    /// Drops all texts.
    func removeAll() throws(SystemError) {
        buffer.removeAll(keepingCapacity: true)
        size = 0
        try file.truncate(to: 0)
    }
}
