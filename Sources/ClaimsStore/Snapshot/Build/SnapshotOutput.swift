// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsPlatform
import Synchronization

/// The snapshot file while it is written: sections are placed one after another, by any thread.
final class SnapshotOutput: Sendable {
    let descriptor: FileDescriptor
    let path: String
    /// Where the file begins in the mapping: behind those that it shares records with.
    let origin: Int
    private let directory: String
    private let identity: SnapshotIdentity
    private let parts: Mutex<[Section]>
    private let end = Atomic<Int>(SnapshotHeader.size)
    private let isKept = Atomic<Bool>(false)
    private let placed = Mutex<[Section]>([])

    /// Makes the file that `identity` names, and shares the records of `base` where that is of use and can be.
    init(directory: String, identity: SnapshotIdentity, base: Snapshot? = nil) throws(StoreError) {
        self.directory = directory
        self.identity = identity
        path = Paths.join(directory, identity.fileName)
        do { descriptor = try FileDescriptor.open(path, .create(permissions: 0o600)) } catch {
            throw StoreError(error)
        }
        var shared = SharedRecords()
        if let base, let rest = SharedRecords(after: base), Self.link(base, identity, directory) { shared = rest }
        origin = shared.origin
        parts = Mutex(shared.parts)
    }

    deinit {
        guard !isKept.load(ordering: .relaxed) else { return }
        Files.remove(path)
        unlinkParts()
    }

    /// Gives the files of `base` a name of this snapshot too; false where the file system does not do that.
    private static func link(_ base: Snapshot, _ identity: SnapshotIdentity, _ directory: String) -> Bool {
        let paths = base.shared.parts.indices.map { base.partPath($0) } + [base.path]
        for (number, path) in paths.enumerated() {
            do { try Files.link(path, to: Paths.join(directory, identity.partName(number))) } catch {
                for made in 0..<number { Files.remove(Paths.join(directory, identity.partName(made))) }
                return false
            }
        }
        return true
    }

    /// Shares nothing after all: no record is carried.
    func unlinkParts() {
        let count = parts.withLock { parts in
            defer { parts = [] }
            return parts.count
        }
        for number in 0..<count { Files.remove(Paths.join(directory, identity.partName(number))) }
    }

    /// The records of earlier files that are shared, by their places in the mapping.
    var sharedRecords: [Section] { parts.withLock { $0 } }

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

    /// In bytes; what is less is written when the file is synced.
    private static let worthBeginning = 1 << 18

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

    func read(_ count: Int, at offset: Int) throws(StoreError) -> [UInt8] {
        do { return try descriptor.read(count, at: offset) } catch {
            throw StoreError(SystemError("read \(path)", errno: error.errno))
        }
    }

    /// Has the disk begin with a part of the file that will not change any more, so that syncing takes less time; little
    /// is left for then.
    func beginWriting(_ range: Range<Int>) {
        if range.count >= Self.worthBeginning { descriptor.beginWriting(range) }
    }

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
        beginWriting(offset..<offset + bytes.byteCount)
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
