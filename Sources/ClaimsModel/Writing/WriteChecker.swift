// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
public import ClaimsJSON

/// Checks the values that a caller gives for an action, and reports all mistakes at once. Pure.
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

    /// The values that an action itself sets.
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

    /// The mistakes of naming fields that a rule of access hides or masks.
    public func unseen(_ names: [String], _ action: WriteAction) -> [FieldProblem] {
        let masked = definition.fields.indices.filter { index in
            if case .masked = definition.sight(of: index) {
                names.contains(definition.fields[index].name)
            } else {
                false
            }
        }
        return unknownFields(names) + masked.map { notWritable($0, action) }
    }

    private func unknownFields(_ given: [String]) -> [FieldProblem] {
        let candidates = definition.shownNames
        let known = Set(candidates)
        var names: Set<String> = []
        let unknown = given.filter { !known.contains($0) && names.insert($0).inserted }
        return unknown.prefix(Self.maxUnknown).enumerated().map { index, key in
            let name = Self.excerpt(key)
            let text = TranslatedText(en: "there is no field '\(name)'", pl: "nie ma pola „\(name)”")
            // A guess needs a comparison with every field.
            guard index < Self.maxGuesses else { return FieldProblem(name, .unknown, text) }
            let list = candidates.joined(separator: ", ")
            return FieldProblem(
                name, .unknown, text,
                hint: Suggestion.question(name, among: candidates)
                    ?? TranslatedText(en: "the fields are \(list)", pl: "pola to \(list)"))
        }
    }

    /// The maximal number of unknown fields that are reported.
    private static let maxUnknown = 100
    /// The maximal number of them for which the field that may be meant is reported.
    private static let maxGuesses = 8

    private func missing(_ field: Field, isCleared: Bool) -> FieldProblem {
        FieldProblem(
            field.name, .required,
            isCleared
                ? TranslatedText(
                    en: "'\(field.name)' cannot be cleared", pl: "pola „\(field.name)” nie można wyczyścić")
                : TranslatedText(en: "'\(field.name)' is missing", pl: "brak wartości pola „\(field.name)”"))
    }

    private func notWritable(_ index: Int, _ action: WriteAction) -> FieldProblem {
        let name = definition.fields[index].name
        let names = action.fields.map { definition.fields[$0].name }.joined(separator: ", ")
        return FieldProblem(
            name, .notWritable,
            TranslatedText(
                en: "'\(name)' cannot be given with '\(action.name)'",
                pl: "pola „\(name)” nie można podać w działaniu „\(action.name)”"),
            hint: names.isEmpty
                ? TranslatedText(en: "it takes no fields", pl: "nie przyjmuje ono żadnych pól")
                : TranslatedText(en: "it takes \(names)", pl: "przyjmuje ono pola: \(names)"))
    }

    /// The beginning of a name that a caller made up.
    static func excerpt(_ name: String) -> String {
        let scalars = name.unicodeScalars
        guard scalars.count > maxExcerpt else { return name }
        return String(String.UnicodeScalarView(scalars.prefix(maxExcerpt))) + "…"
    }

    private static let maxExcerpt = 64
}

/// The checks of files.
extension WriteChecker {
    /// All mistakes in the files of an action.
    func problems(of files: FileChange, _ action: WriteAction) -> [FieldProblem] {
        let isLocal = rules.destination == .local
        guard let rules = rules.attachments(of: action) else {
            return files.isEmpty ? [] : [noFiles(action)]
        }
        let field = definition.fields[rules.field].name
        var problems: [FieldProblem] = []
        for file in files.attached { problems += rules.problems(of: file, field: field) }
        if !isLocal, !files.detached.isEmpty {
            problems.append(
                FieldProblem(
                    field, .notWritable,
                    TranslatedText(
                        en: "files of this collection cannot be taken away",
                        pl: "z rekordów tej kolekcji nie można usuwać plików")))
            return problems
        }
        let existing = action.kind == .create ? [] : files.existing
        if let existing {
            let remaining = files.remaining(of: existing)
            if !remaining.unknown.isEmpty {
                problems.append(
                    FieldProblem(
                        field, .unknown,
                        TranslatedText(
                            en: "the record has no such file to take away",
                            pl: "rekord nie ma takiego pliku do usunięcia")))
            }
            let kept = remaining.indexes.map { existing[$0] }
            let left = kept.count + files.added(to: kept).count
            let isChecked = action.kind == .create || !files.isEmpty
            if isChecked, left < rules.minCount || left > rules.maxCount {
                problems.append(wrongCount(left, rules, field))
            }
        }
        return problems
    }

    /// The mistake of giving files to an action that accepts none.
    public func noFiles(_ action: WriteAction) -> FieldProblem {
        let field = rules.attachments.map { definition.fields[$0.field].name } ?? "attachments"
        return FieldProblem(
            field, .notWritable,
            TranslatedText(en: "'\(action.name)' takes no files", pl: "działanie „\(action.name)” nie przyjmuje plików")
        )
    }

    private func wrongCount(_ count: Int, _ rules: AttachmentRules, _ field: String) -> FieldProblem {
        let isBelow = count < rules.minCount
        let bound = isBelow ? rules.minCount : rules.maxCount
        return FieldProblem(
            field, .count,
            isBelow
                ? TranslatedText(
                    en: "the record would have \(count) files; it needs at least \(bound)",
                    pl: "liczba plików rekordu wynosiłaby \(count), a musi wynosić co najmniej \(bound)")
                : TranslatedText(
                    en: "the record would have \(count) files; it can have at most \(bound)",
                    pl: "liczba plików rekordu wynosiłaby \(count), a może wynosić co najwyżej \(bound)"))
    }
}

extension AttachmentRules {
    /// The mistakes in one file. An upload is refused by the same ones, each as soon as it is known.
    ///
    /// - Parameter field: The name of the field that lists the files.
    public func problems(of file: OperationFile, field: String) -> [FieldProblem] {
        [
            Self.problem(ofName: file.name, field: field), problem(ofType: file.type, field: field),
            problem(ofSize: file.size, field: field),
        ].compactMap(\.self)
    }

    /// The mistake in the name of a file; nil if there is none.
    ///
    /// - Parameter field: The name of the field that lists the files.
    public static func problem(ofName name: String, field: String) -> FieldProblem? {
        let isControlled = name.unicodeScalars.contains { $0.properties.generalCategory == .control }
        let isGood = !name.isEmpty && name.utf8.count <= maxNameLength && !name.utf8.contains(UInt8(ascii: "/"))
        if isGood, !isControlled { return nil }
        return FieldProblem(
            field, .name,
            TranslatedText(en: "the file has a name that no file can have", pl: "plik ma niedozwoloną nazwę"),
            hint: TranslatedText(
                en: "1 to \(maxNameLength) bytes without '/' and control characters",
                pl: "długość w bajtach od 1 do \(maxNameLength), bez „/” i znaków sterujących"))
    }

    /// The mistake in the type of a file; nil if there is none.
    ///
    /// - Parameters:
    ///   - type: The media type that the first bytes show; nil if they show none.
    ///   - field: The name of the field that lists the files.
    public func problem(ofType type: String?, field: String) -> FieldProblem? {
        if let type, types.contains(type) { return nil }
        let kinds = types.joined(separator: ", ")
        return FieldProblem(
            field, .format,
            TranslatedText(en: "the file is of another type", pl: "plik jest innego typu"),
            hint: TranslatedText(en: "files can be \(kinds)", pl: "dozwolone typy plików: \(kinds)"))
    }

    /// The mistake in the size of a file, in bytes; nil if there is none.
    ///
    /// - Parameter field: The name of the field that lists the files.
    public func problem(ofSize size: Int64, field: String) -> FieldProblem? {
        if size <= Int64(maxSize) { return nil }
        let maximum = ByteSize.text(of: maxSize)
        return FieldProblem(
            field, .size,
            TranslatedText(en: "the file is larger than \(maximum)", pl: "plik jest większy niż \(maximum)"))
    }
}

/// The media type of a file by its first bytes, whatever its name is.
///
/// ```swift
/// FileSignature.mediaType(of: bytes.rawSpan)      // "image/png"
/// ```
public enum FileSignature {
    /// The number of bytes that decide; the whole file if it is shorter.
    public static let length = 16

    /// The type of a file that begins with `bytes`; nil for any other.
    public static func mediaType(of bytes: RawSpan) -> String? {
        let bytes = bytes.part(0, min(length, bytes.byteCount))
        // PNG (ISO 15948), section 5.2; JPEG (ITU-T T.81), annex B; PDF (ISO 32000), section 7.5.2.
        if starts(bytes, with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) { return "image/png" }
        if starts(bytes, with: [0xFF, 0xD8, 0xFF]) { return "image/jpeg" }
        if bytes.matches("%PDF-", at: 0) { return "application/pdf" }
        // TIFF 6.0, section 2, and its form for files over 4 GiB, in both byte orders.
        if bytes.matches("II", at: 0), [0x2A, 0x2B].contains(bytes.byte(at: 2)), bytes.contains(3, 1),
            bytes.byte(at: 3) == 0
        {
            return "image/tiff"
        }
        if bytes.matches("MM", at: 0), bytes.contains(2, 2), bytes.byte(at: 2) == 0,
            [0x2A, 0x2B].contains(bytes.byte(at: 3))
        {
            return "image/tiff"
        }
        // HEIF (ISO 23008-12), annex B: the major brand of the box `ftyp`.
        if bytes.matches("ftyp", at: 4),
            bytes.matches("heic", at: 8) || bytes.matches("heix", at: 8) || bytes.matches("heim", at: 8)
                || bytes.matches("heis", at: 8) || bytes.matches("mif1", at: 8)
        {
            return "image/heic"
        }
        return nil
    }

    /// The ends of the names of files of a type, the usual one first; none for a type without a signature.
    public static func nameEndings(of type: String) -> [String] {
        switch type {
        case "image/png": [".png"]
        case "image/jpeg": [".jpg", ".jpeg"]
        case "application/pdf": [".pdf"]
        case "image/tiff": [".tiff", ".tif"]
        case "image/heic": [".heic", ".heif"]
        default: []
        }
    }

    private static func starts(_ bytes: RawSpan, with prefix: [UInt8]) -> Bool { bytes.hasPrefix(prefix.rawSpan) }
}
