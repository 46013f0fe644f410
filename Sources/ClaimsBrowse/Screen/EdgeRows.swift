// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
import ClaimsModel
import ClaimsProtocol
import ClaimsTerminal

/// The rows above and below the body: tabs, freshness, notices, keys, and lines of input.
struct EdgeRows {
    private let state: BrowseState
    private let regions: ScreenRegions
    private let time: LocalTime

    private var messages: Messages { time.messages }

    init(_ state: BrowseState, _ regions: ScreenRegions, _ time: LocalTime) {
        self.state = state
        self.regions = regions
        self.time = time
    }

    /// Draws the tabs, and how fresh the data is.
    func drawTop(on painter: inout ScreenPainter) {
        var column = 0
        for piece in state.tabTitles.pieces(width: regions.size.columns) {
            column += painter.put(piece.text, row: 0, column: column, style: piece.isCurrent ? .reversed : .plain)
        }
        guard let (text, style) = freshness else { return }
        painter.put(text, row: 1, column: 1, width: regions.size.columns - 2, style: style)
    }

    /// Draws the notice and the keys.
    func drawBottom(on painter: inout ScreenPainter) {
        drawNotice(on: &painter)
        drawKeys(on: &painter)
    }

    private var freshness: (String, CellStyle)? {
        switch state.link {
        case .connecting: (messages.connecting, .plain)
        case .silent(let since), .lost(let since): (messages.lostDaemon(since: time.exactClock(since)), .wrong)
        case .connected: condition?.freshness(width: regions.size.columns - 2)
        }
    }

    /// The state of the data of the collection that is shown; nil for the other tabs.
    var condition: DataCondition? {
        guard case .collection(let name) = state.tab, let collection = state.description(of: name) else { return nil }
        typealias Entry = StatusResult.Collection
        let entry = (state.status?[StatusResult.collections] ?? []).first { $0[Entry.name] == name }
        return DataCondition(collection: collection, list: state.lists[name], status: entry, time: time)
    }

    /// Draws the notice, or else what is newer than the list, where no line of input is there.
    private func drawNotice(on painter: inout ScreenPainter) {
        switch state.layers.last {
        case .input?, .question?: return
        default: break
        }
        let width = regions.size.columns - 2
        if let notice = state.notice {
            let style: CellStyle =
                switch notice.kind {
                case .done: .confirmed
                case .news: .plain
                case .wrong: .wrong
                }
            // Text that does not come from a record is escaped too: it costs nothing.
            let lines = Fitting.wrapWhole(Escaping.line(notice.text), to: width)
            let used = drawRising(lines, to: regions.noticeRow, style: style, on: &painter)
            // The news of a refresh stands beside its outcome where there is room.
            guard let news, used + Self.noticeGap + StyledLine(news).cells <= width else { return }
            let start = regions.size.columns - 1 - StyledLine(news).cells
            painter.put(news, row: regions.noticeRow, column: start, style: .bold)
        } else if let news {
            painter.put(news, row: regions.noticeRow, column: 1, width: width, style: .bold)
        }
    }

    /// Draws lines of which the last one stands in a row; the others cover the end of the body above it, and nothing
    /// else moves. What does not fit there is left out from the end.
    ///
    /// - Returns: the cells of the last line.
    @discardableResult
    private func drawRising(
        _ lines: [String], to row: Int, style: CellStyle = .plain, on painter: inout ScreenPainter
    ) -> Int {
        let width = regions.size.columns
        let shown = lines.prefix(row + 1 - regions.body.lowerBound)
        var used = 0
        for (index, line) in shown.enumerated() {
            let target = row + 1 - shown.count + index
            painter.clear(row: target, columns: 0..<width)
            used = painter.put(line, row: target, column: 1, width: width - 2, style: style)
        }
        return used
    }

    /// The cells between a notice and what is newer than the list.
    private static let noticeGap = 2

    private var news: String? {
        guard case .collection(let name) = state.tab, let list = state.lists[name] else { return nil }
        if list.held.isRebuilt { return messages.rebuilt }
        return list.held.newer.isEmpty ? nil : messages.newer(list.held.newer.count)
    }

    // MARK: - Input

    /// Draws a line of input.
    func draw(_ input: InputState, on painter: inout ScreenPainter) {
        let label: String
        switch input.purpose {
        case .search: label = messages.searchLabel
        case .filter: label = messages.filterLabel
        case .recordID: label = messages.recordIDLabel
        }
        let row = regions.noticeRow
        let start = 1 + painter.put("\(label): ", row: row, column: 1, style: .bold)
        let line = InputText(input.line, width: regions.size.columns - start - 1)
        painter.put(line.text, row: row, column: start)
        painter.cursor = CellPosition(row: row, column: start + line.cursorCells)
        if let problem = input.problem { draw(problem, of: input.line, line, column: start, on: &painter) }
    }

    /// Marks what is wrong with the input from below, and says why: beside the marks, or above the input where that
    /// has no room for all of it.
    private func draw(
        _ problem: InputProblem, of input: EditedLine, _ line: InputText, column: Int, on painter: inout ScreenPainter
    ) {
        let message = Escaping.line([problem.message, problem.hint].compactMap(\.self).joined(separator: "; "))
        let text = input.text
        let range = (problem.range ?? 0..<text.utf8.count).clamped(to: 0..<text.utf8.count)
        let start = text.characters(before: range.lowerBound)
        let end = text.characters(before: range.upperBound)
        let from = min(line.cells(before: start), max(0, regions.size.columns - column - 2))
        let to = min(max(from + 1, line.cells(before: end)), regions.size.columns - column - 1)
        let carets = String(repeating: "^", count: max(1, to - from))
        let row = regions.keyRow
        painter.put(carets, row: row, column: column + from, style: .wrong)
        let cells = StyledLine(message).cells
        if cells <= regions.size.columns - (column + to) - 2 {
            painter.put(message, row: row, column: column + to + 1, style: .wrong)
        } else if cells <= column + from - 2 {
            painter.put(message, row: row, column: 1, style: .wrong)
        } else {
            let lines = Fitting.wrapWhole(message, to: regions.size.columns - 2)
            drawRising(lines, to: regions.noticeRow - 1, style: .wrong, on: &painter)
        }
    }

    /// Draws a question.
    func draw(_ question: QuestionState, on painter: inout ScreenPainter) {
        let row = regions.noticeRow
        let suffix = " \(messages.yesOrNo) "
        let lines = Fitting.wrapWhole(question.text, to: regions.size.columns - 2 - suffix.count)
        let used = drawRising(lines, to: row, style: .bold, on: &painter)
        painter.put(suffix, row: row, column: 1 + used)
        painter.cursor = CellPosition(row: row, column: 1 + used + suffix.count)
    }

    // MARK: - Keys

    private func drawKeys(on painter: inout ScreenPainter) {
        let width = regions.size.columns - 2
        let text: String
        switch state.layers.last {
        case .input(let input)?:
            if input.problem != nil { return }
            let completions = Self.lines(of: input.completions.map { Escaping.line($0) }, width: width)
            guard completions.count != 1 else {
                painter.put(completions[0], row: regions.keyRow, column: 1, width: width)
                return
            }
            drawRising(completions, to: regions.noticeRow - 1, on: &painter)
            text = input.purpose == .filter ? messages.filterKeys : messages.inputKeys
        case .question?: text = messages.questionKeys
        case .sheet?: text = messages.sheetKeys
        case .help?: text = messages.helpKeys
        case .deal?: text = messages.dealKeys
        case .form(let form)?: text = form.isPreview ? messages.previewKeyLine : messages.fieldKeys
        case .detail?, .operation?, nil: text = keyLine(width: width)
        }
        painter.put(Self.fitted(text, to: width), row: regions.keyRow, column: 1, width: width)
    }

    /// Items in lines of at most `width` cells, each of them on one line.
    private static func lines(of items: [String], width: Int) -> [String] {
        var lines: [String] = []
        for item in items {
            let longer = lines.last.map { "\($0)  \(item)" }
            if let longer, DisplayWidth.cells(of: longer) <= width {
                lines[lines.count - 1] = longer
            } else {
                lines.append(item)
            }
        }
        return lines
    }

    /// A line of keys without those that are wanted least, where it is too long: first those that only move.
    private static func fitted(_ keys: String, to width: Int) -> String {
        let gap = "  "
        guard StyledLine(keys).cells > width, let first = keys.firstRange(of: gap) else { return keys }
        if let arrows = ["↑↓", "←→"].compactMap({ keys.firstRange(of: $0) }).first,
            let end = keys[arrows.lowerBound...].firstRange(of: gap)
        {
            return fitted(String(keys[..<arrows.lowerBound] + keys[end.upperBound...]), to: width)
        }
        return fitted(String(keys[first.upperBound...]), to: width)
    }

    /// The keys of the area that may be used here, the most wanted first, and the help at the end.
    private func keyLine(width: Int) -> String {
        let bindings = BrowseKeys.bottomLine(in: state.area).filter { canUse($0.action) }
        func item(_ binding: KeyBinding) -> String {
            "\(binding.keys.first?.name ?? "") \(binding.shortTitle.map { messages.text($0) } ?? "")"
        }
        let gap = "  "
        let always: Set<BrowseAction> = [.back, .leave, .help]
        let end = bindings.filter { always.contains($0.action) }.map(item)
        var items: [String] = []
        for binding in bindings where !always.contains(binding.action) {
            let longer = items + [item(binding)]
            guard StyledLine((longer + end).joined(separator: gap)).cells <= width else { break }
            items = longer
        }
        let line = (items + end).joined(separator: gap)
        return StyledLine(line).cells <= width ? line : end.last ?? ""
    }

    /// Whether an action does something for what is shown.
    private func canUse(_ action: BrowseAction) -> Bool {
        let shown = state.shownCollection.flatMap { state.description(of: $0) }
        let isSelective = state.shownCollection.flatMap { state.lists[$0]?.query.isSelective } ?? false
        switch action {
        case .open where !state.layers.isEmpty: return false
        case .open, .actions, .archive:
            guard state.hasSubject else { return false }
        case .followingRecord where !state.hasRecord(at: 1): return false
        default: break
        }
        switch action {
        case .actions where shown != nil && shown?.writes == nil: return false
        case .back where state.layers.isEmpty && !isSelective: return false
        // Where it would only go back.
        case .leave where !state.layers.isEmpty || isSelective: return false
        case .view where shown?.offers.views.isEmpty != false: return false
        case .archived where shown?.offers.isArchivable != true: return false
        case .add where shown == nil: return false
        case .refresh where !state.hasSource(state.stack.target?.collection ?? state.subjectCollection): return false
        default: return messages.obstacle(to: action, in: shown, roles: state.roles) == nil
        }
    }
}

extension String {
    /// The number of characters that begin before a byte.
    fileprivate func characters(before byte: Int) -> Int {
        var bytes = 0
        var count = 0
        for character in self {
            if bytes >= byte { break }
            bytes += character.utf8.count
            count += 1
        }
        return count
    }
}

extension Messages {
    fileprivate var previewKeyLine: String {
        text(en: "^S submits  ↑↓ scroll  Esc back", pl: "^S zapisuje  ↑↓ przewija  Esc wraca")
    }
    fileprivate var fieldKeys: String {
        text(
            en: "↑↓ fields  ←→ choose  ^S preview  Esc leaves", pl: "↑↓ pola  ←→ wybór  ^S podgląd  Esc wychodzi")
    }
}
