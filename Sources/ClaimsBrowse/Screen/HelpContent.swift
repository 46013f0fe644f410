// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsTerminal

/// The lines of the help: the keys of an area, then those of the others, from the table of keys.
struct HelpContent {
    let area: BrowseArea
    /// The collection that is shown, which may not allow everything; nil if none is.
    let collection: CollectionDescription?
    let roles: Set<String>
    let messages: Messages

    private static let keyCells = 16

    func lines(width: Int) -> [StyledLine] {
        let here = BrowseKeys.bindings(in: area)
        let elsewhere = BrowseKeys.bindings.filter { !$0.areas.contains(area) }
        var lines = [StyledLine(messages.helpHeading, .bold)]
        lines += here.flatMap { self.lines(of: $0, width: width) }
        if !elsewhere.isEmpty {
            lines += [StyledLine(), StyledLine(messages.elsewhereHeading, .bold)]
            lines += elsewhere.flatMap { self.lines(of: $0, width: width) }
        }
        return lines
    }

    /// A binding; what one may not do stands in parentheses, with what it needs.
    private func lines(of binding: KeyBinding, width: Int) -> [StyledLine] {
        var keys = binding.keyNames
        if binding.action == .chooseTab { keys = "1–9" }
        let title = messages.text(binding.title)
        let obstacle = messages.obstacle(to: binding.action, in: collection, roles: roles)
        let need = obstacle == nil ? nil : binding.need.text.map { messages.text($0) }
        let text = obstacle == nil ? title : "(\([title, need].compactMap(\.self).joined(separator: "; ")))"
        let indent = Self.keyCells + 2
        return Fitting.wrapWhole(text, to: width - indent).enumerated().map { index, piece in
            var line = StyledLine()
            if index == 0 { line.append(Fitting.truncate(keys, to: Self.keyCells)) }
            line.pad(to: indent)
            line.append(piece)
            return line
        }
    }
}

extension Messages {
    fileprivate var helpHeading: String { text(en: "Keys", pl: "Klawisze") }
    fileprivate var elsewhereHeading: String { text(en: "Elsewhere", pl: "Gdzie indziej") }
}
