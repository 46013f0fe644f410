// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsPlatform

/// The outcome of scrubbing some pages of the file.
enum ScrubStep: Sendable, Equatable {
    /// The number of the next page.
    case next(Int)
    case finished
    /// Somebody reads an older state of the file, or writes it: nothing was done.
    case kept
}

extension StateDatabase {
    /// Copies the write-ahead log into the file and empties it, and overwrites what SQLite has left in the gaps of pages,
    /// so that nothing that was deleted is in either. It reads the whole file, in pieces between which others write.
    ///
    /// - Parameters:
    ///   - timeout: how long to wait for others who read an old state of the file.
    ///   - isWanted: asked before each piece.
    /// - Throws: `.busy` where another program goes on reading; `.closed` once `isWanted` returns false.
    func scrub(timeout: Duration, while isWanted: @Sendable () -> Bool) throws(StoreError) {
        let operation = "erase records"
        do {
            // Little is left to copy on the store's thread then: no change waits long for it.
            let copier = try Database(path: path, access: .update)
            _ = try copier.copyLog()
        }
        let deadline = SystemClock.monotonic &+ timeout.wholeNanoseconds
        var page = 0
        while true {
            guard isWanted() else { throw StoreError(.closed, operation) }
            let first = page
            switch try perform({ connection throws(StoreError) in try connection.scrub(from: first) }) {
            case .finished: return
            case .next(let next): page = next
            case .kept:
                guard SystemClock.monotonic < deadline else {
                    throw StoreError(.busy, operation, detail: "another program reads an old state of \(path)")
                }
                _ = Monitor(false).wait(upTo: Self.pause) { $0 ? true : nil }
            }
        }
    }

    /// The time between two attempts to empty the log.
    private static let pause = Duration.milliseconds(20)
}

extension StateConnection {
    /// The number of pages that are scrubbed at once: 16 MiB take some milliseconds.
    private static let pagesAtOnce = 4096
    /// From so many pages on a page of a long value may begin like one with cells.
    private static let maxPages = 1 << 25

    /// Scrubs the next pages, with the log empty, so that the file is all there is.
    mutating func scrub(from first: Int) throws(StoreError) -> ScrubStep {
        guard try emptyLog() else { return .kept }
        // Pages in memory have the same gaps, and would bring them back.
        database.releaseMemory()
        do throws(StoreError) { try database.execute("BEGIN IMMEDIATE", Self.scrubbing) } catch {
            if error.code == .busy { return .kept }
            throw error
        }
        let result: Result<ScrubStep, StoreError>
        do throws(StoreError) { result = .success(try scrubbed(from: first)) } catch { result = .failure(error) }
        try database.execute("ROLLBACK", Self.scrubbing)
        return try result.get()
    }

    private static let scrubbing = "erase records"

    private func scrubbed(from first: Int) throws(StoreError) -> ScrubStep {
        // Another program may have written in between.
        guard Files.size(database.path + "-wal") ?? 0 == 0 else { return .kept }
        let pages = Int(try database.integer("PRAGMA page_count", Self.scrubbing))
        guard first < pages, pages < Self.maxPages else { return .finished }
        let count = min(pages - first, Self.pagesAtOnce)
        try database.scrubPages(first..<first + count, size: pageSize)
        return first + count < pages ? .next(first + count) : .finished
    }
}
