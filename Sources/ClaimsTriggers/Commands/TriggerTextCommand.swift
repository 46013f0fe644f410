// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsClient
import ClaimsJSON
import ClaimsModel
import ClaimsPlatform
import ClaimsProtocol
import ClaimsTerminal

/// `trigger text [--mail FROM TO…]`: reads a batch, and writes it for people.
enum TriggerTextCommand {
    static func run(_ context: CommandContext, _ words: [String]) throws(CommandError) -> ExitCode {
        let isMail = context.invocation.acting.isMail
        guard isMail || words.isEmpty else { throw .usage(noAddresses) }
        let addresses = try isMail ? MailMessage.Addresses(words) : nil
        let batch = try BatchSummary.read(0)
        var parameters = DescribeParameters()
        parameters.collection = batch.collection
        let answer = try context.call(.describe, parameters)
        guard let entry = answer[DescribeResult.collections].first, let description = CollectionDescription(entry)
        else {
            throw .failed(
                .failure, kind: "protocol",
                message: TranslatedText(
                    en: "the daemon does not describe the collection", pl: "demon nie opisuje tej kolekcji"))
        }
        let title = batch.view.flatMap { wanted in
            entry[DescribeResult.CollectionEntry.views].first { $0[DescribeResult.ViewEntry.name] == wanted }
        }
        let text = NoticeText(
            batch, description, viewTitle: title?[DescribeResult.ViewEntry.title] ?? batch.view, time: context.time)
        if let addresses {
            try context.write(MailMessage(batch, text: text, between: addresses, context.time).bytes)
        } else {
            try context.write(Array((text.subject + "\n\n" + text.body).utf8))
        }
        try context.flush()
        return .done
    }

    private static let noAddresses = UsageError(
        en: "'trigger text' takes addresses with --mail alone", pl: "„trigger text” przyjmuje adresy tylko z --mail",
        hint: TranslatedText(
            en: "for example: claimsctl trigger text --mail claimsd@example.org clerk@example.org",
            pl: "na przykład: claimsctl trigger text --mail claimsd@example.org clerk@example.org"))
}

/// A batch as far as people are shown it: its first line, and the first records of each kind.
struct BatchSummary {
    /// The first line.
    let heading: AnswerValue
    /// The line about a changed condition; nil if there is none.
    private(set) var state: AnswerValue?
    /// The first entries of each kind.
    private(set) var entries: [String: [AnswerValue]] = [:]

    /// The number of records of a kind that are shown.
    static let maxShown = 20
    private static let maxLine = 32 << 20

    var collection: String { heading[BatchHeader.collection] ?? "" }
    var view: String? { heading[BatchHeader.view] }

    /// The number of entries of a kind.
    func count(_ op: String) -> Int { Int(heading[op]?.integer ?? 0) }

    private init(heading: AnswerValue) { self.heading = heading }

    /// Reads a batch to its end, from a descriptor that stays open.
    static func read(_ descriptor: Int32) throws(CommandError) -> BatchSummary {
        let input = BorrowedDescriptor(descriptor)
        var lines = LineBuffer(maxLength: maxLine)
        var chunk = [UInt8](repeating: 0, count: 64 << 10)
        var batch: BatchSummary?
        var isAtEnd = false
        while true {
            switch lines.next() {
            case .line(let range):
                let value = try value(Array(lines.bytes[range]))
                if batch == nil {
                    guard value[BatchHeader.trigger] != nil, value[BatchHeader.batch] != nil else { throw noBatch }
                    batch = BatchSummary(heading: value)
                } else {
                    batch?.add(value)
                }
                continue
            case .tooLong: throw noBatch
            case .incomplete: break
            }
            if isAtEnd { break }
            do throws(SystemError) {
                switch try input.read(into: &chunk) {
                case .bytes(let count): lines.append(chunk[..<count])
                case .closed:
                    lines.end()
                    isAtEnd = true
                case .wouldBlock: _ = try input.wait(for: .read, before: nil)
                }
            } catch {
                throw .failed(.failure, kind: "input", message: error.text)
            }
        }
        guard let batch else { throw noBatch }
        return batch
    }

    private mutating func add(_ entry: AnswerValue) {
        guard let op: String = entry[FeedEntry.op] else { return }
        if op == "state" { return state = entry }
        if entries[op, default: []].count < Self.maxShown { entries[op, default: []].append(entry) }
    }

    private static func value(_ line: [UInt8]) throws(CommandError) -> AnswerValue {
        do throws(JSONError) { return try AnswerDocument(line).root } catch { throw noBatch }
    }

    private static let noBatch = CommandError.failed(
        .invalid, kind: "invalid",
        message: TranslatedText(
            en: "standard input is no batch of a trigger", pl: "standardowe wejście nie jest paczką wyzwalacza"),
        hint: TranslatedText(
            en: "a batch is printed by: claimsctl trigger test NAME",
            pl: "paczkę wypisuje: claimsctl trigger test NAZWA"))
}

/// A batch as a subject and a text.
struct NoticeText {
    private let batch: BatchSummary
    private let cells: CellMaker
    private let viewTitle: String?
    private let time: LocalTime
    private var messages: Messages { time.messages }

    init(_ batch: BatchSummary, _ description: CollectionDescription, viewTitle: String?, time: LocalTime) {
        self.batch = batch
        cells = CellMaker(collection: description, time: time)
        self.viewTitle = viewTitle
        self.time = time
    }

    /// One line: the subject, and the numbers.
    var subject: String {
        let about = [cells.collection.title, viewTitle].compactMap(\.self).map(Escaping.line).joined(separator: ", ")
        var parts = ["added", "updated", "removed"].filter { batch.count($0) > 0 }
            .map { messages.noticeCount($0, batch.count($0)) }
        if let state = batch.state { parts.append(condition(state)) }
        if parts.isEmpty { parts.append(messages.noticeNothing) }
        let test = batch.heading[BatchHeader.test] == true ? "[\(messages.noticeTest)] " : ""
        return "\(test)\(about): \(parts.joined(separator: ", "))"
    }

    private func condition(_ state: AnswerValue) -> String {
        messages.noticeState(messages.word(state["from"]?.string ?? ""), messages.word(state["to"]?.string ?? ""))
    }

    /// The records by kind, and how old the data is.
    var body: String {
        var blocks: [String] = []
        if let state = batch.state { blocks.append(condition(state) + "\n") }
        for op in ["added", "updated", "removed"] {
            guard let entries = batch.entries[op], !entries.isEmpty else { continue }
            var block = messages.noticeHeading(op, batch.count(op)) + "\n\n"
            block += entries.map(record).joined(separator: "\n")
            let more = batch.count(op) - entries.count
            if more > 0 { block += "\n" + messages.noticeMore(more) + "\n" }
            blocks.append(block)
        }
        return (blocks + [footer]).joined(separator: "\n")
    }

    private func record(_ entry: AnswerValue) -> String {
        let id = Escaping.line(entry[FeedEntry.id] ?? "")
        let was: AnswerValue? = entry[FeedEntry.was]
        guard let shown: AnswerValue = entry[FeedEntry.record] ?? was else { return "* \(id)\n" }
        let changed = entry[FeedEntry.changed].compactMap(\.string)
        var text = "* \(id)\n"
        if changed.contains("id"), let old = was?["id"]?.string {
            text += "  \(messages.noticeFormerID(Escaping.line(old)))\n"
        }
        for name in names(of: shown) + (was.map(names) ?? []).filter({ shown[$0] == nil && changed.contains($0) }) {
            let field = cells.collection.column(name)
            var line = value(of: field, in: shown)
            if changed.contains(name) {
                line += " (\(messages.noticeBefore(was.map { value(of: field, in: $0) } ?? "–")))"
            }
            let lines = line.split(separator: "\n", omittingEmptySubsequences: false).joined(separator: "\n    ")
            text += "  \(Escaping.line(field.heading)): \(lines)\n"
        }
        return text
    }

    /// The value of a field as people read it: of a code its label alone.
    private func value(of field: FieldDescription, in record: AnswerValue) -> String {
        if field.type == .enum, let code = record[field.name]?.string {
            return Escaping.line(cells.collection.code(code, of: field)?.label ?? code)
        }
        return cells.detail(field, of: record)?.text ?? "–"
    }

    /// The fields of a record that are shown.
    private func names(of record: AnswerValue) -> [String] {
        record.members.map(\.name).filter { name in
            name != ReservedNames.pending && !name.hasSuffix(".raw") && cells.collection.field(name)?.type != .id
        }
    }

    private var footer: String {
        let meta = AnswerMeta(batch.heading[BatchHeader.meta])
        let age = meta?.asOf.map { messages.noticeAsOf(time.long($0)) }
        let why = meta.flatMap { FreshnessLine(time).text($0) }
        return [age, why].compactMap(\.self).map { $0 + "\n" }.joined()
    }
}
