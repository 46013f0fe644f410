// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsPlatform

/// The log `told`: the reported state of a trigger, in a file to which each cut adds its own entries.
///
/// It is written as a whole if it is twice as long as its content, and after a `forget`. An incomplete end after a
/// crash is ignored, and removed by the next entry.
struct ReportedLog {
    /// The content of a file.
    enum Reading {
        case log(ReportedLog)
        /// The file is damaged elsewhere than at its end.
        case damaged
    }

    /// Changes that can be gone through more than once.
    typealias Changes = ((Reported.Change) throws(SystemError) -> Void) throws(SystemError) -> Void

    private let path: String
    /// The reported set; nil before the first report.
    private(set) var reported: Reported?
    /// The size of the file up to its last settled entry.
    private(set) var size = 0
    /// The size of a file without superseded entries.
    private(set) var contentSize = 0

    /// The size up to which a log is not written anew for its length alone, in bytes.
    static let minRewritten = 16 << 10

    private init(_ path: String) { self.path = path }

    /// Reads a log; a missing one has reported nothing.
    static func read(_ path: String) throws(SystemError) -> Reading {
        var log = ReportedLog(path)
        let file: FileDescriptor
        do throws(SystemError) {
            file = try FileDescriptor.open(path, .regular)
        } catch {
            if error.isNotFound { return .log(log) }
            throw error
        }
        let fileSize = try file.size()
        var walk = try Walk(file, upTo: fileSize)
        // Its first entries came under its name only when they were whole.
        guard walk.settled > 0 else { return .damaged }
        if walk.end < fileSize, try Walk.hasSettled(file, after: walk.end, fileSize) { return .damaged }
        if walk.isUnsettled { walk = try Walk(file, upTo: walk.settled) }
        log.reported = walk.reported
        log.size = walk.settled
        log.contentSize = log.measuredContent
        return .log(log)
    }

    /// One way through the entries of a file.
    private struct Walk {
        var reported: Reported?
        /// The offset behind the last entry that settles.
        var settled = 0
        /// The offset of the first byte that belongs to no whole entry.
        var end = 0
        /// Whether changes were applied that nothing settles.
        var isUnsettled = false

        init(_ file: borrowing FileDescriptor, upTo limit: Int) throws(SystemError) {
            while let (changes, next) = try Self.entry(file, at: end, limit) {
                for change in changes { apply(change, before: next) }
                end = next
            }
        }

        private mutating func apply(_ change: Reported.Change, before next: Int) {
            isUnsettled = true
            switch change {
            case .begin(let head):
                let moment = reported?.moment ?? Reported.Moment(at: 0)
                reported = Reported(head, moment)
            case .settle:
                reported?.apply(change)
                (settled, isUnsettled) = (next, false)
            case .put, .drop: reported?.apply(change)
            }
        }

        /// The changes of the entry at an offset, and the offset behind it; nil if there is no whole entry.
        static func entry(
            _ file: borrowing FileDescriptor, at offset: Int, _ limit: Int
        ) throws(SystemError) -> ([Reported.Change], Int)? {
            let start = offset + ReportedCoding.headSize
            guard start <= limit else { return nil }
            let head = try file.read(ReportedCoding.headSize, at: offset)
            let length = Int(head.rawSpan.u32(at: 4))
            guard head.starts(with: ReportedCoding.mark), length <= ReportedCoding.maxContent, start + length <= limit
            else { return nil }
            let content = try file.read(length, at: start)
            guard content.count == length,
                ContentHash.Digest(head.rawSpan.extracting(8..<24)) == ContentHash.digest(of: content.rawSpan),
                let changes = ReportedCoding.changes(in: content)
            else { return nil }
            return (changes, start + length)
        }

        /// Whether there is an entry that settles after an offset.
        static func hasSettled(
            _ file: borrowing FileDescriptor, after offset: Int, _ limit: Int
        ) throws(SystemError) -> Bool {
            let piece = 1 << 20
            var start = offset
            while start < limit {
                let bytes = try file.read(min(piece, limit - start), at: start)
                if bytes.isEmpty { return false }
                var from = 0
                while let index = bytes[from...].firstIndex(of: ReportedCoding.mark[0]) {
                    if let (changes, _) = try entry(file, at: start + index, limit),
                        changes.contains(where: \.isSettling)
                    {
                        return true
                    }
                    from = index + 1
                }
                start += bytes.count
            }
            return false
        }
    }

    /// Goes through the changes of entries that begin at an offset.
    ///
    /// - Returns: whether they reach to the end of the file.
    @discardableResult
    static func forEachChange(
        _ file: borrowing FileDescriptor, from start: Int, _ body: (Reported.Change) throws(SystemError) -> Void
    ) throws(SystemError) -> Bool {
        let size = try file.size()
        var offset = start
        while let (changes, next) = try Walk.entry(file, at: offset, size) {
            for change in changes { try body(change) }
            offset = next
        }
        return offset == size
    }

    /// The last change of entries that begin at an offset; nil if a byte of them is damaged.
    static func last(_ file: borrowing FileDescriptor, from start: Int) throws(SystemError) -> Reported.Change? {
        var last: Reported.Change?
        let isWhole = try forEachChange(file, from: start) { change throws(SystemError) in last = change }
        return isWhole ? last : nil
    }

    private var measuredContent: Int {
        guard let reported else { return 0 }
        let columns = reported.members.columns
        return reported.members.textSize
            + reported.members.count * ReportedCoding.size(of: 0, columns: columns)
    }

    /// Records that changes are reported: returns once the file has them. After an error it has none of them, and the
    /// same call may be repeated.
    ///
    /// - Parameter hasForgotten: whether an id among the changes must not stay in the file.
    mutating func commit(_ moment: Reported.Moment, hasForgotten: Bool, _ changes: Changes) throws(SystemError) {
        var begins = false
        try changes { change throws(SystemError) in if case .begin = change { begins = true } }
        if begins || hasForgotten || reported == nil {
            try apply(changes, moment)
            try rewrite()
            return
        }
        try append(changes, moment)
        try apply(changes, moment)
        if size > max(2 * contentSize, Self.minRewritten) {
            // The commit itself is kept: if there is no room, the next one tries again.
            try? rewrite()
        }
    }

    private mutating func append(_ changes: Changes, _ moment: Reported.Moment) throws(SystemError) {
        let file = try FileDescriptor.open(path, .update)
        var end = size
        do throws(SystemError) {
            try file.truncate(to: size)
            var encoder = ReportedCoding.Encoder()
            func write(_ bytes: [UInt8]) throws(SystemError) {
                if bytes.isEmpty { return }
                try file.write(bytes.rawSpan, at: end)
                end += bytes.count
            }
            try changes { change throws(SystemError) in try write(encoder.add(change)) }
            try write(encoder.add(.settle(moment, hasForgotten: false)))
            try file.sync()
        } catch {
            try? file.truncate(to: size)
            throw error
        }
        size = end
    }

    private mutating func apply(_ changes: Changes, _ moment: Reported.Moment) throws(SystemError) {
        var reported = reported.take()
        try changes { change throws(SystemError) in
            if case .begin(let head) = change {
                reported = Reported(head, moment)
            } else {
                reported?.apply(change)
            }
        }
        reported?.moment = moment
        self.reported = reported
        contentSize = measuredContent
    }

    /// Writes the file anew, without superseded entries.
    private mutating func rewrite() throws(SystemError) {
        guard let reported else { return }
        var file = try ReplacementFile(path)
        var encoder = ReportedCoding.Encoder()
        try file.write(encoder.add(.begin(reported.head)))
        for index in 0..<reported.members.count {
            try file.write(encoder.add(.put(reported.members.id(at: index), reported.hashes(at: index))))
        }
        try file.write(encoder.add(.settle(reported.moment, hasForgotten: false)))
        try file.finish()
        size = file.count
    }
}

extension Reported.Change {
    fileprivate var isSettling: Bool {
        if case .settle = self { true } else { false }
    }
}
