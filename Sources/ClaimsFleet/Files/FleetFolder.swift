// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsModel
import ClaimsPlatform
import Synchronization

/// The folder of this host that a web server serves: `head`, and files that are named by their SHA-256.
///
/// One thread writes files, and one thread at a time writes the head. No file is changed once it is there, and only
/// names of 64 hexadecimal digits are deleted.
final class FleetFolder: Sendable {
    /// The permissions of files: the web server reads them by its group.
    private static let permissions: UInt32 = 0o640
    /// The time for which a file stays that no head names, in milliseconds: another host may still be fetching it.
    static let keptUnnamed: Int64 = 3_600_000
    private static let lockName = ".lock"
    /// The beginning of the name of a file before it has its own.
    private static let draftPrefix = ".draft-"

    let path: String
    /// nil once the folder is closed.
    private let lock: Mutex<FileLock?>
    /// The files that were found without a name in force, by the time when they were first, in milliseconds since 1970.
    private let unnamed = Mutex<[String: Int64]>([:])

    /// Opens the folder, which exists, for this process alone.
    init(_ path: String) throws(FleetError) {
        do throws(SystemError) {
            lock = Mutex(try FileLock(path: Paths.join(path, Self.lockName)))
        } catch { throw FleetError(error.message) }
        self.path = path
        // A process that was killed has left them, with records.
        for name in (try? Directory.list(path)) ?? [] where name.hasPrefix(Self.draftPrefix) {
            Files.remove(self.path(of: name))
        }
    }

    /// Lets the folder be opened again. Nothing is written or deleted after that.
    func close() { lock.withLock { $0 = nil } }

    /// The head that this host has left; nil if there is none, or if it is from another host.
    func head(of leader: FleetDefinition.Leader, in fleet: String) -> FleetHead? {
        guard let file = try? Files.readAll(path(of: FleetHead.fileName), cap: FleetHead.maxSize) else { return nil }
        return try? FleetHead(file, of: leader, in: fleet)
    }

    /// Deletes the head.
    func removeHead() { Files.remove(path(of: FleetHead.fileName)) }

    private func path(of name: String) -> String { Paths.join(path, name) }

    /// Writes a file that the web server may read from the moment when it exists. The umask of a service would hide
    /// files.
    private func replace(_ target: String, _ bytes: [UInt8], modified: Int64? = nil) throws(SystemError) {
        let draft = path(of: Self.draftPrefix + Paths.name(target))
        try Files.writeAtomically(draft, bytes, permissions: Self.permissions)
        try Files.setPermissions(draft, Self.permissions)
        if let modified { try Files.setModified(draft, modified) }
        try Files.rename(draft, to: target)
        try Directory.sync(path)
    }

    /// Compresses bytes, and writes them under their SHA-256. An existing file is kept.
    func write(_ content: [UInt8]) throws(FleetError) -> FileReference {
        let bytes = try Zstandard.compress(content)
        let name = SHA256.hexadecimal(of: bytes.rawSpan)
        let reference = FileReference(sha256: name, size: bytes.count, bytes: content.count)
        let target = path(of: name)
        do throws(SystemError) {
            if Files.size(target) != bytes.count {
                try replace(target, bytes)
            }
        } catch { throw FleetError(error.message) }
        return reference
    }

    /// The content of a file that this host has published; nil if it is not there as it was.
    func content(of file: FileReference, maxSize: Int) -> [UInt8]? {
        guard let bytes = try? Files.readAll(path(of: file.sha256), cap: file.size),
            SHA256.hexadecimal(of: bytes.rawSpan) == file.sha256
        else { return nil }
        return try? Zstandard.decompress(bytes, maxSize: maxSize)
    }

    /// Whether a file exists.
    func has(_ file: FileReference) -> Bool { Files.size(path(of: file.sha256)) == file.size }

    /// Replaces the head. All files that the new one names must exist.
    func write(head: [UInt8]) throws(FleetError) {
        let target = path(of: FleetHead.fileName)
        let before = Files.modified(target)
        // A web server's ETag is made of this time in seconds and the size.
        let next = before.map { max(SystemClock.wall, ($0 / 1000 + 1) * 1000) }
        do throws(SystemError) { try replace(target, head, modified: next) } catch { throw FleetError(error.message) }
    }

    /// Deletes the files that no head has named for long enough.
    ///
    /// - Parameters:
    ///   - now: milliseconds since 1970.
    ///   - isUrgent: whether they are deleted whatever their age, because they may have erased records.
    func sweep(keeping named: Set<String>, now: Int64, isUrgent: Bool = false) {
        let names = ((try? Directory.list(path)) ?? []).filter { FileReference.isName($0) && !named.contains($0) }
        let ended = unnamed.withLock { unnamed in
            unnamed = Dictionary(uniqueKeysWithValues: names.map { ($0, min(unnamed[$0] ?? now, now)) })
            return names.filter { isUrgent || now - (unnamed[$0] ?? now) >= Self.keptUnnamed }
        }
        for name in ended { Files.remove(path(of: name)) }
    }
}
