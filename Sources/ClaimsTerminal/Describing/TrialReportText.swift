// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
import ClaimsModel
import ClaimsProtocol

/// The result of `try` as people read it, part by part; parts without content are left out.
struct TrialReportText {
    private let answer: AnswerValue
    private let options: TextOptions

    private var messages: Messages { options.messages }

    init(_ answer: AnswerValue, options: TextOptions) {
        self.answer = answer
        self.options = options
    }

    var text: String {
        let (verdict, style) = Self.verdict(answer, messages)
        let parts = [line(verdict, style), problems, requests, error, fields, quarantined, changes, sample]
        return parts.filter { !$0.isEmpty }.joined(separator: "\n")
    }

    /// The outcome and the counts in one sentence.
    private static func verdict(_ answer: AnswerValue, _ messages: Messages) -> (text: String, style: Style) {
        let counts = answer[TryResult.counts]
        let records = counts?[TryResult.Counts.records] ?? 0
        let numbers = messages.trialNumbers(
            records: records, added: counts?[TryResult.Counts.added] ?? 0,
            updated: counts?[TryResult.Counts.updated] ?? 0, removed: counts?[TryResult.Counts.removed] ?? 0,
            quarantined: counts?[TryResult.Counts.quarantined] ?? 0)
        switch answer.trialOutcome {
        case .wouldUpdate: return (messages.trialWouldUpdate(numbers), .plain)
        case .unchanged: return (messages.trialUnchanged(records), .plain)
        case .held: return (messages.trialHeld(answer[TryResult.shrinkGuard] ?? "", numbers), .warning)
        case .invalid: return (messages.trialInvalid, .warning)
        case .failed, nil: return (messages.trialFailed, .warning)
        }
    }

    private var problems: String { Self.problems(answer).map { line($0) }.joined() }

    private static func problems(_ answer: AnswerValue) -> [String] {
        typealias Problem = StatusResult.Problem
        return answer[TryResult.problems].map { problem in
            let position = [problem[Problem.line], problem[Problem.column]].compactMap(\.self).map { ":\($0)" }.joined()
            let key = problem[Problem.key] ?? ""
            let subject = key.isEmpty ? "" : " \(key):"
            return "\(problem[Problem.file] ?? "")\(position):\(subject) \(problem[Problem.message] ?? "")"
        }
    }

    /// The remarks for which data has no room, a line each: the outcome with the counts, and the reasons why a refresh would
    /// not update the collection.
    static func remarks(_ answer: AnswerValue, _ messages: Messages) -> [String] {
        let error = answer[TryResult.error]
        let reasons = [error?[TryResult.Refusal.message], error?[TryResult.Refusal.body]]
        return [verdict(answer, messages).text] + problems(answer) + reasons.compactMap(\.self).map(Escaping.line)
    }

    private var requests: String {
        typealias Request = TryResult.Request
        var table = TextTable([
            TableColumn(heading: messages.trialRequest, isElastic: true),
            TableColumn(heading: messages.trialStatus, isRight: true), TableColumn(heading: "ms", isRight: true),
            TableColumn(heading: messages.trialBytes, isRight: true),
            TableColumn(heading: messages.trialElements, isRight: true),
        ])
        for request in answer[TryResult.requests] {
            let address = "\(request[Request.method] ?? "") \(request[Request.url] ?? "")"
            table.append([
                Cell(Escaping.line(address)), Cell(request[Request.status].map { String($0) } ?? "–"),
                Cell(messages.number(request[Request.time] ?? 0)), Cell(messages.number(request[Request.bytes] ?? 0)),
                Cell(request[Request.elements].map { messages.number($0) } ?? ""),
            ])
        }
        return table.text(width: options.width, isColored: options.isColored)
    }

    private var error: String {
        guard let error = answer[TryResult.error] else { return "" }
        var text = line(error[TryResult.Refusal.message] ?? "", .warning)
        if let body = error[TryResult.Refusal.body] { text += line(body) }
        return text
    }

    private var fields: String {
        let total = answer[TryResult.counts]?[TryResult.Counts.records] ?? 0
        guard total > 0 else { return "" }
        var table = TextTable([
            TableColumn(heading: messages.trialField), TableColumn(heading: messages.trialFilled, isRight: true),
            TableColumn(heading: messages.trialWrong, isRight: true),
        ])
        for (name, field) in answer[TryResult.fields]?.members ?? [] {
            let wrong = field[TryResult.Field.wrong] ?? 0
            let filled = field[TryResult.Field.filled] ?? 0
            table.append([
                Cell(name), Cell(messages.number(filled), style: filled == 0 ? .warning : .plain),
                Cell(wrong == 0 ? "" : messages.number(wrong), style: .warning),
            ])
        }
        return table.text(width: options.width, isColored: options.isColored)
    }

    private var quarantined: String {
        let entries = answer[TryResult.quarantined].map { entry in
            line("  \(entry[TryResult.Refused.pointer] ?? ""): \(entry[TryResult.Refused.reason] ?? "")")
        }
        return entries.isEmpty ? "" : line(messages.trialQuarantined, .bold) + entries.joined()
    }

    private var changes: String {
        typealias Changes = TryResult.Changes
        guard let changes = answer[TryResult.changes], answer.trialOutcome != .unchanged else { return "" }
        let kinds: [(String, [AnswerValue])] = [
            (messages.trialAdded, changes[Changes.added]), (messages.trialUpdated, changes[Changes.updated]),
            (messages.trialRemoved, changes[Changes.removed]),
        ]
        return kinds.filter { !$0.1.isEmpty }.map { name, ids in
            line("\(name): \(ids.compactMap(\.string).joined(separator: ", "))")
        }.joined()
    }

    private var sample: String {
        guard let record = answer[TryResult.sample].first else { return "" }
        let values = record.members.map { name, value in
            line("  \(name): \(value.string ?? value.source)")
        }
        return line(messages.trialSample, .bold) + values.joined()
    }

    private func line(_ text: String, _ style: Style = .plain) -> String {
        style.apply(to: Escaping.line(text), isColored: options.isColored) + "\n"
    }
}

extension AnswerValue {
    /// The outcome in an answer of `try`; nil for one that is not known.
    var trialOutcome: TrialOutcome? { self[TryResult.outcome].flatMap { TrialOutcome(rawValue: $0) } }
}
