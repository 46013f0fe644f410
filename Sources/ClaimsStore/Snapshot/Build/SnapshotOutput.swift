// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsPlatform
import Synchronization

/// The snapshot file while it is written: sections are placed one after another, by any thread.
final class SnapshotOutput: Sendable {
    let descriptor: FileDescriptor
    let path: String
    private let end = Atomic<Int>(SnapshotHeader.size)
    private let isKept = Atomic<Bool>(false)
    private let placed = Mutex<[Section]>([])

    init(path: String) throws(StoreError) {
        self.path = path
        do { descriptor = try FileDescriptor.open(path, .create(permissions: 0o600)) } catch {
            throw StoreError(error)
        }
    }

    deinit {
        if !isKept.load(ordering: .relaxed) { Files.remove(path) }
    }

    /// Without this the file is removed when it is let go.
    func keep() { isKept.store(true, ordering: .relaxed) }

    /// What has been written so far.
    func map() throws(StoreError) -> MappedFile {
        do { return try MappedFile(descriptor, name: path) } catch { throw StoreError(error) }
    }

    /// Returns when the file and its name are on disk.
    func sync() throws(StoreError) {
        do {
            try descriptor.sync()
            try Directory.sync(Paths.parent(path))
        } catch {
            throw StoreError(SystemError("sync \(path)", errno: error.errno))
        }
    }

    /// Sections begin at multiples of this many bytes.
    static let alignment = 64

    /// The place of the next `size` bytes.
    func reserve(_ size: Int) -> Int {
        let room = (size + Self.alignment - 1) / Self.alignment * Self.alignment
        return end.wrappingAdd(room, ordering: .relaxed).oldValue
    }

    var size: Int { end.load(ordering: .relaxed) }

    func write(_ bytes: RawSpan, at offset: Int) throws(StoreError) {
        do { try descriptor.write(bytes, at: offset) } catch {
            throw StoreError(SystemError("write \(path)", errno: error.errno))
        }
    }

    /// Has the disk begin with a part of the file that will not change any more.
    func beginWriting(_ range: Range<Int>) { descriptor.beginWriting(range) }

    func add(_ section: Section) {
        placed.withLock { $0.append(section) }
    }

    /// In the order of their places.
    var sections: [Section] {
        placed.withLock { $0.sorted { $0.offset < $1.offset } }
    }

    /// Writes a section that is in memory.
    func write<Element: BitwiseCopyable>(
        _ kind: SectionKind, owner: Int = 0, width: Int = 0, _ elements: Span<Element>
    ) throws(StoreError) {
        try write(kind, owner: owner, width: width, bytes: unsafe elements.bytes)
    }

    func write(_ kind: SectionKind, owner: Int = 0, width: Int = 0, bytes: RawSpan) throws(StoreError) {
        let offset = reserve(bytes.byteCount)
        try write(bytes, at: offset)
        add(
            Section(
                kind, owner: owner, width: width, offset: offset, size: bytes.byteCount, checksum: Checksum.of(bytes)))
    }

    /// Writes a table with the narrowest width that `bound` fits in.
    func writeTable(
        _ kind: SectionKind, owner: Int = 0, count: Int, bound: Int, _ value: (Int) -> Int
    ) throws(StoreError) {
        let width = Table.width(for: bound)
        var section = SectionWriter(kind, owner: owner, width: width, size: count * width, to: self)
        for index in 0..<count { try section.append(value(index), width: width) }
        try section.finish()
    }
}
