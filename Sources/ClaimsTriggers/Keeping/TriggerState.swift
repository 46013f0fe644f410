// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsClient
import ClaimsJSON
import ClaimsPlatform
import Glibc

/// The folder of a trigger's state, held by one process: what was reported, and the batch that waits with what it will
/// commit.
///
/// | file | holds |
/// |---|---|
/// | `told` | the reported state |
/// | `batch.ndjson` | the batch that waits |
/// | `batch.commit` | the entries of `told` that count once the batch is reported |
/// | `done.commit` | the same, after the command has ended with 0 |
final class TriggerState {
    /// The batch that waits.
    struct Waiting: Equatable {
        /// The id, a UUID.
        let id: String
        /// The number of lines after the first.
        let count: Int
        /// Whether the command has ended with 0, and only the commit is left to be done.
        var isReported = false
    }

    let folder: String
    private let lock: FileLock
    private var log: ReportedLog
    /// The batch that waits; nil for none.
    private(set) var waiting: Waiting?
    /// The new paths of damaged files.
    private(set) var moved: [String] = []

    /// Opens the folder, makes it if it is missing, and finishes an interrupted commit.
    ///
    /// - Throws: EWOULDBLOCK if another process has it, which is named; the error of any other call.
    init(_ folder: String) throws(SystemError) {
        self.folder = folder
        try Directory.create(folder, permissions: 0o700)
        lock = try FileLock(path: Paths.join(folder, "lock"))
        switch try ReportedLog.read(Self.log(in: folder)) {
        case .log(let log): self.log = log
        case .damaged:
            moved.append(try Self.moveAside(Self.log(in: folder)))
            guard case .log(let empty) = try ReportedLog.read(Self.log(in: folder)) else {
                throw SystemError("read \(Self.log(in: folder))", errno: EIO)
            }
            log = empty
        }
        try openBatch()
    }

    static func log(in folder: String) -> String { Paths.join(folder, "told") }
    static func batch(in folder: String) -> String { Paths.join(folder, "batch.ndjson") }
    private var commitPath: String { Paths.join(folder, "batch.commit") }
    private var donePath: String { Paths.join(folder, "done.commit") }
    /// The path of the batch that waits.
    var batchPath: String { Self.batch(in: folder) }

    /// The reported set; nil before the first report.
    var reported: Reported? { log.reported }

    private static func moveAside(_ path: String) throws(SystemError) -> String {
        let target = "\(path).damaged"
        try Files.rename(path, to: target)
        try Directory.sync(Paths.parent(path))
        return target
    }

    private func openBatch() throws(SystemError) {
        let isReported = Files.exists(donePath)
        guard Files.exists(batchPath), isReported || Files.exists(commitPath) else {
            if isReported, let group = try CommitFile(donePath) {
                waiting = Waiting(id: group.batch, count: group.count, isReported: true)
            } else {
                // A crash came before the batch was kept, or after it had gone.
                if Files.exists(batchPath) { moved.append(try Self.moveAside(batchPath)) }
                Files.remove(commitPath)
                Files.remove(donePath)
            }
            return
        }
        guard let group = try CommitFile(isReported ? donePath : commitPath) else {
            moved.append(try Self.moveAside(batchPath))
            moved.append(try Self.moveAside(isReported ? donePath : commitPath))
            return
        }
        waiting = Waiting(id: group.batch, count: group.count, isReported: isReported)
    }

    /// Keeps a batch and its commit; returns once both are on the disk.
    ///
    /// - Parameter lines: writes the lines of the batch.
    func keep(
        _ id: String, count: Int, _ moment: Reported.Moment, hasForgotten: Bool, changes: ReportedLog.Changes,
        lines: (_ write: ([UInt8]) throws(SystemError) -> Void) throws(SystemError) -> Void
    ) throws(SystemError) {
        precondition(waiting == nil)
        do throws(SystemError) {
            try CommitFile.write(commitPath, batch: id, count: count, moment, hasForgotten: hasForgotten, changes)
            var batch = try ReplacementFile(batchPath)
            try lines { bytes throws(SystemError) in try batch.write(bytes) }
            try batch.finish()
        } catch {
            Files.remove(batchPath)
            Files.remove(commitPath)
            throw error
        }
        waiting = Waiting(id: id, count: count)
    }

    /// Commits changes for which nothing is to be reported.
    func commit(
        _ moment: Reported.Moment, hasForgotten: Bool, _ changes: ReportedLog.Changes
    ) throws(SystemError) {
        try log.commit(moment, hasForgotten: hasForgotten, changes)
    }

    /// Records that the command has ended with 0. From now on the batch is never reported again.
    func markReported() throws(SystemError) {
        guard let waiting, !waiting.isReported else { return }
        try Files.rename(commitPath, to: donePath)
        self.waiting?.isReported = true
        try Directory.sync(folder)
    }

    /// Commits the batch that was reported, and lets it go. After an error the same call may be repeated.
    ///
    /// - Parameter now: the time at which it was reported, in milliseconds since 1970; nil if it was skipped.
    func commitWaiting(at now: Int64?) throws(SystemError) {
        guard waiting != nil else { return }
        if let group = try CommitFile(donePath) {
            var moment = group.moment
            if let now { moment.reportedAt = now }
            try log.commit(moment, hasForgotten: group.hasForgotten, group.forEachChange)
        }
        Files.remove(batchPath)
        Files.remove(donePath)
        try Directory.sync(folder)
        waiting = nil
    }
}

/// The file of a batch's commit.
struct CommitFile {
    /// The id of the batch.
    let batch: String
    /// The number of lines of the batch after the first.
    let count: Int
    let moment: Reported.Moment
    let hasForgotten: Bool
    private let path: String
    /// The offset of the first entry.
    private let start: Int

    private static let maxHeading = 256

    /// Reads the beginning of a file and checks all of it; nil if it is damaged.
    init?(_ path: String) throws(SystemError) {
        self.path = path
        let file = try FileDescriptor.open(path, .regular)
        let heading = try file.read(Self.maxHeading, at: 0)
        guard let newline = heading.firstIndex(of: UInt8(ascii: "\n")),
            let root = Self.root(Array(heading[..<newline])), let batch = root["batch"]?.string,
            let count = root["count"]?.integer
        else { return nil }
        self.batch = batch
        self.count = Int(count)
        start = newline + 1
        guard case .settle(let moment, let hasForgotten)? = try ReportedLog.last(file, from: start) else { return nil }
        self.moment = moment
        self.hasForgotten = hasForgotten
    }

    private static func root(_ text: [UInt8]) -> AnswerValue? {
        do throws(JSONError) { return try AnswerDocument(text).root } catch { return nil }
    }

    static func write(
        _ path: String, batch: String, count: Int, _ moment: Reported.Moment, hasForgotten: Bool,
        _ changes: ReportedLog.Changes
    ) throws(SystemError) {
        var file = try ReplacementFile(path)
        var heading = JSONWriter()
        heading.beginObject()
        heading.member("batch", batch)
        heading.member("count", count)
        heading.endObject()
        heading.newline()
        try file.write(heading.bytes)
        var encoder = ReportedCoding.Encoder()
        try changes { change throws(SystemError) in try file.write(encoder.add(change)) }
        try file.write(encoder.add(.settle(moment, hasForgotten: hasForgotten)))
        try file.finish()
    }

    /// Calls `body` for the changes, without the one that settles them.
    func forEachChange(_ body: (Reported.Change) throws(SystemError) -> Void) throws(SystemError) {
        let file = try FileDescriptor.open(path, .regular)
        try ReportedLog.forEachChange(file, from: start) { change throws(SystemError) in
            if case .settle = change { return }
            try body(change)
        }
    }
}
