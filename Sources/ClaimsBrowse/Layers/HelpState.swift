// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// The table of keys.
struct HelpState: LayerMachine {
    /// The area whose keys it tells first.
    let area: BrowseArea
    var scroll = 0

    init(_ area: BrowseArea) { self.area = area }

    mutating func take(_ event: LayerEvent, _ context: inout LayerContext) -> LayerOutcome {
        switch event {
        case .wheel(let step): scroll = context.scrolled(scroll, by: step * LayerContext.wheelLines)
        case .key(let key):
            switch BrowseKeys.action(of: key, in: .detail) {
            case .back?, .leave?, .help?, .open?: return .close
            case let action?: scroll = context.scrolled(scroll, by: action) ?? scroll
            case nil: if key == .enter { return .close }
            }
        default: break
        }
        return .stay
    }
}

extension LayerContext {
    /// The lines that a step of the wheel moves by.
    static let wheelLines = 3

    /// A first line after a move by so many lines.
    func scrolled(_ line: Int, by step: Int) -> Int {
        max(0, min(min(line, maxScroll) + step, maxScroll))
    }

    /// A first line after an action that moves; nil for any other action.
    func scrolled(_ line: Int, by action: BrowseAction) -> Int? {
        switch action {
        case .nextRecord: scrolled(line, by: 1)
        case .previousRecord: scrolled(line, by: -1)
        case .nextPage: scrolled(line, by: pageLines)
        case .previousPage: scrolled(line, by: -pageLines)
        case .first: 0
        case .last: maxScroll
        default: nil
        }
    }
}
