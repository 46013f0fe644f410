// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

extension ChangeLogReader {
    /// Returns the changes of one record that are numbered below `before`, at most `limit`, the newest first.
    ///
    /// The changes that a new definition made are among them. Until `limit` changes are found, the log of the collection
    /// is looked through, piece by piece from its end.
    ///
    /// - Parameters:
    ///   - maxRows: the number of rows in a piece, at least 1; a few more where small commits end.
    ///   - isWanted: asked before each piece, whether the answer is still wanted.
    /// - Returns: nil once it is not wanted any more.
    public func history(
        of collection: Int64, id: [UInt8], before: UInt64? = nil, limit: Int, maxRows: Int = Self.maxRowsOfPiece,
        while isWanted: () -> Bool = { true }
    ) throws(StoreError) -> LogHistory? {
        try read { () throws(StoreError) in
            let floor = try floor(of: collection)
            let before = Int64(clamping: before ?? .max)
            var search = HistorySearch(collection: collection, before: before, limit: limit)
            try statements.changesOfID.bind(.id, text: id)
            try statements.changesOfIDInGeneration.bind(.id, text: id)
            var isOver = false
            try forEachPiece(of: collection, from: floor, below: before, maxRows: maxRows) { piece throws(StoreError) in
                isOver = !isWanted()
                if isOver { return false }
                try search.look(through: piece, statements)
                return !search.isFull
            }
            if isOver || !isWanted() { return nil }
            try statements.marksOfID.bind(.id, text: id)
            try Self.forEachRow(
                of: statements.marksOfID, [collection, Int64(bitPattern: floor), before, Int64(limit) + 1]
            ) { row throws(StoreError) in search.changes.append(try LoggedChange(mark: row)) }
            // A mark and a change never have the same number; changes of one commit by a definition are of other ids.
            let changes = search.changes.sorted { $0.seq > $1.seq }
            return LogHistory(
                floor: floor, changes: Array(changes.prefix(limit)), hasMore: changes.count > limit)
        }
    }

    /// The number of rows that are looked through in some milliseconds.
    public static var maxRowsOfPiece: Int { 1 << 14 }

    /// Calls `body` with pieces of the log, the newest first, until it returns false: small commits together, the rows of
    /// a large one in parts.
    private func forEachPiece(
        of collection: Int64, from floor: UInt64, below before: Int64, maxRows: Int,
        _ body: (HistoryPiece) throws(StoreError) -> Bool
    ) throws(StoreError) {
        try statements.generationsBackwards.bind(parameters: [collection, Int64(bitPattern: floor), before])
        defer { statements.generationsBackwards.reset() }
        // The commits that are not handed out yet.
        var waiting: (generations: ClosedRange<UInt64>, rows: Int)?
        while try statements.generationsBackwards.step() {
            let commit = try LogCommit(statements.generationsBackwards)
            let rows = commit.changes
            if rows == 0 { continue }
            if let commits = waiting, commits.rows + rows > maxRows {
                waiting = nil
                if !(try body(.commits(commits.generations))) { return }
            }
            guard rows > maxRows else {
                let newest = waiting?.generations.upperBound ?? commit.generation
                waiting = (min(commit.generation, newest)...newest, (waiting?.rows ?? 0) + rows)
                continue
            }
            var last = rows
            while last > 0 {
                let first = max(1, last - maxRows + 1)
                if !(try body(.part(commit, first...last))) { return }
                last = first - 1
            }
        }
        if let waiting { _ = try body(.commits(waiting.generations)) }
    }
}

/// A piece of the log in which a record is looked for.
private enum HistoryPiece {
    /// Whole commits.
    case commits(ClosedRange<UInt64>)
    /// Rows of one commit, by their ordinals.
    case part(LogCommit, ClosedRange<Int>)
}

/// The changes of one record that were found so far, the newest first.
private struct HistorySearch {
    let collection: Int64
    /// The number below which changes are looked for.
    let before: Int64
    let limit: Int
    var changes: [LoggedChange] = []

    /// Whether there is one more than asked for, so that more are known to follow.
    var isFull: Bool { changes.count > limit }

    mutating func look(through piece: HistoryPiece, _ statements: LogStatements) throws(StoreError) {
        switch piece {
        case .commits(let generations):
            try statements.changesOfID.bind(parameters: [
                collection, Int64(bitPattern: generations.lowerBound), Int64(bitPattern: generations.upperBound),
                before,
            ])
            defer { statements.changesOfID.reset() }
            while !isFull, try statements.changesOfID.step() {
                changes.append(try LoggedChange(statements.changesOfID, of: LogCommit(of: statements.changesOfID)))
            }
        case .part(let commit, let ordinals):
            let last =
                commit.isWhole
                ? Int64(ordinals.upperBound)
                : min(Int64(ordinals.upperBound), before - 1 - Int64(bitPattern: commit.base))
            try statements.changesOfIDInGeneration.bind(parameters: [
                collection, Int64(bitPattern: commit.generation), Int64(ordinals.lowerBound), last,
            ])
            defer { statements.changesOfIDInGeneration.reset() }
            while !isFull, try statements.changesOfIDInGeneration.step() {
                changes.append(try LoggedChange(statements.changesOfIDInGeneration, of: commit))
            }
        }
    }
}
