// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// The lines of the uppermost layer, or of a tab without a list, as far as they do not fit on the screen.
struct LayerGeometry {
    /// The maximum first line that is shown, so that nothing scrolls past its end.
    let maxScroll: Int
    /// The line of each collection in the tab of the status; empty where another tab is shown.
    let collectionLines: [Int]

    init(_ state: BrowseState) {
        var lines = Self.lines(of: state)
        if state.layers.isEmpty, state.tab == .status {
            let content = state.statusContent.lines(width: state.regions.listTextWidth)
            collectionLines = content.starts
            lines = content.lines.count
        } else {
            collectionLines = []
        }
        maxScroll = max(0, lines - state.regions.bodyLines)
    }

    private static func lines(of state: BrowseState) -> Int {
        let regions = state.regions
        switch state.layers.last {
        case .detail(let detail)?: return state.lines(of: detail).count
        case .operation(let layer)?: return state.lines(of: layer).count
        case .help(let help)?: return state.lines(of: help).count
        // The heading of a form stays in view.
        case .form(let form)?: return state.content(of: form).lines(width: regions.listTextWidth).lines.count + 1
        default: return 0
        }
    }
}
