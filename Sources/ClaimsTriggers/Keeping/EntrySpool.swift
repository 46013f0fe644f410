// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsPlatform

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
