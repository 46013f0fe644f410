// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON

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
                    ErrorText(
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
                        ErrorText(
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

    private func noFiles(_ action: WriteAction) -> FieldProblem {
        let field = rules.attachments.map { definition.fields[$0.field].name } ?? "attachments"
        return FieldProblem(
            field, .notWritable,
            ErrorText(en: "'\(action.name)' takes no files", pl: "działanie „\(action.name)” nie przyjmuje plików"))
    }

    private func wrongCount(_ count: Int, _ rules: AttachmentRules, _ field: String) -> FieldProblem {
        let isBelow = count < rules.minCount
        let bound = isBelow ? rules.minCount : rules.maxCount
        return FieldProblem(
            field, .count,
            isBelow
                ? ErrorText(
                    en: "the record would have \(count) files; it needs at least \(bound)",
                    pl: "liczba plików rekordu wynosiłaby \(count), a musi wynosić co najmniej \(bound)")
                : ErrorText(
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
            ErrorText(en: "the file has a name that no file can have", pl: "plik ma niedozwoloną nazwę"),
            hint: ErrorText(
                en: "1 to \(maxNameLength) bytes without '/' and control characters",
                pl: "długość w bajtach od 1 do \(maxNameLength), bez „/” i znaków sterujących"))
    }

    /// The mistake in the type of a file; nil if there is none.
    ///
    /// - Parameters:
    ///   - type: The media type that the first bytes tell; nil if they tell none.
    ///   - field: The name of the field that lists the files.
    public func problem(ofType type: String?, field: String) -> FieldProblem? {
        if let type, types.contains(type) { return nil }
        let kinds = types.joined(separator: ", ")
        return FieldProblem(
            field, .format,
            ErrorText(en: "the file is of another type", pl: "plik jest innego typu"),
            hint: ErrorText(en: "files can be \(kinds)", pl: "dozwolone typy plików: \(kinds)"))
    }

    /// The mistake in the size of a file, in bytes; nil if there is none.
    ///
    /// - Parameter field: The name of the field that lists the files.
    public func problem(ofSize size: Int64, field: String) -> FieldProblem? {
        if size <= Int64(maxSize) { return nil }
        let maximum = ByteSize.text(of: maxSize)
        return FieldProblem(
            field, .size,
            ErrorText(en: "the file is larger than \(maximum)", pl: "plik jest większy niż \(maximum)"))
    }
}
