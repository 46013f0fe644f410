// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
import ClaimsJSON
import ClaimsModel
import ClaimsProtocol

/// An operation that was submitted: the answer to it, and the state that it has by now.
struct OperationOutcome {
    /// The result of `submit`.
    let source: AnswerValue
    let op: String
    /// The id of the record; that of a new one is `op` until the upstream gives it one.
    private(set) var id: String
    let action: String
    private(set) var state: String
    /// The words about the state, where the daemon has told any.
    private var message: String?
    /// The operation before it that waits for a person.
    private var stuckBehind: String?

    init(_ answer: AnswerValue) {
        source = answer
        op = answer[SubmitResult.op] ?? ""
        id = answer[SubmitResult.id] ?? ""
        action = answer[SubmitResult.action] ?? ""
        state = answer[SubmitResult.state] ?? ""
    }

    /// The answer to a repeated `submit`, made of an operation that `outbox` tells.
    static func repeated(_ operation: AnswerValue) throws(CommandError) -> AnswerValue {
        typealias Entry = OutboxResult.Operation
        var writer = JSONWriter()
        writer.beginObject()
        writer.member(SubmitResult.op, operation[Entry.op] ?? "")
        writer.member(SubmitResult.id, operation[Entry.id] ?? "")
        writer.member(SubmitResult.action, operation[Entry.action] ?? "")
        writer.member(SubmitResult.state, operation[Entry.state] ?? "")
        writer.member(SubmitResult.changed, operation[Entry.fields].map(\.text))
        writer.member(SubmitResult.isRepeated, true)
        writer.endObject()
        return try AnswerValue.made(writer)
    }

    private var known: OperationState? { OperationState(rawValue: state) }

    /// Whether the upstream has still to say something.
    var isUnderWay: Bool { known == .queued || known == .sending }

    /// Takes the state of an operation in the answer of `outbox`.
    mutating func update(_ operation: AnswerValue) {
        state = operation[OutboxResult.Operation.state] ?? state
        id = operation[OutboxResult.Operation.id] ?? id
        message = operation[OutboxResult.Operation.message]
        stuckBehind = operation[OutboxResult.Operation.stuckBehind]
    }

    /// The result with the present state and id, as JSON shows it.
    ///
    /// - Parameter files: the files that go along with what is only tried; the daemon's preview has none.
    func answer(with files: [UploadedFile] = []) throws(CommandError) -> AnswerValue {
        let isChanged = state != source[SubmitResult.state] || id != source[SubmitResult.id]
        guard isChanged || !files.isEmpty else { return source }
        var writer = JSONWriter()
        writer.beginObject()
        for (name, value) in source.members {
            writer.key(name)
            if name == "\(SubmitResult.state.name)" {
                writer.string(state)
            } else if name == "\(SubmitResult.id.name)" {
                writer.string(id)
            } else {
                writer.raw(Array(value.source.utf8))
            }
        }
        if !files.isEmpty {
            writer.key("files")
            writer.beginArray()
            for file in files { file.write(to: &writer) }
            writer.endArray()
        }
        writer.endObject()
        return try AnswerValue.made(writer)
    }

    /// The report about an operation that ended its wait without success; nil for any other.
    func stuckReport(_ messages: Messages) -> ErrorReport? {
        if let stuckBehind {
            return ErrorReport(
                .upstreamFailed, kind: ErrorKind.upstreamFailed.rawValue,
                message: messages.recordWaits(id, for: stuckBehind), hint: messages.lookAtOperation(stuckBehind))
        }
        guard let known, known.isStuck || known == .dropped else { return nil }
        let reason = message.map { ": \($0)" } ?? ""
        return ErrorReport(
            .upstreamFailed, kind: ErrorKind.upstreamFailed.rawValue,
            message: messages.recordOperation(id, messages.operation(state)) + reason,
            hint: known == .dropped ? nil : messages.lookAtOperation(op))
    }

    /// The outcome for people, a newline after it.
    func line(collection: String, width: Int, _ messages: Messages) -> String {
        let changed = source[SubmitResult.changed].map(\.text)
        if action == "update", changed.isEmpty, known == .done {
            return "\(Escaping.line(collection)) \(Escaping.line(id)): \(messages.nothingDiffers)\n"
        }
        // A stuck operation has changed nothing there, so that only the operation is told.
        let isStuck = known?.isStuck == true || known == .dropped
        var text = isStuck ? "\(collection) \(id)" : "\(messages.done(action)) \(collection) \(id)"
        if action == "update", !changed.isEmpty { text += ": " + changed.joined(separator: ", ") }
        if source[SubmitResult.isRepeated] == true { text += " (\(messages.submittedBefore))" }
        // A new record has the name of its operation until the upstream gives it an id.
        if id != op { text += "; \(messages.operationNamed(op))" }
        // The outcome comes last.
        text += known == .done ? "" : "; \(messages.operation(state))"
        return Fitting.hang(Escaping.line(text), to: max(20, width), indent: 2) + "\n"
    }
}
