// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
import ClaimsModel
import ClaimsProtocol
import ClaimsTerminal

/// The operations in which something is still to happen, and the page of them that is shown; pure.
struct PlainOutbox: Sendable {
    /// The operations, the newest first.
    private let operations: [AnswerValue]
    /// The number of operations, of which the newest ones are held here.
    private let total: Int64
    /// The index of the page's first operation.
    private var start = 0
    /// The titles of the records, by operation, as far as they are known.
    private var titles: [String: String] = [:]

    private typealias Operation = OutboxResult.Operation

    init(_ listing: OutboxListing) {
        operations = listing.operations
        total = listing.total
    }

    /// The operation of a number, from 1; nil for another one.
    func operation(_ number: Int) -> AnswerValue? {
        operations.indices.contains(number - 1) ? operations[number - 1] : nil
    }

    /// Goes to the next page; false at the end.
    mutating func goForward() -> Bool {
        guard start + PlainList.pageRecords < operations.count else { return false }
        start += PlainList.pageRecords
        return true
    }

    /// Goes to the page before; false at the start.
    mutating func goBack() -> Bool {
        guard start > 0 else { return false }
        start = max(0, start - PlainList.pageRecords)
        return true
    }

    /// Goes to the last page, and says that there is one.
    mutating func goToEnd() -> Bool {
        while goForward() {}
        return true
    }

    /// The UUIDs of the page's operations.
    var ops: [String] { page.compactMap { $0[Operation.op] } }

    private var page: ArraySlice<AnswerValue> {
        operations[start..<min(start + PlainList.pageRecords, operations.count)]
    }

    /// Reads the titles of records out of operations with their values.
    mutating func learnTitles(_ operations: [AnswerValue], _ collections: [CollectionDescription]) {
        for operation in operations {
            guard let op = operation[Operation.op], let name = operation[Operation.collection] else { continue }
            titles[op] = collections.first { $0.name == name }?.shortTitle(ofOperation: operation)
        }
    }

    /// The page.
    func lines(_ time: LocalTime) -> [String] {
        let messages = time.messages
        guard !operations.isEmpty else { return [messages.outboxIsEmpty] }
        var lines = start == 0 ? ["\(messages.outboxTitle): \(messages.number(total))"] : []
        let page = page
        for index in page.indices { lines.append("\(index + 1). \(line(about: operations[index], time))") }
        let range = messages.page(from: Int64(start + 1), to: Int64(page.endIndex), of: total)
        let isEnd = page.endIndex == operations.count
        lines.append("\(range) \(isEnd ? messages.endOfList : messages.enterShowsMore)")
        let missing = total - Int64(operations.count)
        if isEnd, missing > 0 { lines.append(messages.moreOperations(missing)) }
        return lines
    }

    /// `Gym contract; documents 7; update; rejected; The server answered 422; 3 min ago`
    private func line(about operation: AnswerValue, _ time: LocalTime) -> String {
        let messages = time.messages
        let (op, id) = (operation[Operation.op], operation[Operation.id] ?? "")
        var parts = ["\(operation[Operation.collection] ?? "") \(id == op ? messages.newRecord : id)"]
        if let title = op.flatMap({ titles[$0] }) { parts.insert(title, at: 0) }
        parts.append(messages.word(operation[Operation.action] ?? ""))
        parts.append(messages.state(operation[Operation.state] ?? ""))
        if let waiting = messages.waiting(operation) { parts.append(waiting) }
        if let message = operation[Operation.message] ?? operation[Operation.reason] { parts.append(message) }
        if let next = Self.instant(operation[Operation.nextTry]) {
            parts.append(messages.nextRefresh(time.relative(next), isAnotherTry: true))
        }
        if let submitted = Self.instant(operation[Operation.submittedAt]) { parts.append(time.relative(submitted)) }
        return parts.map(Escaping.line).joined(separator: "; ")
    }

    private static func instant(_ value: AnswerValue?) -> Int64? {
        value?.string.flatMap { Instant.parse($0)?.ms }
    }
}
