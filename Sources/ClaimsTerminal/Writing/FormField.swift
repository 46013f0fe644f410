// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

package import ClaimsClient
package import ClaimsJSON
import ClaimsModel

/// A field of a form: the value that the record has, what was entered instead, and what is wrong with it. Pure.
///
/// ```swift
/// var field = FormField(WritableField(offered, of: collection, time))
/// guard field.answer(line) else { return report("none of the codes") }
/// if let mistake = field.mistake { return report(mistake.message(messages)) }
/// ```
package struct FormField: Sendable {
    private enum Entry: Sendable {
        /// The field is as the record has it.
        case untouched
        /// A text was typed.
        case typed(String)
        /// A value was chosen, or given in its exact form.
        case exact(JSONValue)
    }

    /// The texts of the field, and the meaning of what is typed.
    package let field: WritableField
    private var entry = Entry.untouched
    /// The value that the record has; null for none.
    package private(set) var original: JSONValue = .null
    /// The problems that were found with the value.
    package private(set) var problems: [FieldProblemText] = []
    /// The value that the record has by now, as people read it; nil if it is still ``original``.
    package private(set) var served: String?

    package init(_ field: WritableField) { self.field = field }

    package var name: String { field.name }
    /// The title in the language of the person.
    package var heading: String { field.heading }
    /// Its limits in a few words each, such as `at most 200 characters`.
    package var limits: [String] { field.limits }
    /// The values of which one is chosen; empty for a field that is typed.
    package var choices: [WritableField.Choice] { field.choices }
    /// Whether it has to have a value.
    package var isRequired: Bool { !field.isClearable }

    // MARK: - The value

    /// Whether something was entered.
    package var isEntered: Bool {
        if case .untouched = entry { false } else { true }
    }

    /// Whether it has another value than the record.
    package var isChanged: Bool { isEntered && value != original }

    /// The value that stands in the form; nil for a text that is to be JSON and is none. A text that is to be a time and
    /// is none stands for itself.
    package var value: JSONValue? {
        do throws(TypedMistake) {
            return try read()
        } catch {
            if case .time = error, case .typed(let text) = entry { return .string(text) }
            return nil
        }
    }

    /// The reason why what was typed stands for no value; nil without one.
    package var mistake: TypedMistake? {
        do throws(TypedMistake) {
            _ = try read()
            return nil
        } catch {
            return error
        }
    }

    /// The entry, read by the type of the field.
    private func read() throws(TypedMistake) -> JSONValue {
        switch entry {
        case .untouched: original
        case .typed(let text): try field.value(typed: text)
        case .exact(let value): value
        }
    }

    /// The text of the value as a person may change it; empty for none.
    package var text: String {
        switch entry {
        case .untouched: field.text(of: original)
        case .typed(let text): text
        case .exact(let value): field.text(of: value)
        }
    }

    /// The index of the chosen value; nil for none.
    package var choice: Int? { choices.firstIndex { $0.value == value } }

    /// Whether there is no value: nothing typed, or none of the choices.
    package var isBlank: Bool { choices.isEmpty ? text.isEmpty || value == .null : choice == nil }

    /// The value as people read it, on one line; nil for none, or one that cannot be chosen.
    package var label: String? {
        guard !isBlank else { return nil }
        return choice.map { choices[$0].label } ?? Escaping.line(text)
    }

    /// The labels of the choices, as a list in a sentence.
    package var choiceLabels: String { choices.map(\.label).joined(separator: ", ") }

    // MARK: - Entering

    /// Fills the field with a value that a record has.
    package mutating func fill(_ value: JSONValue) {
        original = value
        entry = .untouched
    }

    /// Replaces the text by another one; an empty text clears the field.
    package mutating func enter(text: String) { enter(.typed(text)) }

    /// Replaces the value by another one; null clears the field.
    package mutating func enter(_ value: JSONValue) { enter(.exact(value)) }

    /// Chooses a value; nil for none.
    package mutating func choose(_ index: Int?) { enter(index.map { choices[$0].value } ?? .null) }

    private mutating func enter(_ entry: Entry) {
        self.entry = entry
        // The problems were those of the value before.
        problems = []
    }

    /// Replaces the whole value by an answer: of a choice by a number from 1, a code or a label. An empty text clears it.
    ///
    /// - Returns: false, and changes nothing, where the text means none of the choices.
    package mutating func answer(_ text: String) -> Bool {
        if choices.isEmpty {
            enter(text: text)
        } else if text.isEmpty {
            choose(nil)
        } else {
            guard let index = choices.index(named: text) else { return false }
            choose(index)
        }
        return true
    }

    /// Adopts the value that the record has by now; a value that was entered stays, and both are shown.
    package mutating func adopt(_ value: JSONValue, _ words: String) {
        guard isChanged else { return fill(value) }
        original = value
        served = words
    }

    // MARK: - Problems

    /// Shows what was found to be wrong with the value.
    package mutating func show(_ problems: [FieldProblemText]) { self.problems = problems }

    /// The problem that can be seen without the daemon; nil without one.
    ///
    /// - Parameter jsonHint: what would do in a field of JSON.
    package func localProblem(jsonHint: String = #"["7"], {"a": 1}, "a""#) -> FieldProblemText? {
        guard let mistake else { return nil }
        // The message about a time says what would do.
        if case .time = mistake { return field.problem(mistake, hint: nil) }
        return field.problem(mistake, hint: jsonHint)
    }
}

/// The form of a record: its fields with what was entered in them. Pure.
///
/// It is the one model of a form for `add`, `edit`, the editor, the form of `browse` and `--plain`, which differ in how
/// they ask.
package struct RecordForm: Sendable {
    /// The values of a form that are given to the daemon.
    package enum Extent: Sendable {
        /// All that were entered, those that clear a field among them.
        case entered
        /// All that there are, as for a new record.
        case present
        /// Those that the record does not have.
        case changed
    }

    package private(set) var fields: [FormField]

    package init(_ fields: [WritableField] = []) { self.fields = fields.map { FormField($0) } }

    /// The form of an action.
    ///
    /// - Parameters:
    ///   - choosesBools: whether yes and no are choices; else they are typed.
    ///   - time: the clock of the person, by which days are meant.
    package init(
        _ offered: [OfferedField], of collection: CollectionDescription, choosesBools: Bool = false, _ time: LocalTime
    ) {
        self.init(offered.map { WritableField($0, of: collection, choosesBools: choosesBools, time) })
    }

    /// The index of a field; nil if the form does not have it.
    package func index(of name: String) -> Int? { fields.firstIndex { $0.name == name } }

    /// The values of the form.
    package func values(_ extent: Extent) -> JSONObject {
        var values = JSONObject()
        for field in fields {
            guard let value = field.value else { continue }
            let isGiven =
                switch extent {
                case .entered: field.isEntered
                case .present: !value.isNull
                case .changed: field.isChanged
                }
            if isGiven { values[field.name] = value }
        }
        return values
    }

    /// The values that the record had when the form was filled.
    package var originals: JSONObject { JSONObject(fields.map { JSONObject.Member($0.name, $0.original) }) }

    /// The values that the record had, of the fields that have another one now.
    package var replacedValues: JSONObject {
        JSONObject(fields.filter(\.isChanged).map { JSONObject.Member($0.name, $0.original) })
    }

    /// Whether a field has another value than the record.
    package var isChanged: Bool { fields.contains(where: \.isChanged) }

    // MARK: - Values of the record

    /// Fills the fields with the values of a record.
    package mutating func fill(_ record: AnswerValue?) {
        for index in fields.indices { fields[index].fill(Self.value(of: record?[fields[index].name])) }
    }

    /// Leaves out the fields that an operation does not give, unless it gives none.
    package mutating func keep(only values: AnswerValue?) {
        let given = Set((values?.members ?? []).map(\.name))
        if fields.contains(where: { given.contains($0.name) }) { fields.removeAll { !given.contains($0.name) } }
    }

    /// Adopts values that the record has by now; a field that was changed here too shows both.
    package mutating func adopt(_ values: AnswerValue?) {
        for (name, value) in values?.members ?? [] {
            guard let index = index(of: name) else { continue }
            fields[index].adopt(Self.value(of: value), value.kind == .null ? "" : Escaping.line(value.text))
        }
    }

    /// Adopts the record as it is now as the one that is changed; what was entered stays.
    package mutating func rebase(on record: AnswerValue) {
        for index in fields.indices { fields[index].adopt(Self.value(of: record[fields[index].name]), "") }
    }

    /// The value of a member of a record, as a form reads it.
    private static func value(of value: AnswerValue?) -> JSONValue {
        value.flatMap { try? JSONValue.parse($0.source) } ?? .null
    }

    // MARK: - Entering

    /// Adds a field; one with its name is replaced.
    package mutating func put(_ field: FormField) {
        if let index = index(of: field.name) { fields[index] = field } else { fields.append(field) }
    }

    /// Enters something in a field.
    package mutating func edit<Result>(_ index: Int, _ change: (inout FormField) -> Result) -> Result {
        change(&fields[index])
    }

    // MARK: - Problems

    /// The first field with a problem that can be seen without the daemon; nil without any.
    package var firstMistake: Int? { fields.firstIndex { $0.mistake != nil } }

    /// Puts each problem under its field, and nothing under those without one.
    ///
    /// - Parameter isShown: whether the problems of a field are shown.
    /// - Returns: those that belong to no field.
    package mutating func show(
        _ problems: [FieldProblemText], where isShown: (Int) -> Bool = { _ in true }
    ) -> [FieldProblemText] {
        for index in fields.indices where isShown(index) {
            fields[index].show(problems.filter { $0.field == fields[index].name })
        }
        return problems.filter { index(of: $0.field) == nil }
    }

    /// The indices of the fields that problems are about.
    package func indices(with problems: [FieldProblemText]) -> [Int] {
        fields.indices.filter { index in problems.contains { $0.field == fields[index].name } }
    }
}
