// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
import ClaimsModel
import ClaimsProtocol
import ClaimsTerminal

/// The lines of a form: its fields with their values, problems beneath them, and its files; or its preview.
struct FormContent {
    let state: FormState
    let collection: CollectionDescription?
    let time: LocalTime

    private var messages: Messages { time.messages }

    /// The lines with the position of the cursor among them, and the first line of the entry that has the focus.
    struct Lines {
        var lines: [StyledLine] = []
        var cursor: CellPosition?
        var focus = 0
    }

    /// The heading, with the keys or with what is under way; where there is no room for both, the keys are left out.
    func heading(width: Int) -> String {
        let keys: String
        switch state.phase {
        case .loading: keys = messages.loadingRecord
        case .editing: keys = messages.formKeys
        case .checking: keys = messages.formChecking
        case .preview: keys = messages.previewKeys
        case .submitting: keys = messages.formSubmitting
        case .unanswered: keys = messages.formUnanswered
        }
        let note = " (\(keys))"
        let room = width - DisplayWidth.cells(of: note)
        if DisplayWidth.cells(of: state.title) <= room { return state.title + note }
        switch state.phase {
        // The last line has the keys too.
        case .editing, .preview: return Fitting.truncate(state.title, to: width)
        case .loading, .checking, .submitting, .unanswered:
            return Fitting.truncate(state.title, to: max(8, room)) + note
        }
    }

    /// The lines below the heading, each of at most `width` cells; text begins behind a mark of three cells.
    func lines(width: Int) -> Lines {
        if case .preview(let answer) = state.phase { return Lines(lines: preview(answer, width: width)) }
        var all = Lines()
        if let problem = state.problem {
            all.lines += Fitting.wrapWhole(Escaping.line(problem), to: width).map { StyledLine("! \($0)", .warning) }
        }
        let headings = state.fields.map { $0.heading + ($0.isRequired ? " *" : "") }
        let widest = headings.reduce(0) { max($0, DisplayWidth.cells(of: $1)) }
        let indent = min(widest, max(8, width / 3)) + 2
        for (index, field) in state.fields.enumerated() {
            append(field, headings[index], at: index, indent: indent, width: width, to: &all)
        }
        for (index, file) in state.files.enumerated() {
            append(file, number: index + 1, indent: indent, width: width, to: &all)
        }
        return all
    }

    private func append(
        _ field: FormField, _ heading: String, at index: Int, indent: Int, width: Int, to all: inout Lines
    ) {
        let hasFocus = index == state.focus
        if hasFocus { all.focus = all.lines.count }
        // A heading that is too long has a line of its own.
        let isAlone = DisplayWidth.cells(of: heading) > indent - 2
        if isAlone {
            all.lines += Fitting.wrapWhole(heading, to: width).map { StyledLine($0, hasFocus ? .bold : .plain) }
        }
        append(
            value(field, at: index, width: width - indent), heading: isAlone ? "" : heading,
            hasFocus: hasFocus, indent: indent, to: &all)
        var notes = Self.notes(field.problems)
        if let served = field.served { notes.append(("! \(messages.servedNow(served))", .warning)) }
        if hasFocus, field.problems.isEmpty, !field.limits.isEmpty {
            notes.append((field.limits.joined(separator: ", "), .dim))
        }
        append(notes: notes, indent: indent, width: width, to: &all)
    }

    private static func notes(_ problems: [FieldProblemText]) -> [(String, Style)] {
        problems.map { ("! \($0.lineOfField)", .warning) }
    }

    private func append(notes: [(String, Style)], indent: Int, width: Int, to all: inout Lines) {
        for (text, style) in notes {
            for piece in Fitting.wrapWhole(text, to: width - indent) {
                var line = StyledLine()
                line.pad(to: indent)
                line.append(piece, style)
                all.lines.append(line)
            }
        }
    }

    private func append(_ value: Shown, heading: String, hasFocus: Bool, indent: Int, to all: inout Lines) {
        for (index, piece) in value.lines.enumerated() {
            var line = StyledLine(index == 0 ? heading : "", hasFocus ? .bold : .plain)
            line.pad(to: indent)
            line.append(piece, value.style)
            if hasFocus, index == value.cursorLine {
                all.cursor = CellPosition(row: all.lines.count, column: indent + value.cursorCells)
            }
            all.lines.append(line)
        }
    }

    /// A value as it is shown, and where the cursor stands in it.
    private struct Shown {
        var lines: [String]
        var style = Style.plain
        var cursorLine = 0
        var cursorCells = 0
    }

    private func value(_ field: FormField, at index: Int, width: Int) -> Shown {
        if field.choices.isEmpty { return Self.shown(state.entries.line(of: index), width: width) }
        let label = field.choice.map { field.choices[$0].label } ?? "–"
        return Shown(lines: Fitting.wrapWhole("< \(label) >", to: width))
    }

    /// A typed text with its cursor. A line that is too long is shown from where the cursor is in view.
    private static func shown(_ line: EditedLine, width: Int) -> Shown {
        var shown = Shown(lines: [])
        var start = 0
        for text in line.text.split(separator: "\n", omittingEmptySubsequences: false) {
            let end = start + text.count
            var input = InputText(EditedLine(String(text), cursor: line.cursor - start), width: width)
            if start...end ~= line.cursor {
                shown.cursorLine = shown.lines.count
                shown.cursorCells = input.cursorCells
            } else {
                input = InputText(EditedLine(String(text), cursor: 0), width: width)
            }
            shown.lines.append(input.text)
            start = end + 1
        }
        return shown
    }

    private func append(_ file: FormFile, number: Int, indent: Int, width: Int, to all: inout Lines) {
        let hasFocus = state.fields.count + number - 1 == state.focus
        if hasFocus { all.focus = all.lines.count }
        var value: Shown
        var note: (String, Style)?
        switch file.state {
        case .typed:
            value = Self.shown(file.line, width: width - indent)
            note = hasFocus ? (messages.filePathHint(state.entries.fileLimits?.words(messages)), .dim) : nil
        case .kept: value = Shown(lines: [Escaping.line(file.line.text)])
        case .detached:
            value = Shown(lines: [Escaping.line(file.line.text)])
            note = (messages.fileDetached, .warning)
        case .sending(_, let sent, let size):
            value = Shown(lines: [Escaping.line(file.line.text)])
            note = (messages.fileSending(sent, of: size), .dim)
        case .sent(let sent):
            value = Shown(lines: ["\(Escaping.line(sent.name)), \(messages.size(sent.size))"])
        case .failed(let reason):
            value = Self.shown(file.line, width: width - indent)
            note = ("! \(Escaping.line(reason))", .warning)
        }
        value.lines = value.lines.map { Fitting.truncate($0, to: width - indent) }
        append(
            value, heading: messages.fileHeading(number), hasFocus: hasFocus, indent: indent, to: &all)
        append(notes: [note].compactMap(\.self) + Self.notes(file.problems), indent: indent, width: width, to: &all)
    }

    /// The record as it would be.
    private func preview(_ answer: AnswerValue, width: Int) -> [StyledLine] {
        guard let collection else { return [] }
        let maker = CellMaker(collection: collection, time: time)
        var facts = FactLines()
        if let record = answer[SubmitResult.record] {
            for field in collection.fields where field.name != collection.writes?.fileField {
                guard let cell = maker.detail(field, of: record) else { continue }
                facts.append(Escaping.line(field.heading), cell.text, field.isEmphasized ? .bold : .plain)
            }
        }
        for (index, file) in state.files.enumerated() {
            guard case .sent(let sent) = file.state else { continue }
            facts.append(messages.fileHeading(index + 1), "\(Escaping.line(sent.name)), \(messages.size(sent.size))")
        }
        let changed = answer[SubmitResult.changed].map { name in
            Escaping.line(collection.field(name.text)?.heading ?? name.text)
        }
        if !changed.isEmpty { facts.append(messages.changedFields, changed.joined(separator: ", ")) }
        let request = answer[SubmitResult.request]
        let upstream = request.map {
            "\($0[SubmitResult.Request.method] ?? "") \(Escaping.line($0[SubmitResult.Request.url] ?? ""))"
        }
        facts.append(messages.goesTo, upstream ?? messages.thisHost)
        return facts.lines(width: width)
    }
}

extension Messages {
    fileprivate var formKeys: String { text(en: "^S preview, Esc leaves", pl: "^S podgląd, Esc wychodzi") }
    fileprivate var formChecking: String { text(en: "checking…", pl: "sprawdzanie…") }
    fileprivate var previewKeys: String { text(en: "^S submits, Esc back", pl: "^S zapisuje, Esc wraca") }
    fileprivate var formSubmitting: String { text(en: "submitting…", pl: "zapisywanie…") }
    fileprivate var formUnanswered: String {
        text(en: "no answer yet; the same goes out again", pl: "brak odpowiedzi; wyślę to samo ponownie")
    }
    fileprivate func servedNow(_ value: String) -> String { text(en: "now: \(value)", pl: "teraz: \(value)") }
    /// The text about the path that a person types for a file.
    ///
    /// - Parameter limits: the files that are taken; nil if nothing is known of them.
    fileprivate func filePathHint(_ limits: String?) -> String {
        text(en: "path of a file", pl: "ścieżka pliku") + (limits.map { " (\($0))" } ?? "")
    }
    fileprivate var fileDetached: String { text(en: "goes from the record", pl: "zniknie z rekordu") }
    fileprivate func fileSending(_ sent: Int64, of size: Int64) -> String {
        text(en: "sending, \(self.size(sent, of: size))", pl: "wysyłanie, \(self.size(sent, of: size))")
    }
    fileprivate var changedFields: String { text(en: "Changes", pl: "Zmiany") }
    fileprivate var goesTo: String { text(en: "Goes to", pl: "Trafia do") }
    fileprivate var thisHost: String { text(en: "this host", pl: "tego hosta") }
}

/// A text with a cursor in a line of a screen: the part around the cursor, where the whole does not fit.
struct InputText {
    /// The part that is shown; it is escaped.
    let text: String
    /// The cells before the cursor.
    let cursorCells: Int
    /// The characters of the text before the part that is shown.
    private let dropped: Int
    private let pieces: [String]

    /// - Parameter width: the cells of the line; the cursor takes one of them behind the text.
    init(_ line: EditedLine, width: Int) {
        // Each character as it is shown, so that cells and characters can be distinguished.
        pieces = line.text.map { Escaping.line(String($0)) }
        let cells = pieces.map { DisplayWidth.cells(of: $0) }
        let cursor = min(max(0, line.cursor), pieces.count)
        let width = max(1, width)
        var start = cursor
        var used = 1
        while start > 0, used + cells[start - 1] <= width {
            start -= 1
            used += cells[start]
        }
        var end = cursor
        var total = cells[start..<cursor].reduce(0, +)
        while end < pieces.count, total + cells[end] <= width {
            total += cells[end]
            end += 1
        }
        dropped = start
        text = pieces[start..<end].joined()
        cursorCells = cells[start..<cursor].reduce(0, +)
    }

    /// The cells before a character of the text, from the start of the part that is shown; 0 for one before it.
    func cells(before character: Int) -> Int {
        guard character > dropped else { return 0 }
        return pieces[dropped..<min(character, pieces.count)].reduce(0) { $0 + DisplayWidth.cells(of: $1) }
    }
}
