// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// Turns the difference between two frames into the bytes that change a terminal from one to the other.
///
/// Terminals disagree about the width of what is not common. So the cursor is addressed anew after each cell outside
/// U+0020–7E and U+00A1–24F, and the cells that such a cell may have touched are written too: a mistake of the terminal
/// stays in its cell.
///
/// ```swift
/// let writer = FrameWriter(isColored: true)
/// output += writer.bytes(from: shown, to: frame)
/// ```
public struct FrameWriter: Sendable {
    /// Whether colours and underlines are sent; else bold and reversed cells only.
    public let isColored: Bool

    public init(isColored: Bool) { self.isColored = isColored }

    /// The bytes that make a terminal with `old` on it show `new`; empty if both are equal.
    ///
    /// - Parameter old: nil, or a frame of another size, for a terminal with anything on it.
    public func bytes(from old: Frame?, to new: Frame) -> [UInt8] {
        var pen = Pen(frame: new, mask: isColored ? 0b11111 : 0b101)
        var before = Frame(new.size)
        if let old, old.size == new.size {
            before = old
            if old.cursor != nil { pen.position = old.cursor }
        } else {
            pen.bytes += ControlSequence.hideCursor
            pen.bytes += ControlSequence.plainStyle
            pen.move(to: CellPosition(row: 0, column: 0))
            pen.bytes += ControlSequence.eraseToEndOfScreen
        }
        let firstBlank = blankRows(of: new)
        let erased = (firstBlank..<max(firstBlank, new.size.rows)).count { !isBlank($0, of: before) }
        let isErased = erased >= Self.minErasedRows
        for row in 0..<(isErased ? firstBlank : max(0, new.size.rows)) { write(row, from: before, to: new, with: &pen) }
        if isErased {
            pen.setStyle(0)
            pen.move(to: CellPosition(row: firstBlank, column: 0))
            pen.bytes += ControlSequence.eraseToEndOfScreen
        }
        pen.setStyle(0)
        if let cursor = new.cursor {
            pen.move(to: cursor)
            if before.cursor == nil { pen.bytes += ControlSequence.showCursor }
        } else if before.cursor != nil {
            pen.bytes += ControlSequence.hideCursor
        }
        return pen.bytes
    }

    private func write(_ row: Int, from old: Frame, to new: Frame, with pen: inout Pen) {
        let start = row * new.size.columns
        let end = start + new.size.columns
        let tail = blankTail(start..<end, of: new)
        let erased = (tail..<end).count { !old.cells[$0].isPlainBlank }
        let isErased = erased >= Self.minErasedCells
        var index = start
        // Cells before this may have been touched by a wide picture.
        var touchedEnd = start
        while index < (isErased ? tail : end) {
            let width = new.width(at: index)
            let isChanged = (index..<index + width).contains { !new.isSame($0, as: old, $0) }
            if isChanged || index < touchedEnd {
                let second = index + 1
                let isOverText =
                    width > 1 && !old.cells[second].isContinuation && old.cells[second].scalar != 0x20
                pen.put(index, width: width, clearing: isOverText)
                touchedEnd = max(touchedEnd, new.touchedEnd(at: index))
            }
            index += width
        }
        if isErased {
            pen.setStyle(0)
            pen.move(to: CellPosition(row: row, column: tail - start))
            pen.bytes += ControlSequence.eraseToEndOfLine
        }
    }

    /// The number of cells from which on erasing takes fewer bytes than blanks.
    private static let minErasedCells = 4
    /// The number of rows from which on they are erased together.
    private static let minErasedRows = 2

    /// The row from which on all are blank.
    private func blankRows(of frame: Frame) -> Int {
        var first = max(0, frame.size.rows)
        while first > 0, isBlank(first - 1, of: frame) { first -= 1 }
        return first
    }

    private func isBlank(_ row: Int, of frame: Frame) -> Bool {
        frame.cells[row * frame.size.columns..<(row + 1) * frame.size.columns].allSatisfy { $0.isPlainBlank }
    }

    /// The index from which on the cells of a row are plain blanks.
    private func blankTail(_ row: Range<Int>, of frame: Frame) -> Int {
        var tail = row.upperBound
        while tail > row.lowerBound, frame.cells[tail - 1].isPlainBlank { tail -= 1 }
        return tail
    }
}

/// The bytes that are made, and what they leave the terminal with.
private struct Pen {
    let frame: Frame
    /// The parts of a style that are sent.
    let mask: UInt32
    var bytes: [UInt8] = []
    /// Where the cursor is; nil if terminals may disagree.
    var position: CellPosition?
    private var code: UInt32 = 0

    init(frame: Frame, mask: UInt32) {
        self.frame = frame
        self.mask = mask
    }

    mutating func setStyle(_ new: UInt32) {
        ControlSequence.appendStyle(from: code, to: new & mask, bytes: &bytes)
        code = new & mask
    }

    mutating func move(to target: CellPosition) {
        guard position != target else { return }
        ControlSequence.appendMove(row: target.row, column: target.column, to: &bytes)
        position = target
    }

    /// Writes the cell of that index, at its position.
    ///
    /// - Parameter isClearing: whether blanks are written first, for terminals that take it for narrower.
    mutating func put(_ index: Int, width: Int, clearing isClearing: Bool) {
        let columns = frame.size.columns
        let target = CellPosition(row: index / columns, column: index % columns)
        let cell = frame.cells[index]
        if cell.isCommon, bridge(to: target) == false { move(to: target) }
        setStyle(cell.code)
        if !cell.isCommon {
            if isClearing {
                move(to: target)
                bytes += Array(repeating: 0x20, count: width)
                position = nil
            }
            // A mark joins the cell before, unless the cursor came from elsewhere.
            if frame.beginsWithMark(at: index) { position = nil }
            move(to: target)
        }
        frame.appendCluster(at: index, to: &bytes)
        let isLast = target.column + 1 >= columns
        position = cell.isCommon && !isLast ? CellPosition(row: target.row, column: target.column + 1) : nil
    }

    /// Writes the few common cells between the cursor and a cell anew, where that takes fewer bytes than moving.
    private mutating func bridge(to target: CellPosition) -> Bool {
        guard let from = position, from.row == target.row, from.column < target.column,
            target.column - from.column <= Self.maxBridgedCells
        else { return false }
        let start = target.row * frame.size.columns
        let range = start + from.column..<start + target.column
        guard range.allSatisfy({ frame.cells[$0].isASCII && frame.cells[$0].code & mask == code }) else { return false }
        for index in range { frame.appendCluster(at: index, to: &bytes) }
        position = target
        return true
    }

    private static let maxBridgedCells = 4
}

extension Frame {
    /// The number of cells that the cluster of this cell takes from here on.
    func width(at index: Int) -> Int {
        let rowEnd = (index / size.columns + 1) * size.columns
        var end = index + 1
        while end < rowEnd, cells[end].isContinuation { end += 1 }
        return end - index
    }

    /// The index before which a terminal may touch cells as it draws the cluster of this cell.
    func touchedEnd(at index: Int) -> Int {
        guard let cluster = cells[index].cluster else { return index + (cells[index].isCommon ? 1 : 2) }
        return index + 2 * clusters[cluster].count { $0 & 0xC0 != 0x80 }
    }

    /// Whether the cluster begins with a scalar that joins what is before it.
    fileprivate func beginsWithMark(at index: Int) -> Bool {
        var bytes: [UInt8] = []
        appendCluster(at: index, to: &bytes)
        guard let first = String(decoding: bytes, as: UTF8.self).unicodeScalars.first else { return false }
        return String(String.UnicodeScalarView([" ", first])).count == 1 || first.properties.isEmojiModifier
            || (0x1100...0x11FF).contains(first.value) || (0xD7B0...0xD7FF).contains(first.value)
            || (0x1F1E6...0x1F1FF).contains(first.value)
    }
}

extension ScreenCell {
    /// Whether every terminal shows the cell in one cell: a scalar of U+0020–7E or U+00A1–24F.
    var isCommon: Bool { isASCII || cluster == nil && (0xA1...0x24F).contains(scalar) }

    fileprivate var isASCII: Bool { cluster == nil && (0x20...0x7E).contains(scalar) }
}
