// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
import ClaimsJSON
import ClaimsProtocol
import ClaimsTerminal

/// The entries of a form, with what was typed or chosen: its fields in the order of the definition, then its files.
struct FormEntries: Sendable {
    private(set) var fields: [FormField]
    private(set) var files: [FormFile] = []
    /// The entry that keys go to: a field, then a file.
    private(set) var focus = 0
    /// The rules for files; nil if none can be attached.
    let fileLimits: FileLimits?
    /// Whether files can be taken from the record.
    private let canDetach: Bool

    init(_ fields: [FormField], _ fileLimits: FileLimits?, canDetach: Bool) {
        self.fields = fields
        self.fileLimits = fileLimits
        self.canDetach = canDetach
    }

    /// The number of entries: fields, then files.
    var count: Int { fields.count + files.count }

    /// Whether something was typed or chosen that leaving would lose.
    var isChanged: Bool {
        fields.contains(where: \.isChanged)
            || files.contains { file in
                if case .kept = file.state { false } else { !file.isEmpty }
            }
    }

    // MARK: - Values of the record

    /// Fills the fields with a record, and the files with those that it has.
    mutating func fill(_ record: AnswerValue, _ description: CollectionDescription) {
        fill(values: record)
        guard fileLimits != nil else { return }
        let known = RecordAttachments(record, description)
        files = known.files.map { file in
            FormFile(line: EditedLine(file.name), state: .kept(reference: known.reference(to: file)))
        }
        addEmptyFile()
    }

    /// Fills the fields with values.
    mutating func fill(values: AnswerValue?) {
        for index in fields.indices { fields[index].fill(FormField.value(of: values?[fields[index].name])) }
    }

    /// Leaves out the fields that an operation does not give, unless it gives none.
    mutating func keep(only values: AnswerValue?) {
        let given = fields.filter { field in values?.members.contains { $0.name == field.name } ?? false }
        if !given.isEmpty { fields = given }
    }

    /// Adds an entry for one more file, if the rules have room for it.
    mutating func addEmptyFile() {
        guard let fileLimits, files.last?.isEmpty != true, Int64(files.count) < fileLimits.max else { return }
        files.append(.empty)
    }

    /// The values that are given: of a new record all, else those that were changed.
    func values(isNew: Bool) -> JSONObject {
        var values = JSONObject()
        for field in fields {
            guard let value = field.value else { continue }
            let isGiven = isNew ? !value.isNull : field.isChanged
            if isGiven { values[field.name] = value }
        }
        return values
    }

    /// The values that the record had when the form was filled.
    var originals: JSONObject { JSONObject(fields.map { JSONObject.Member($0.name, $0.original) }) }

    // MARK: - Keys

    /// Applies a key to the entry that has the focus; false for a key that the entry does not use.
    mutating func apply(_ key: Key) -> Bool {
        if fields.indices.contains(focus) { return fields[focus].apply(key) }
        let index = focus - fields.count
        guard files.indices.contains(index) else { return false }
        return files[index].apply(key, canDetach: canDetach)
    }

    /// Inserts what was pasted.
    mutating func paste(_ text: String) {
        if fields.indices.contains(focus) {
            fields[focus].paste(text)
        } else if files.indices.contains(focus - fields.count) {
            files[focus - fields.count].paste(text)
        }
    }

    /// Goes to another entry, or the nearest one.
    mutating func move(to index: Int) { focus = max(0, min(index, count - 1)) }

    /// Shows the problems of the field that is left from now on.
    ///
    /// - Returns: false if a file has the focus.
    mutating func leaveField() -> Bool {
        guard fields.indices.contains(focus) else { return false }
        fields[focus].visit()
        return true
    }

    // MARK: - Problems

    /// Shows the problems of all fields from now on.
    mutating func visitAll() {
        for index in fields.indices { fields[index].visit() }
    }

    /// The first field with a problem that can be seen without the daemon; nil without any.
    var localProblem: Int? { fields.firstIndex { $0.localProblem != nil } }

    /// Shows the problems that can be seen without the daemon, of the fields that were visited.
    mutating func showLocalProblems() {
        for index in fields.indices where fields[index].isVisited {
            guard let problem = fields[index].localProblem else { continue }
            fields[index].show([problem])
        }
    }

    /// Puts each problem under its field or files.
    ///
    /// - Returns: those that belong to no entry.
    mutating func show(_ problems: [FieldProblemText], onlyVisited: Bool) -> [FieldProblemText] {
        var rest = problems
        for index in fields.indices where !onlyVisited || fields[index].isVisited {
            fields[index].show(problems.filter { $0.field == fields[index].name })
        }
        rest.removeAll { problem in fields.contains { $0.name == problem.field } }
        if let fileLimits, let last = files.indices.last {
            let ofFiles = rest.filter { $0.field == fileLimits.field }
            files[last].show(onlyVisited ? [] : ofFiles)
            rest.removeAll { $0.field == fileLimits.field }
        }
        return rest
    }

    /// Adopts values that the record has by now; a field that was changed here too shows both.
    mutating func adopt(served values: AnswerValue?) {
        for (name, value) in values?.members ?? [] {
            guard let index = fields.firstIndex(where: { $0.name == name }) else { continue }
            let words = value.kind == .null ? "" : Escaping.line(value.text)
            fields[index].adopt(FormField.value(of: value), words)
        }
    }

    /// Goes to the first entry with a problem.
    mutating func focusProblem() {
        if let index = fields.firstIndex(where: { !$0.problems.isEmpty || $0.served != nil }) {
            focus = index
        } else if let index = files.firstIndex(where: { !$0.problems.isEmpty }) {
            focus = fields.count + index
        }
    }

    // MARK: - Files

    // Each is sent as soon as its path is left, and submit then names it.

    /// The path of the file that has the focus and can be sent; nil for any other entry.
    var typedPath: String? {
        let index = focus - fields.count
        guard files.indices.contains(index), case .typed = files[index].state, !files[index].path.isEmpty else {
            return nil
        }
        return files[index].path
    }

    /// Shows that the file that has the focus is not sent.
    mutating func fail(_ reason: String) { files[focus - fields.count].move(to: .failed(reason)) }

    /// Shows that the file that has the focus is on its way.
    mutating func send(_ number: SentFile.Number) {
        files[focus - fields.count].move(to: .sending(number, sent: 0, size: 0))
        addEmptyFile()
    }

    /// Shows the progress or the outcome of an upload.
    ///
    /// - Returns: the index of the file; nil if none has that number.
    mutating func update(_ number: SentFile.Number, _ state: FormFile.State) -> Int? {
        let index = files.firstIndex { file in
            if case .sending(number, _, _) = file.state { true } else { false }
        }
        if let index { files[index].move(to: state) }
        return index
    }

    /// Goes to a file.
    mutating func move(toFile index: Int) { move(to: fields.count + index) }

    /// Whether a file is still on its way to the daemon.
    var isSending: Bool {
        files.contains { file in
            if case .sending = file.state { true } else { false }
        }
    }

    /// The uploads that submit attaches.
    var uploads: [String] {
        files.compactMap { file in
            if case .sent(let sent) = file.state { sent.upload } else { nil }
        }
    }

    /// The files that the record loses, by the references that `submit` reads.
    var detached: [String] {
        files.compactMap { file in
            if case .detached(let reference) = file.state { reference } else { nil }
        }
    }
}
