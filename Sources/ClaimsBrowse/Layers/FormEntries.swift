// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
import ClaimsJSON
import ClaimsProtocol
import ClaimsTerminal

/// The entries of a form as keys reach them: its fields in the order of the definition, then its files.
struct FormEntries: Sendable {
    /// The fields with what was typed or chosen.
    private(set) var form: RecordForm
    /// The positions of the cursor in the texts of the fields, in characters; one behind the end stands for the end.
    private var cursors: [Int]
    /// The fields that the focus has left, by index, so that their problems are shown.
    private var visited: Set<Int> = []
    private(set) var files: [FormFile] = []
    /// The entry that keys go to: a field, then a file.
    private(set) var focus = 0
    /// The rules for files; nil if none can be attached.
    let fileLimits: FileLimits?
    /// Whether files can be taken from the record.
    private let canDetach: Bool

    /// The maximum size of a text, in bytes. The daemon's own bounds are lower.
    private static let maxBytes = 64 << 10

    init(_ form: RecordForm, _ fileLimits: FileLimits?, canDetach: Bool) {
        self.form = form
        cursors = Self.ends(of: form)
        self.fileLimits = fileLimits
        self.canDetach = canDetach
    }

    var fields: [FormField] { form.fields }

    /// The number of entries: fields, then files.
    var count: Int { fields.count + files.count }

    /// The text of a field, with its cursor.
    func line(of index: Int) -> EditedLine { EditedLine(fields[index].text, cursor: cursors[index]) }

    private static func ends(of form: RecordForm) -> [Int] { form.fields.map { _ in .max } }

    /// Whether something was typed or chosen that leaving would lose.
    var isChanged: Bool {
        form.isChanged
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
        form.fill(values)
        cursors = Self.ends(of: form)
    }

    /// Leaves out the fields that an operation does not give, unless it gives none.
    mutating func keep(only values: AnswerValue?) {
        form.keep(only: values)
        cursors = Self.ends(of: form)
    }

    /// Adds an entry for one more file, if the rules have room for it.
    mutating func addEmptyFile() {
        guard let fileLimits, files.last?.isEmpty != true, Int64(files.count) < fileLimits.max else { return }
        files.append(.empty)
    }

    // MARK: - Keys

    /// Applies a key to the entry that has the focus; false for a key that the entry does not use.
    mutating func apply(_ key: Key) -> Bool {
        if fields.indices.contains(focus) { return applyToField(key) }
        let index = focus - fields.count
        guard files.indices.contains(index) else { return false }
        return files[index].apply(key, canDetach: canDetach)
    }

    private mutating func applyToField(_ key: Key) -> Bool {
        let field = fields[focus]
        guard field.choices.isEmpty else {
            switch field.choice(after: key) {
            case .unhandled: return false
            case .same: return true
            case .chosen(let index):
                form.edit(focus) { $0.choose(index) }
                return true
            }
        }
        var line = line(of: focus)
        if field.field.hasLines, key == .enter {
            return apply(line.insert("\n", maxBytes: Self.maxBytes), line)
        }
        if field.field.hasLines, key == .up || key == .down {
            guard line.moveLine(by: key == .up ? -1 : 1) else { return false }
            return apply(.moved, line)
        }
        return apply(line.apply(key, maxBytes: Self.maxBytes), line)
    }

    /// Adopts what became of the text of the field that has the focus; false for a key that is none of a text.
    private mutating func apply(_ result: EditedLine.Result, _ line: EditedLine) -> Bool {
        switch result {
        case .edited: form.edit(focus) { $0.enter(text: line.text) }
        case .moved, .full: break
        case .unhandled: return false
        }
        cursors[focus] = line.cursor
        return true
    }

    /// Inserts what was pasted.
    mutating func paste(_ text: String) {
        if fields.indices.contains(focus) {
            guard fields[focus].choices.isEmpty else { return }
            var line = line(of: focus)
            _ = apply(line.insert(text, maxBytes: Self.maxBytes), line)
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
        visited.insert(focus)
        return true
    }

    // MARK: - Problems

    /// Shows the problems of all fields from now on.
    mutating func visitAll() {
        visited = Set(fields.indices)
    }

    /// Shows the problems that can be seen without the daemon, of the fields that were visited.
    mutating func showLocalProblems() {
        for index in visited.sorted() where fields.indices.contains(index) {
            guard let problem = fields[index].localProblem() else { continue }
            form.edit(index) { $0.show([problem]) }
        }
    }

    /// Puts each problem under its field or files.
    ///
    /// - Returns: those that belong to no entry.
    mutating func show(_ problems: [FieldProblemText], onlyVisited: Bool) -> [FieldProblemText] {
        let visited = visited
        var rest = form.show(problems) { !onlyVisited || visited.contains($0) }
        if let fileLimits, let last = files.indices.last {
            let ofFiles = rest.filter { $0.field == fileLimits.field }
            files[last].show(onlyVisited ? [] : ofFiles)
            rest.removeAll { $0.field == fileLimits.field }
        }
        return rest
    }

    /// Adopts values that the record has by now; a field that was changed here too shows both.
    mutating func adopt(served values: AnswerValue?) {
        let before = fields.map(\.text)
        form.adopt(values)
        for index in fields.indices where fields[index].text != before[index] { cursors[index] = .max }
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

extension FormField {
    /// The meaning of a key for a field with choices.
    enum Choosing {
        /// Another value, by its index; nil for none.
        case chosen(Int?)
        /// The key means nothing here, but it is one of such a field.
        case same
        case unhandled
    }

    func choice(after key: Key) -> Choosing {
        // The index -1 stands for no value, where it may be missing.
        let lowest = isRequired ? 0 : -1
        let present = choice ?? -1
        let chosen: Int
        switch key {
        case .right, .character(" "): chosen = present + 1 < choices.count ? present + 1 : lowest
        case .left: chosen = present > lowest ? present - 1 : choices.count - 1
        case .home: chosen = 0
        case .end: chosen = choices.count - 1
        case .backspace, .delete, .control("u"): chosen = lowest
        case .character(let scalar):
            // A letter goes to the next code that begins with it.
            let letter = String(Character(scalar)).lowercased()
            let order = choices.indices.map { (present + 1 + $0) % choices.count }
            guard let found = order.first(where: { choices[$0].label.lowercased().hasPrefix(letter) }) else {
                return .same
            }
            chosen = found
        default: return .unhandled
        }
        return .chosen(chosen < 0 ? nil : chosen)
    }
}
