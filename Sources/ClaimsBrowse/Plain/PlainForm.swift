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
/// Its fields are those of the form on a screen, so that both read a value in the same way.
struct PlainForm {
    /// The outcome of an answer.
    enum Outcome: Equatable {
        case accepted
        /// The answer will not do; the reason.
        case again(String)
        /// The form is left.
        case left
    }

    private(set) var fields: [FormField]
    /// Whether a record is made, and no other one changed.
    private let isNew: Bool
    /// The names of the fields that must have a value.
    private let required: Set<String>
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
        required = Set(offered.filter(\.isRequired).map(\.name))
        fields = offered.map { FormField($0, of: description, time) }
        fill(record)
    }

    private mutating func fill(_ record: AnswerValue?) {
        for index in fields.indices { fields[index].fill(FormField.value(of: record?[fields[index].name])) }
    }

    /// Leaves out the fields that an operation does not give.
    mutating func keep(only values: AnswerValue?) {
        let given = Set((values?.members ?? []).map(\.name))
        if fields.contains(where: { given.contains($0.name) }) { fields.removeAll { !given.contains($0.name) } }
    }

    /// Adopts the record as it is now as the one that is changed; what was given stays.
    mutating func rebase(on record: AnswerValue) {
        for index in fields.indices {
            fields[index].adopt(FormField.value(of: record[fields[index].name]), "")
        }
    }

    /// The values that were given, without those that the record has already.
    var values: JSONObject {
        var values = JSONObject()
        for field in fields {
            guard let value = field.value, isNew ? !value.isNull : field.isChanged else { continue }
            values[field.name] = value
        }
        return values
    }

    /// The values as the record had them when the form began, of the fields that were given.
    var expected: JSONObject {
        JSONObject(fields.filter(\.isChanged).map { JSONObject.Member($0.name, $0.original) })
    }

    /// The question for a field; it ends without a newline.
    func question(for index: Int) -> String {
        let field = fields[index]
        var notes = required.contains(field.name) ? [messages.required] : []
        notes += field.limits
        if let value = shownValue(of: field) { notes.append(messages.now(value)) }
        let heading = field.heading + (notes.isEmpty ? "" : " (\(notes.joined(separator: "; ")))")
        guard case .choice(let choices) = field.kind else { return heading + ": " }
        var lines = [heading]
        for (index, choice) in choices.enumerated() {
            lines.append("  \(index + 1). \(choice.text)")
        }
        return lines.joined(separator: "\n") + "\n\(messages.numberOrCode): "
    }

    /// The value that the field has now, as people read it; nil for none.
    private func shownValue(of field: FormField) -> String? {
        guard let value = field.value, !value.isNull else { return nil }
        if case .choice(let choices) = field.kind { return choices.first { $0.value == value }?.label }
        return Escaping.line(field.line.text)
    }

    /// Reads the answer for a field.
    mutating func answer(_ answer: String, for index: Int) -> Outcome {
        let text = PlainLine.trimmed(answer[...])
        if text == Self.leaving { return .left }
        if text.isEmpty || text == Self.clearing {
            let isMissing = fields[index].value.map(\.isNull) ?? true
            if required.contains(fields[index].name), !text.isEmpty || isMissing { return .again(messages.isRequired) }
            if !text.isEmpty { _ = fields[index].replace(with: "") }
            return .accepted
        }
        let before = fields[index]
        guard fields[index].replace(with: text) else {
            return .again(messages.noName(Escaping.line(text), among: choices(of: before)))
        }
        guard let problem = fields[index].localProblem else { return .accepted }
        fields[index] = before
        return .again(problem.lineOfField)
    }

    private func choices(of field: FormField) -> String {
        guard case .choice(let choices) = field.kind else { return "" }
        return choices.map(\.label).joined(separator: ", ")
    }

    /// Takes back the answer for a field, whose value is then as before.
    mutating func restore(_ field: FormField, at index: Int) { fields[index] = field }
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
    func fields(with problems: [FieldProblemText]) -> [Int] {
        form.fields.indices.filter { index in problems.contains { $0.field == form.fields[index].name } }
    }

    /// Whether a problem is one of the files.
    func hasFileProblem(_ problems: [FieldProblemText]) -> Bool {
        action.files.map { limits in problems.contains { $0.field == limits.field } } ?? false
    }
}
