// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel

/// The position of a cell, counted from 0.
public struct CellPosition: Hashable, Sendable {
    public var row: Int
    public var column: Int

    public init(row: Int, column: Int) {
        self.row = row
        self.column = column
    }
}

/// The cells of a screen at one moment, and the position of the cursor.
///
/// A grapheme cluster is in the first of its cells; a wide one takes two. No cell holds a control character, and what
/// is put outside the screen is left out.
public struct Frame: Sendable {
    public let size: ScreenSize
    /// Where the cursor stands; nil hides it.
    public var cursor: CellPosition?
    /// The cells of all rows, one row after the other.
    private(set) var cells: [ScreenCell]
    /// The clusters of more than one scalar, in UTF-8; cells name them by their index.
    private(set) var clusters: [[UInt8]] = []

    /// Makes a frame of plain blanks.
    public init(_ size: ScreenSize) {
        self.size = size
        cells = Array(repeating: .blank, count: max(0, size.columns) * max(0, size.rows))
    }

    /// Puts text, which has been escaped, on a row, and returns the number of cells that it took.
    ///
    /// It ends before the cluster that does not fit into `width` cells, or would cross the right edge. Control
    /// characters, and clusters that take no cell, are left out.
    @discardableResult
    public mutating func put(
        _ text: String, row: Int, column: Int, width: Int? = nil, style: CellStyle = .plain
    ) -> Int {
        guard row >= 0, row < size.rows, column >= 0, column < size.columns else { return 0 }
        let room = min(width ?? .max, size.columns - column)
        guard room > 0, !text.isEmpty else { return 0 }
        let first = row * size.columns + column
        let code = ScreenCell.code(of: style)
        var used = 0
        if text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) {
            used = min(room, text.utf8.count)
            release(first..<first + used)
            for (offset, byte) in text.utf8.prefix(used).enumerated() {
                cells[first + offset] = ScreenCell(scalar: UInt32(byte), code: code)
            }
            return used
        }
        for character in text {
            guard let (shown, width) = Self.shown(character) else { continue }
            if used + width > room { break }
            let cell = cell(for: shown, code: code)
            release(first + used..<first + used + width)
            cells[first + used] = cell
            for offset in 1..<max(1, width) { cells[first + used + offset] = ScreenCell(continuing: code) }
            used += width
        }
        return used
    }

    /// Gives the cells of a row this style, and leaves their text.
    ///
    /// - Parameter columns: those that get it; nil for all.
    public mutating func fill(row: Int, columns: Range<Int>? = nil, style: CellStyle) {
        guard row >= 0, row < size.rows else { return }
        let code = ScreenCell.code(of: style)
        let range = (columns ?? 0..<size.columns).clamped(to: 0..<max(0, size.columns))
        let start = row * size.columns
        // A wide cluster has the style of its first cell.
        for index in start + range.lowerBound..<start + range.upperBound {
            cells[index].setCode(cells[index].isContinuation ? cells[index - 1].code : code)
        }
        var end = start + range.upperBound
        while !range.isEmpty, end < cells.count, cells[end].isContinuation {
            cells[end].setCode(cells[end - 1].code)
            end += 1
        }
    }

    /// The scalars that are shown for a cluster, and its cells; nil for one that must not be shown.
    private static func shown(_ character: Character) -> (scalars: [Unicode.Scalar], width: Int)? {
        let cut = TextSafety.cut(character) ?? character
        let width = DisplayWidth.cells(of: cut)
        guard width > 0 else { return nil }
        var scalars = Array(cut.unicodeScalars)
        if !TextSafety.isFlag(cut) { scalars.removeAll(where: TextSafety.isUnsafe) }
        // A joiner at the end joins what the terminal shows in the next cell.
        while scalars.count > 1, scalars.last?.value == 0x200D { scalars.removeLast() }
        return scalars.isEmpty ? nil : (scalars, width)
    }

    private mutating func cell(for scalars: [Unicode.Scalar], code: UInt32) -> ScreenCell {
        if scalars.count == 1 { return ScreenCell(scalar: scalars[0].value, code: code) }
        if clusters.count > cells.count { dropUnusedClusters() }
        clusters.append(scalars.flatMap { Array(UTF8.encode($0) ?? UTF8.encodedReplacementCharacter) })
        return ScreenCell(cluster: clusters.count - 1, code: code)
    }

    /// Blanks what remains of clusters of which these cells take a part.
    private mutating func release(_ range: Range<Int>) {
        var start = range.lowerBound
        var isWhole = !cells[start].isContinuation
        while !isWhole, start > 0 {
            start -= 1
            isWhole = !cells[start].isContinuation
            cells[start].clear()
        }
        var end = range.upperBound
        while end < cells.count, cells[end].isContinuation {
            cells[end].clear()
            end += 1
        }
    }

    private mutating func dropUnusedClusters() {
        var kept: [[UInt8]] = []
        for index in cells.indices {
            guard let cluster = cells[index].cluster else { continue }
            kept.append(clusters[cluster])
            cells[index] = ScreenCell(cluster: kept.count - 1, code: cells[index].code)
        }
        clusters = kept
    }
}

extension Frame {
    /// The text of each row without the blanks at its end; a wide cluster is there once.
    public var text: [String] {
        (0..<max(0, size.rows)).map { row in
            var line = ""
            for index in indices(of: row) where !cells[index].isContinuation { line += clusterText(at: index) }
            return line.trimmedBlanks
        }
    }

    /// As ``text``, with `{b}` where a run of a style begins and `{}` where cells are plain again: b bold, u underlined,
    /// r reversed, R red, G green, M magenta. Only plain blanks at the end are left out.
    public var styledText: [String] {
        (0..<max(0, size.rows)).map { row in
            var line = ""
            var code: UInt32 = 0
            for index in indices(of: row) where !cells[index].isContinuation {
                if cells[index].code != code {
                    code = cells[index].code
                    if code == 0 { line += "{}" } else { line += "{\(cells[index].style.marks)}" }
                }
                line += clusterText(at: index)
            }
            return code == 0 ? line.trimmedBlanks : line
        }
    }

    /// The cluster whose first cell this is and its style; the text is empty in the other cells of a wide cluster.
    public func cell(at position: CellPosition) -> (text: String, style: CellStyle) {
        let index = position.row * size.columns + position.column
        return (cells[index].isContinuation ? "" : clusterText(at: index), cells[index].style)
    }

    private func indices(of row: Int) -> Range<Int> { row * size.columns..<(row + 1) * size.columns }

    private func clusterText(at index: Int) -> String {
        var bytes: [UInt8] = []
        appendCluster(at: index, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Appends the text of a cell in UTF-8.
    func appendCluster(at index: Int, to bytes: inout [UInt8]) {
        if let cluster = cells[index].cluster {
            bytes += clusters[cluster]
        } else if let scalar = Unicode.Scalar(cells[index].scalar) {
            bytes += UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter
        }
    }

    /// Whether a cell of this frame shows the same as the cell of another.
    func isSame(_ index: Int, as other: Frame, _ otherIndex: Int) -> Bool {
        let mine = cells[index]
        let theirs = other.cells[otherIndex]
        guard let cluster = mine.cluster else { return mine == theirs }
        guard let otherCluster = theirs.cluster else { return false }
        return mine.code == theirs.code && clusters[cluster] == other.clusters[otherCluster]
    }
}

extension Frame: Equatable {
    public static func == (left: Frame, right: Frame) -> Bool {
        left.size == right.size && left.cursor == right.cursor
            && left.cells.indices.allSatisfy { left.isSame($0, as: right, $0) }
    }
}

extension String {
    fileprivate var trimmedBlanks: String {
        var bytes = utf8[...]
        while bytes.last == UInt8(ascii: " ") { bytes.removeLast() }
        return String(Substring(bytes))
    }
}

extension CellStyle {
    fileprivate var marks: String {
        let colors: [Color: String] = [.red: "R", .green: "G", .magenta: "M"]
        return (isBold ? "b" : "") + (isUnderlined ? "u" : "") + (isReversed ? "r" : "")
            + (color.flatMap { colors[$0] } ?? "")
    }
}

extension Frame {
    /// The columns of a row, from the first of `columns` on, whose style can change within so many bytes.
    ///
    /// A row of cells before each of which the cursor is addressed takes ten bytes a cell and more. The range ends
    /// where the writer would not go on to cells that keep their style.
    public func restylable(row: Int, columns: Range<Int>, maxBytes: Int) -> Range<Int> {
        let columns = columns.clamped(to: 0..<max(0, size.columns))
        guard row >= 0, row < size.rows, !columns.isEmpty else { return columns.lowerBound..<columns.lowerBound }
        let start = row * size.columns
        var end = columns.lowerBound
        var touchedEnd = start
        var bytes: [UInt8] = []
        var index = start + columns.lowerBound
        // The cursor stands elsewhere before the first cell.
        var isAddressed = true
        while index < start + columns.upperBound {
            if index >= touchedEnd { end = index - start }
            if isAddressed || !cells[index].isCommon {
                ControlSequence.appendMove(row: row, column: index - start, to: &bytes)
            }
            appendCluster(at: index, to: &bytes)
            if bytes.count > maxBytes { return columns.lowerBound..<end }
            isAddressed = !cells[index].isCommon
            touchedEnd = max(touchedEnd, self.touchedEnd(at: index))
            index += width(at: index)
        }
        return columns
    }
}

/// The size of a terminal in cells.
public struct ScreenSize: Hashable, Sendable {
    public var columns: Int
    public var rows: Int

    /// The bounds of a screen; a larger terminal is used in part.
    public static let maxColumns = 1000
    public static let maxRows = 500

    public init(columns: Int, rows: Int) {
        self.columns = columns
        self.rows = rows
    }

    /// The size of a terminal that does not report its own: 80 by 24.
    public static let standard = ScreenSize(columns: 80, rows: 24)

    /// The size that a terminal reports, within the bounds; 80 by 24 if it reports none.
    public init(reported told: (columns: Int, rows: Int)?) {
        guard let told, told.columns > 0, told.rows > 0 else {
            self = .standard
            return
        }
        self.init(columns: min(told.columns, Self.maxColumns), rows: min(told.rows, Self.maxRows))
    }
}
