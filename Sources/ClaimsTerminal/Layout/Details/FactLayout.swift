// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel

/// Names and values side by side, long values wrapped beside their names.
struct FactLayout {
    private let width: Int
    private let isColored: Bool

    /// Makes a layout with lines of `width` cells; a width below 20 counts as 20.
    init(width: Int, isColored: Bool) {
        self.width = max(20, width)
        self.isColored = isColored
    }

    /// The lines, a newline after each.
    func text(_ facts: [(name: String, cell: Cell)]) -> String {
        let nameWidth = min(24, facts.reduce(0) { max($0, DisplayWidth.cells(of: $1.name)) })
        let valueWidth = max(10, width - nameWidth - 2)
        var text = ""
        for (name, cell) in facts {
            for (index, line) in Fitting.wrap(cell.text, to: valueWidth).enumerated() {
                let shown = Fitting.pad(index == 0 ? Fitting.truncate(name, to: nameWidth) : "", to: nameWidth)
                let value = cell.style.apply(to: line, isColored: isColored)
                text += Style.dim.apply(to: shown, isColored: isColored && index == 0) + (value.isEmpty ? "" : "  ")
                text += value + "\n"
            }
        }
        return text
    }
}
