// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
import ClaimsJSON
import ClaimsModel
import ClaimsPlatform
import ClaimsProtocol
import ClaimsTerminal

/// The form of an action, as questions and answers in lines; pure.
///
/// The form is the one that the screen has, so that both read a value in the same way.
struct PlainForm {
    /// The outcome of an answer.
    enum Outcome: Equatable {
        case accepted
        /// The answer will not do; the reason.
        case again(String)
        /// The form is left.
        case left
    }

    private(set) var form: RecordForm
    /// Whether a record is made, and no other one changed.
    private let isNew: Bool
    private let messages: Messages

    /// The answer that leaves the form.
    private static let leaving = "."
    /// The answer that clears a field.
    private static let clearing = "-"

    /// - Parameters:
    ///   - record: the record that is changed, or the values of the operation that is corrected; nil if a record is
    ///     made.
    ///   - time: the clock of the person, by which days are meant.
    init(_ action: OfferedAction, of description: CollectionDescription, record: AnswerValue?, time: LocalTime) {
        let offered = action.fields.filter { $0.name != description.writes?.fileField }
        messages = time.messages
        isNew = record == nil
        form = RecordForm(offered, of: description, choosesBools: true, time)
        form.fill(record)
    }

    var fields: [FormField] { form.fields }

    /// Leaves out the fields that an operation does not give.
    mutating func keep(only values: AnswerValue?) { form.keep(only: values) }

    /// Adopts the record as it is now as the one that is changed; what was given stays.
    mutating func rebase(on record: AnswerValue) { form.rebase(on: record) }

    /// The values that were given, without those that the record has already.
    var values: JSONObject { form.values(isNew ? .present : .changed) }

    /// The values as the record had them when the form began, of the fields that were given.
    var expected: JSONObject { form.replacedValues }

    /// The question for a field; it ends without a newline.
    func question(for index: Int) -> String {
        let field = fields[index]
        var notes = field.field.isRequired ? [messages.required] : []
        notes += field.limits
        if let value = field.label { notes.append(messages.now(value)) }
        let heading = field.heading + (notes.isEmpty ? "" : " (\(notes.joined(separator: "; ")))")
        guard !field.choices.isEmpty else { return heading + ": " }
        var lines = [heading]
        for (index, choice) in field.choices.enumerated() {
            lines.append("  \(index + 1). \(choice.text)")
        }
        return lines.joined(separator: "\n") + "\n\(messages.numberOrCode): "
    }

    /// Reads the answer for a field.
    mutating func answer(_ answer: String, for index: Int) -> Outcome {
        let text = PlainLine.trimmed(answer[...])
        if text == Self.leaving { return .left }
        if text.isEmpty || text == Self.clearing {
            let field = fields[index]
            if field.field.isRequired, !text.isEmpty || field.isBlank { return .again(messages.isRequired) }
            if !text.isEmpty { _ = form.edit(index) { $0.answer("") } }
            return .accepted
        }
        let before = fields[index]
        guard form.edit(index, { $0.answer(text) }) else {
            return .again(messages.noName(Escaping.line(text), among: before.choiceLabels))
        }
        guard let problem = fields[index].localProblem() else { return .accepted }
        restore(before, at: index)
        return .again(problem.lineOfField)
    }

    /// Takes back the answer for a field, whose value is then as before.
    mutating func restore(_ field: FormField, at index: Int) { form.edit(index) { $0 = field } }
}

/// An operation in the making: its form and files; pure.
struct PlainSubmission {
    let action: OfferedAction
    var form: PlainForm
    /// The files that were sent for it, each with a line about it.
    var files: [(upload: String, line: String)] = []
    /// The hashes of the files that leave the record.
    var detached: [String] = []
    /// The files that are taken away, a line for each.
    var detachedLines: [String] = []
    private let base: SubmitParameters

    /// - Parameter base: what the parameters have whatever is typed, the UUID of the operation among it: it is the same
    ///   however often an answer is lost.
    init(_ action: OfferedAction, _ form: PlainForm, base: SubmitParameters) {
        self.action = action
        self.form = form
        self.base = base
    }

    /// The id of the record that is changed; nil if one is made.
    var id: String? { base.id?.text }

    /// Whether nothing was given.
    var isEmpty: Bool { form.values.isEmpty && files.isEmpty && detached.isEmpty }

    /// The request as it stands.
    func parameters(isDryRun: Bool) -> SubmitParameters {
        var parameters = base
        let values = form.values
        parameters.isDryRun = isDryRun
        parameters.fields = values.isEmpty ? nil : FieldValues(values)
        parameters.expect = id == nil || values.isEmpty ? nil : FieldValues(form.expected)
        parameters.attach = files.isEmpty ? nil : NameList(files.map(\.upload))
        parameters.detach = detached.isEmpty ? nil : NameList(detached)
        return parameters
    }

    /// The indices of the fields that problems name.
    func fields(with problems: [FieldProblemText]) -> [Int] { form.form.indices(with: problems) }

    /// Whether a problem is one of the files.
    func hasFileProblem(_ problems: [FieldProblemText]) -> Bool {
        action.files.map { limits in problems.contains { $0.field == limits.field } } ?? false
    }
}
