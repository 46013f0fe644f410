// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsJSON

/// The checks of one value against its field and rule.
extension WriteChecker {
    /// All mistakes in a value that is not blank.
    ///
    /// - Parameter request: The request that sends the value; nil if this host is the truth.
    func problems(of value: JSONValue, _ rule: FieldRule, for request: WriteRequest?) -> [FieldProblem] {
        let name = definition.fields[rule.field].name
        guard let typed = TypedValue(value, of: rule.field, in: definition), isPlain(value, rule) else {
            return [wrongType(rule.field)]
        }
        var problems: [FieldProblem] = []
        switch typed {
        case .raw: problems.append(wrongCode(rule))
        case .code(let code): if !rule.codes.contains(code) { problems.append(wrongCode(rule)) }
        case .text, .json:
            if let problem = tooLong(value, rule) { problems.append(problem) }
            if Self.hasControlCharacters(value) {
                problems.append(
                    FieldProblem(
                        name, .characters,
                        TranslatedText(
                            en: "'\(name)' has control characters",
                            pl: "wartość pola „\(name)” zawiera znaki sterujące"),
                        hint: TranslatedText(
                            en: "of these only tabs and newlines can stay",
                            pl: "z nich mogą pozostać tylko tabulatory i znaki nowego wiersza")))
            }
            if request?.isMergePatch == true, Self.hasNullMember(value) { problems.append(nullMember(name)) }
            problems += missingReferences(value, rule)
        case .number, .moment, .day:
            if let problem = outOfRange(typed, rule) { problems.append(problem) }
            if let problem = tooFine(value, rule) { problems.append(problem) }
        case .bool: break
        }
        return problems
    }

    /// A code is a text; other kinds of JSON are no codes, although records may hold them.
    private func isPlain(_ value: JSONValue, _ rule: FieldRule) -> Bool {
        definition.fields[rule.field].type != .enum || value.string != nil
    }

    private func wrongType(_ index: Int) -> FieldProblem {
        let field = definition.fields[index]
        let form: TranslatedText? =
            switch field.type {
            case .integer: TranslatedText(en: "a whole number, such as 12", pl: "liczba całkowita, na przykład 12")
            case .decimal: TranslatedText(en: "a number, such as 12.50", pl: "liczba, na przykład 12.50")
            case .bool: TranslatedText(en: "true or false", pl: "true lub false")
            case .instant:
                TranslatedText(
                    en: "a moment, such as 2026-11-20T08:01:02Z", pl: "chwila, na przykład 2026-11-20T08:01:02Z")
            case .date: TranslatedText(en: "a day, such as 2026-11-20", pl: "dzień, na przykład 2026-11-20")
            case .text, .url, .enum: TranslatedText(en: "a text", pl: "tekst")
            case .id, .json: nil
            }
        return FieldProblem(
            field.name, .type,
            TranslatedText(
                en: "the value of '\(field.name)' is not of the type \(field.type.rawValue)",
                pl: "wartość pola „\(field.name)” nie jest typu \(field.type.rawValue)"),
            hint: form)
    }

    private func wrongCode(_ rule: FieldRule) -> FieldProblem {
        let name = definition.fields[rule.field].name
        let vocabulary = definition.vocabulary(of: rule.field)
        let codes = rule.codes.compactMap { vocabulary?.codes[$0].code }.joined(separator: ", ")
        return FieldProblem(
            name, .code,
            TranslatedText(
                en: "the value of '\(name)' is none of its codes",
                pl: "wartość pola „\(name)” nie jest żadnym z jego kodów"),
            hint: TranslatedText(en: "it takes \(codes)", pl: "można podać: \(codes)"))
    }

    private func tooLong(_ value: JSONValue, _ rule: FieldRule) -> FieldProblem? {
        guard let maximum = rule.maxLength else { return nil }
        let field = definition.fields[rule.field]
        let isJSON = field.type == .json
        let length = isJSON ? value.compactBytes.count : value.string?.unicodeScalars.count ?? 0
        guard length > maximum else { return nil }
        return FieldProblem(
            field.name, .length,
            isJSON
                ? TranslatedText(
                    en: "'\(field.name)' has \(length) bytes, more than \(maximum)",
                    pl: "długość wartości pola „\(field.name)” w bajtach to \(length), ponad \(maximum)")
                : TranslatedText(
                    en: "'\(field.name)' has \(length) characters, more than \(maximum)",
                    pl: "długość wartości pola „\(field.name)” w znakach to \(length), ponad \(maximum)"))
    }

    /// Whether a text, or any text inside a JSON value, has a character below U+0020 but tab and newline.
    private static func hasControlCharacters(_ value: JSONValue) -> Bool {
        switch value {
        case .null, .bool, .number: false
        case .string(let text): isControlled(text)
        case .array(let elements): elements.contains { hasControlCharacters($0) }
        case .object(let object): object.members.contains { isControlled($0.key) || hasControlCharacters($0.value) }
        }
    }

    private static func isControlled(_ text: String) -> Bool {
        text.utf8.contains { $0 < 0x20 && $0 != 0x09 && $0 != 0x0A }
    }

    /// Whether an object, or an object in it, has a member that is null. A merge patch replaces arrays as a whole.
    private static func hasNullMember(_ value: JSONValue) -> Bool {
        value.object?.members.contains { $0.value.isNull || hasNullMember($0.value) } ?? false
    }

    private func nullMember(_ name: String) -> FieldProblem {
        FieldProblem(
            name, .type,
            TranslatedText(
                en: "'\(name)' has an object with a null member, which a merge patch cannot send",
                pl: "wartość pola „\(name)” ma obiekt z elementem null, którego scalenie (merge patch) nie przekaże"),
            hint: TranslatedText(
                en: "leave the member out; null within an array can be sent",
                pl: "pomiń ten element; null wewnątrz tablicy można wysłać"))
    }

    private func missingReferences(_ value: JSONValue, _ rule: FieldRule) -> [FieldProblem] {
        guard let collection = rule.refs else { return [] }
        let name = definition.fields[rule.field].name
        guard let ids = CheckedWrite.ids(in: value) else {
            var problem = wrongType(rule.field)
            problem.hint = TranslatedText(
                en: "the id of a record, or an array of ids",
                pl: "identyfikator rekordu albo tablica identyfikatorów")
            return [problem]
        }
        let missing = ids.filter { !isReference(collection, $0) }
        guard let first = missing.first else { return [] }
        let id = Self.excerpt(first)
        let others = missing.count - 1
        let more =
            others == 0
            ? TranslatedText(en: "", pl: "") : TranslatedText(en: " (and \(others) more)", pl: " (i \(others) innych)")
        return [
            FieldProblem(
                name, .reference,
                TranslatedText(
                    en: "'\(name)': there is no record '\(id)' to refer to",
                    pl: "„\(name)”: nie ma rekordu „\(id)”, do którego można się odwołać"
                ).joined("", more))
        ]
    }

    // MARK: - Bounds

    private func outOfRange(_ value: TypedValue, _ rule: FieldRule) -> FieldProblem? {
        let name = definition.fields[rule.field].name
        if let minimum = rule.minimum, !isFrom(value, minimum) {
            return FieldProblem(
                name, .range,
                TranslatedText(
                    en: "'\(name)' is below \(minimum)", pl: "wartość pola „\(name)” jest mniejsza niż \(minimum)"))
        }
        if let maximum = rule.maximum, !isUpTo(value, maximum) {
            return FieldProblem(
                name, .range,
                TranslatedText(
                    en: "'\(name)' is above \(maximum)", pl: "wartość pola „\(name)” jest większa niż \(maximum)")
            )
        }
        return nil
    }

    /// As `>=` in a filter.
    private func isFrom(_ value: TypedValue, _ bound: String) -> Bool {
        switch value {
        case .number(let key): KeyEncoding.number(bound).map { !key.lexicographicallyPrecedes($0) } ?? true
        case .moment(let moment): DateValue(bound, in: calendar).map { moment >= range(of: $0).start } ?? true
        case .day(let day): DateValue(bound, in: calendar).map { day >= $0.day(in: calendar) } ?? true
        case .text, .code, .raw, .bool, .json: true
        }
    }

    /// As `<=` in a filter: a day as a bound counts to its end.
    private func isUpTo(_ value: TypedValue, _ bound: String) -> Bool {
        switch value {
        case .number(let key): KeyEncoding.number(bound).map { !$0.lexicographicallyPrecedes(key) } ?? true
        case .moment(let moment): DateValue(bound, in: calendar).map { moment <= range(of: $0).end } ?? true
        case .day(let day): DateValue(bound, in: calendar).map { day <= $0.day(in: calendar) } ?? true
        case .text, .code, .raw, .bool, .json: true
        }
    }

    /// The first and the last millisecond that a date means.
    private func range(of date: DateValue) -> (start: Int64, end: Int64) {
        switch date {
        case .day(let day): return (calendar.startOfDay(day), calendar.startOfDay(day + 1) - 1)
        case .moment(let moment): return (moment, moment)
        case .offset(let days):
            let moment = calendar.now + Int64(days) * Instant.msPerDay
            return (moment, moment)
        }
    }

    /// By value: zeros at the end of a fraction do not count.
    private func tooFine(_ value: JSONValue, _ rule: FieldRule) -> FieldProblem? {
        guard let maximum = rule.maxScale, let text = value.string ?? value.number,
            let scale = Self.scale(of: Array(text.utf8)), scale > maximum
        else { return nil }
        let name = definition.fields[rule.field].name
        return FieldProblem(
            name, .scale,
            TranslatedText(
                en: "'\(name)' has more digits after the point than \(maximum)",
                pl: "wartość pola „\(name)” ma po kropce więcej cyfr niż \(maximum)"))
    }

    private static func scale(of text: [UInt8]) -> Int64? {
        guard let number = NumberText(WhiteSpace.trimmed(text.rawSpan)) else { return nil }
        return max(0, Int64(number.digitCount) - number.exponent)
    }
}
