// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
public import ClaimsJSON

/// Checks what a caller gives for an action, and tells all mistakes at once. Pure.
///
/// ```swift
/// let checker = WriteChecker(definition, rules, calendar: calendar) { collection, id in … }
/// do throws(InvalidWrite) {
///     let write = try checker.check(action, fields: fields)
/// } catch { … error.problems … }
/// ```
public struct WriteChecker {
    let definition: Definition
    let rules: WriteRules
    /// The time of the operation, and the calendar that words such as `today` are meant in.
    let calendar: CivilCalendar
    /// Whether a collection, by its name, has a record of that id.
    let isReference: (_ collection: String, _ id: String) -> Bool

    /// A checker for one moment.
    ///
    /// - Parameter isReference: Returns whether a collection, by its name, has a record of that id.
    public init(
        _ definition: Definition, _ rules: WriteRules, calendar: CivilCalendar,
        isReference: @escaping (_ collection: String, _ id: String) -> Bool
    ) {
        self.definition = definition
        self.rules = rules
        self.calendar = calendar
        self.isReference = isReference
    }

    /// The write that the values make.
    ///
    /// - Parameters:
    ///   - fields: Values by the names of fields; null and blank texts clear. Of one name the last counts.
    ///   - files: The files that are attached and taken away.
    ///   - expected: The values that the caller expects the record to have; only the names are looked at.
    /// - Throws: All mistakes.
    public func check(
        _ action: WriteAction, fields: JSONObject, files: FileChange = FileChange(), expected: JSONObject = JSONObject()
    ) throws(InvalidWrite) -> CheckedWrite {
        var problems = unknownFields(fields.members.map(\.key))
        problems += unknownFields(
            expected.members.map(\.key).filter { name in
                !name.hasSuffix(".raw") || definition.fieldIndex(String(name.dropLast(4))) == nil
            }
        ).filter { problem in !problems.contains { $0.field == problem.field } }
        let values = Dictionary(fields.members.map { ($0.key, $0.value) }, uniquingKeysWith: { $1 })
        var write = CheckedWrite(action: action, set: resolve(action.set), shows: resolve(action.shows))
        let assigned = Set((action.set + action.shows).map(\.field))
        for (index, field) in definition.fields.enumerated() {
            let rule = rules.rule(of: index)
            let isRequired = field.isRequired || rule?.isRequired ?? false
            guard let value = values[field.name] else {
                let isMissing = isRequired && action.kind == .create && action.fields.contains(index)
                if isMissing, !assigned.contains(index) { problems.append(missing(field, isCleared: false)) }
                continue
            }
            guard let rule, action.fields.contains(index) else {
                problems.append(notWritable(index, action))
                continue
            }
            if TypedValue.isBlank(value) {
                if isRequired {
                    problems.append(missing(field, isCleared: action.kind != .create))
                } else if action.kind != .create {
                    write.given.append(WrittenValue(field: index, value: .null))
                }
                continue
            }
            let found = self.problems(of: value, rule, for: action.request)
            problems += found
            if found.isEmpty { write.given.append(WrittenValue(field: index, value: normal(value, index))) }
        }
        problems += self.problems(of: files, action)
        if !problems.isEmpty { throw InvalidWrite(problems) }
        return write
    }

    /// The values that an action gives by itself.
    private func resolve(_ assignments: [WriteAction.Assignment]) -> [WrittenValue] {
        assignments.map { assignment in
            guard assignment.isNow(in: definition) else {
                return WrittenValue(field: assignment.field, value: normal(assignment.value, assignment.field))
            }
            var text: [UInt8] = []
            if definition.fields[assignment.field].type == .date {
                CivilDate.append(calendar.today, to: &text)
            } else {
                Instant(ms: calendar.now).append(to: &text)
            }
            return WrittenValue(field: assignment.field, value: .string(String(decoding: text, as: UTF8.self)))
        }
    }

    /// A value as it is kept: a code as the definition spells it, any other as it was given.
    private func normal(_ value: JSONValue, _ field: Int) -> JSONValue {
        guard case .code(let code)? = TypedValue(value, of: field, in: definition),
            let vocabulary = definition.vocabulary(of: field)
        else { return value }
        return .string(vocabulary.codes[code].code)
    }

    // MARK: - Fields that cannot be given

    private func unknownFields(_ given: [String]) -> [FieldProblem] {
        let candidates = definition.fields.map(\.name)
        let known = Set(candidates)
        var names: Set<String> = []
        let unknown = given.filter { !known.contains($0) && names.insert($0).inserted }
        return unknown.prefix(Self.maxUnknown).enumerated().map { index, key in
            let name = Self.excerpt(key)
            let text = ErrorText(en: "there is no field '\(name)'", pl: "nie ma pola „\(name)”")
            // A guess takes a comparison with every field.
            guard index < Self.maxGuesses else { return FieldProblem(name, .unknown, text) }
            let list = candidates.joined(separator: ", ")
            return FieldProblem(
                name, .unknown, text,
                hint: Suggestion.question(name, among: candidates)
                    ?? ErrorText(en: "the fields are \(list)", pl: "pola to \(list)"))
        }
    }

    /// How many unknown fields are told.
    private static let maxUnknown = 100
    /// How many of them are told with the field that may be meant.
    private static let maxGuesses = 8

    private func missing(_ field: Field, isCleared: Bool) -> FieldProblem {
        FieldProblem(
            field.name, .required,
            isCleared
                ? ErrorText(en: "'\(field.name)' cannot be cleared", pl: "pola „\(field.name)” nie można wyczyścić")
                : ErrorText(en: "'\(field.name)' is missing", pl: "brak wartości pola „\(field.name)”"))
    }

    private func notWritable(_ index: Int, _ action: WriteAction) -> FieldProblem {
        let name = definition.fields[index].name
        let names = action.fields.map { definition.fields[$0].name }.joined(separator: ", ")
        return FieldProblem(
            name, .notWritable,
            ErrorText(
                en: "'\(name)' cannot be given with '\(action.name)'",
                pl: "pola „\(name)” nie można podać w działaniu „\(action.name)”"),
            hint: names.isEmpty
                ? ErrorText(en: "it takes no fields", pl: "nie przyjmuje ono żadnych pól")
                : ErrorText(en: "it takes \(names)", pl: "przyjmuje ono pola: \(names)"))
    }

    /// The beginning of a name that a caller made up.
    static func excerpt(_ name: String) -> String {
        let scalars = name.unicodeScalars
        guard scalars.count > maxExcerpt else { return name }
        return String(String.UnicodeScalarView(scalars.prefix(maxExcerpt))) + "…"
    }

    private static let maxExcerpt = 64
}
