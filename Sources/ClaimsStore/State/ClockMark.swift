// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
public import ClaimsModel
import ClaimsPlatform
import ClaimsSnapshot
import Synchronization

/// A copy of state.db that was restored: the file was behind the published clock.
public struct StateRestoration: Sendable, Equatable {
    /// The clock of the file as it was found. The file has begun another epoch since.
    public let found: Revision
    /// The last clock that is known to have been published.
    public let published: Revision
}

/// The last published clock, in a small file of the cache folder, by which a state.db that was restored from a copy is
/// recognised.
///
/// The file is written after each commit that moves the clock, and never synced: it is to outlive the process, not a
/// power cut. After a power cut it may be older than state.db, or gone, and in neither case state.db looks like a copy.
/// Beside the clock it has a random number, which each process draws with its first such commit. state.db has that
/// number as well, and the one that was in the file before.
struct ClockMark: ~Copyable {
    /// The contents of the file.
    struct Contents: Equatable {
        var revision: Revision
        var random: UInt64
    }

    static let fileName = "clock"
    private static let size = 40
    private static let magic: UInt64 = 0x314B_4C43_444D_4C43
    private static let randomKey = "mark"
    private static let earlierKey = "mark_before"

    private let path: String
    /// The number of the last attempt that left this host; 0: there was none.
    private let attempt: Int64
    private var file: FileDescriptor?
    /// The content of the file when it was opened; nil if it was invalid.
    private let found: Contents?
    /// The number of this process; nil before the first commit that moves the clock.
    private var random: UInt64?
    /// The number that a transaction has drawn, and that counts once the transaction is committed.
    private var candidate: UInt64 = 0

    init(directory: String) {
        path = Paths.join(directory, Self.fileName)
        found = Self.read(path)
        attempt = AttemptMark.read(in: directory)
    }

    /// Removes the file, because it describes another state.db.
    static func remove(from directory: String) {
        Files.remove(Paths.join(directory, fileName))
        AttemptMark.remove(from: directory)
    }

    static func read(_ path: String) -> Contents? {
        guard let file = try? FileDescriptor.open(path, .regular), let bytes = try? file.read(size, at: 0),
            bytes.count == size
        else { return nil }
        let span = bytes.rawSpan
        guard span.u64(at: 0) == magic, span.u64(at: 32) == Checksum.of(span.part(0, 32)) else { return nil }
        return Contents(
            revision: Revision(epoch: span.u64(at: 8), seq: span.u64(at: 16)), random: span.u64(at: 24))
    }

    /// Compares the file with a state.db that is being opened. If state.db is a restored copy, it begins a new epoch.
    mutating func restoration(
        of database: borrowing Database, _ operation: String
    ) throws(StoreError) -> StateRestoration? {
        let knownAttempt = Int64(bitPattern: try Self.number(AttemptMark.key, in: database))
        guard found != nil || attempt > knownAttempt else { return nil }
        let revision = Revision(
            epoch: try Self.number("epoch", in: database), seq: try Self.number("seq", in: database))
        let numbers = [
            try Self.number(Self.randomKey, in: database), try Self.number(Self.earlierKey, in: database),
        ]
        // The clock is not synced, so the file may be gone; the attempt alone shows a copy, too.
        let found = found ?? Contents(revision: revision, random: 0)
        let isBehind = self.found != nil && Self.isBehind(revision, numbers: numbers, found)
        guard isBehind || attempt > knownAttempt else { return nil }
        let own = RandomBytes.integer() >> 16 | 1
        try database.execute(
            """
            BEGIN IMMEDIATE;
            \(StateConnection.beginEpoch)
            INSERT OR REPLACE INTO meta(key, value) VALUES ('\(Self.randomKey)', \(own)),
                ('\(Self.earlierKey)', \(Int64(bitPattern: found.random))),
                ('\(AttemptMark.key)', \(max(attempt, knownAttempt)));
            COMMIT
            """, operation)
        self.random = own
        publish(Revision(epoch: try Self.number("epoch", in: database), seq: revision.seq))
        return StateRestoration(found: revision, published: found.revision)
    }

    /// A value of `meta`; 0 if there is none.
    private static func number(_ key: String, in database: borrowing Database) throws(StoreError) -> UInt64 {
        UInt64(bitPattern: try database.integer("SELECT value FROM meta WHERE key = '\(key)'", "read the clock"))
    }

    /// Whether a state.db with that clock and these numbers is older than what was published.
    static func isBehind(_ revision: Revision, numbers: [UInt64], _ published: Contents) -> Bool {
        guard numbers.contains(published.random) else { return true }
        return published.revision.epoch == revision.epoch && published.revision.seq > revision.seq
    }

    /// Puts the number of this process into state.db, if it is not there yet; to be called in the transaction that moves
    /// the clock.
    mutating func save(in statements: StateStatements) throws(StoreError) {
        guard random == nil else { return }
        candidate = RandomBytes.integer() >> 16 | 1
        var earlier = try statements.meta(Self.randomKey)
        if let found { earlier = Int64(bitPattern: found.random) }
        try statements.setMeta(Self.earlierKey, earlier)
        try statements.setMeta(Self.randomKey, Int64(bitPattern: candidate))
    }

    /// Writes the clock after a commit that has moved it.
    ///
    /// A clock that cannot be written stays as it was: then a copy may not be recognised, but nothing else fails.
    mutating func publish(_ revision: Revision) {
        let isFirst = random == nil
        let random = random ?? candidate
        self.random = random
        var bytes: [UInt8] = []
        for word in [Self.magic, revision.epoch, revision.seq, random] { bytes.append(littleEndian: word) }
        bytes.append(littleEndian: Checksum.of(bytes.rawSpan))
        // The folder may have been emptied, or made again.
        if file == nil || Files.names(of: path) == nil {
            file = try? FileDescriptor.replacingLink(path, permissions: 0o600)
        }
        try? file?.write(bytes.rawSpan, at: 0)
        // After a power cut the number of this process or of its predecessor must be there: state.db knows only these
        // two.
        if isFirst { try? file?.sync() }
    }
}

/// The number of the last attempt to write to an upstream, in a small file of the cache folder, by which a state.db
/// that was restored from a copy is recognised.
///
/// state.db has the number before the file, and the file has it on disk before a request leaves. So a file that is
/// ahead of state.db proves requests that state.db does not know.
public final class AttemptMark: Sendable {
    static let fileName = "attempt"
    /// The key in `meta` of the number that state.db knows.
    static let key = "attempt"
    private static let size = 24
    private static let magic: UInt64 = 0x3154_5041_444D_4C43

    private let path: String?
    private let file = Mutex<FileDescriptor?>(nil)

    /// - Parameter directory: the cache folder; nil: nothing is kept.
    init(directory: String?) {
        path = directory.map { Paths.join($0, Self.fileName) }
    }

    /// Removes the file, because it describes another state.db.
    static func remove(from directory: String) { Files.remove(Paths.join(directory, fileName)) }

    /// The number in the file; 0 if there is no file, or it is invalid.
    static func read(in directory: String) -> Int64 {
        guard let file = try? FileDescriptor.open(Paths.join(directory, fileName), .regular),
            let bytes = try? file.read(size, at: 0), bytes.count == size
        else { return 0 }
        let span = bytes.rawSpan
        guard span.u64(at: 0) == magic, span.u64(at: 16) == Checksum.of(span.part(0, 16)) else { return 0 }
        return Int64(bitPattern: span.u64(at: 8))
    }

    /// Writes the number of an attempt that state.db has, and waits until it is on disk. No request is sent without it.
    public func sync(_ number: Int64) throws(StoreError) {
        guard let path else { return }
        var bytes: [UInt8] = []
        for word in [Self.magic, UInt64(bitPattern: number)] { bytes.append(littleEndian: word) }
        bytes.append(littleEndian: Checksum.of(bytes.rawSpan))
        do throws(SystemError) {
            try file.withLock { file throws(SystemError) in
                // The folder may have been emptied, or made again.
                if file == nil || Files.names(of: path) == nil {
                    file = try FileDescriptor.replacingLink(path, permissions: 0o600)
                    try Directory.sync(Paths.parent(path))
                }
                try file?.write(bytes.rawSpan, at: 0)
                try file?.sync()
            }
        } catch { throw StoreError(error) }
    }
}

/// A point in the sequence of changes that state.db has committed. Users see it as the clock.
///
/// Revisions are compared only within one epoch. A new state database draws a new epoch.
public struct Revision: Sendable, Hashable {
    /// A random number that names one life of the state database.
    public var epoch: UInt64
    /// The number of the newest change in this epoch; 0 in a new database.
    public var seq: UInt64

    public init(epoch: UInt64, seq: UInt64) {
        self.epoch = epoch
        self.seq = seq
    }

    /// Reads a text in the form of `text`; nil for any other spelling.
    public init?(_ text: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, let epoch = UInt64(parts[0], radix: 16), let seq = UInt64(parts[1]) else { return nil }
        self.init(epoch: epoch, seq: seq)
        guard self.text == text else { return nil }
    }

    /// `EPOCH.SEQ`: the epoch in lower-case hexadecimal, the number in decimal.
    public var text: String { "\(String(epoch, radix: 16)).\(seq)" }
}
