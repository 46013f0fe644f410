// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsModel
import ClaimsPlatform
import Synchronization

/// The snapshot file while it is written. Any thread may reserve room in it and write there.
///
/// The file is removed when this object is released, unless `keep` has been called.
final class SnapshotOutput: Sendable {
    let descriptor: FileDescriptor
    let path: String
    /// The offset of the file in the mapping of the snapshot, in bytes. It comes after the files with which the
    /// snapshot shares records.
    let origin: Int
    /// The medium of the file, and of the temporary files of the build.
    let medium: BuildMedium
    private let directory: String
    private let identity: SnapshotIdentity
    private let parts: Mutex<[Section]>
    private let end = Atomic<Int>(SnapshotHeader.size)
    private let isKept = Atomic<Bool>(false)
    private let written = Mutex<[Section]>([])
    /// The number of bytes that are written before they are synced; nil: all are synced at the end.
    private let syncBytes: Int?
    /// The number of bytes that were written since the file was synced.
    private let unsynced = Atomic<Int>(0)

    /// Creates the file that `identity` names, empty, with mode 0600.
    ///
    /// - Parameter earlier: the files whose records the new one shares. Where the file system cannot link them, nothing
    ///   is shared.
    /// - Throws: the error of creating the file; nothing is left behind.
    init(
        directory: String, identity: SnapshotIdentity, sharing earlier: SharedFiles? = nil, syncBytes: Int? = nil
    ) throws(StoreError) {
        self.syncBytes = syncBytes
        medium = .folder(directory)
        self.directory = directory
        self.identity = identity
        path = Paths.join(directory, identity.fileName)
        do { descriptor = try FileDescriptor.open(path, .create(permissions: 0o600)) } catch {
            throw StoreError(error)
        }
        var shared = SharedRecords()
        if let earlier, Self.link(earlier.paths, identity, directory) { shared = earlier.records }
        origin = shared.origin
        parts = Mutex(shared.parts)
    }

    /// Makes a file in memory, empty and without a name.
    init(inMemory identity: SnapshotIdentity) throws(StoreError) {
        medium = .memory
        syncBytes = nil
        directory = ""
        self.identity = identity
        path = identity.fileName
        descriptor = try medium.makeFile()
        origin = 0
        parts = Mutex([])
    }

    deinit {
        guard !medium.isMemory, !isKept.load(ordering: .relaxed) else { return }
        Files.remove(path)
        unlinkParts()
    }

    /// Gives the files at `paths` a name of this snapshot too; false if the file system does not support that.
    private static func link(_ paths: [String], _ identity: SnapshotIdentity, _ directory: String) -> Bool {
        for (number, path) in paths.enumerated() {
            do { try Files.link(path, to: Paths.join(directory, identity.partName(number))) } catch {
                for made in 0..<number { Files.remove(Paths.join(directory, identity.partName(made))) }
                return false
            }
        }
        return true
    }

    /// Removes the links to shared files, since no record is carried after all.
    func unlinkParts() {
        let count = parts.withLock { parts in
            defer { parts = [] }
            return parts.count
        }
        for number in 0..<count { Files.remove(Paths.join(directory, identity.partName(number))) }
    }

    /// The records of earlier files that are shared, with their offsets in the mapping.
    var sharedRecords: [Section] { parts.withLock { $0 } }

    /// Keeps the file when this object is released.
    func keep() { isKept.store(true, ordering: .relaxed) }

    /// Maps the file as far as it has been written.
    func map() throws(StoreError) -> MappedFile {
        do { return try MappedFile(descriptor, name: path) } catch { throw StoreError(error) }
    }

    /// Returns when the file and its name are on disk (fsync of the file and of its folder); at once for one in memory.
    func sync() throws(StoreError) {
        if medium.isMemory { return }
        do {
            try descriptor.sync()
            try Directory.sync(Paths.parent(path))
        } catch {
            throw StoreError(SystemError("sync \(path)", errno: error.errno))
        }
    }

    /// The least number of bytes for which the kernel is asked to begin with the disk; less is written when the file is
    /// synced.
    private static let minWriteBack = 1 << 18

    /// Sections begin at multiples of this many bytes.
    static let alignment = 64

    /// Reserves `size` bytes, and returns their offset in the file. Safe from any thread.
    func reserve(_ size: Int) -> Int {
        let room = (size + Self.alignment - 1) / Self.alignment * Self.alignment
        return end.wrappingAdd(room, ordering: .relaxed).oldValue
    }

    /// The offset of the next reserved bytes; in the end the file's size in bytes.
    var size: Int { end.load(ordering: .relaxed) }

    func write(_ bytes: RawSpan, at offset: Int) throws(StoreError) {
        do {
            guard let syncBytes else { return try descriptor.write(bytes, at: offset) }
            // A section may be much larger than what is synced at once.
            var written = 0
            while written < bytes.byteCount {
                let count = min(syncBytes, bytes.byteCount - written)
                try descriptor.write(bytes.part(written, count), at: offset + written)
                written += count
                guard unsynced.wrappingAdd(count, ordering: .relaxed).newValue >= syncBytes else { continue }
                unsynced.store(0, ordering: .relaxed)
                try descriptor.sync()
            }
        } catch {
            throw StoreError(SystemError("write \(path)", errno: error.errno))
        }
    }

    func read(_ count: Int, at offset: Int) throws(StoreError) -> [UInt8] {
        do { return try descriptor.read(count, at: offset) } catch {
            throw StoreError(SystemError("read \(path)", errno: error.errno))
        }
    }

    /// Asks the kernel to begin writing a range to the disk, so that syncing takes less time. The range must not be
    /// written to again.
    func beginWriting(_ range: Range<Int>) {
        if range.count >= Self.minWriteBack, !medium.isMemory { descriptor.beginWriting(range) }
    }

    /// Enters a section in the section table.
    func add(_ section: Section) {
        written.withLock { $0.append(section) }
    }

    /// The sections that have been finished, by their offsets.
    var sections: [Section] {
        written.withLock { $0.sorted { $0.offset < $1.offset } }
    }

    /// Writes a section that is in memory as a whole, and adds it to the section table.
    ///
    /// - Parameter width: the width of its integers in bytes; 0 if it is not a table.
    func write<Element: BitwiseCopyable>(
        _ kind: SectionKind, id: Int = 0, width: Int = 0, _ elements: Span<Element>
    ) throws(StoreError) {
        try write(kind, id: id, width: width, bytes: unsafe elements.bytes)
    }

    func write(_ kind: SectionKind, id: Int = 0, width: Int = 0, bytes: RawSpan) throws(StoreError) {
        let offset = reserve(bytes.byteCount)
        try write(bytes, at: offset)
        beginWriting(offset..<offset + bytes.byteCount)
        add(
            Section(
                kind, id: id, width: width, offset: offset, size: bytes.byteCount, checksum: Checksum.of(bytes)))
    }
}

/// The files of an earlier snapshot whose records a new snapshot shares.
struct SharedFiles {
    let records: SharedRecords
    /// The paths of the files, in the order of `records.parts`.
    let paths: [String]
}

/// The medium of a snapshot and of the temporary files of its build.
enum BuildMedium: Sendable {
    /// A folder, which the snapshot's file has a name in and is synced with.
    case folder(String)
    /// The memory of this process, for a few records that are on disk elsewhere. Nothing is synced, and no thread helps:
    /// both take longer than building so little.
    case memory

    var isMemory: Bool { if case .memory = self { true } else { false } }

    /// Makes an unnamed file, which vanishes with its last descriptor and mapping.
    func makeFile() throws(StoreError) -> FileDescriptor {
        do throws(SystemError) {
            switch self {
            case .folder(let path): return try FileDescriptor.temporary(in: path)
            case .memory: return try FileDescriptor.memory(name: "claimsd-overlay")
            }
        } catch {
            throw StoreError(error)
        }
    }
}
