// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

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
