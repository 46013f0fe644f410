// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsScreen
import ClaimsTerminal

/// The tab of the daemon's and the collections' state.
struct HealthState: LayerMachine {
    /// The attempts to refresh of each collection, from which the plots are made; nil where none has come.
    var attempts: [String: [RefreshPlot.Attempt]] = [:]
    /// The index of the selected collection, in the order of the tabs.
    var selected = 0
    /// The first line that is shown.
    var scroll = 0

    /// The span that the plots show, in milliseconds.
    static let plotSpan: Int64 = 86_400_000

    /// The plot of a collection's refreshes; nil where none are known.
    ///
    /// - Parameter slots: its width in cells.
    func plot(of collection: String, at moment: BrowseMoment, slots: Int) -> RefreshPlot? {
        attempts[collection].map {
            RefreshPlot($0, from: moment.wall - Self.plotSpan, to: moment.wall, slots: slots)
        }
    }

    mutating func take(_ event: LayerEvent, _ context: inout LayerContext) -> LayerOutcome {
        switch event {
        case .wheel(let step): scroll = context.scrolled(scroll, by: step * LayerContext.wheelLines)
        case .key(let key):
            switch BrowseKeys.action(of: key, in: .status) {
            case .nextRecord?: select(selected + 1, context)
            case .previousRecord?: select(selected - 1, context)
            case .open?:
                guard context.collections.indices.contains(selected) else { return .stay }
                return .effect(.show(collection: context.collections[selected].name))
            case let action?:
                guard let line = context.scrolled(scroll, by: action) else { return .unhandled }
                scroll = line
            case nil: return .unhandled
            }
        default: return .unhandled
        }
        return .stay
    }

    private mutating func select(_ index: Int, _ context: LayerContext) {
        selected = max(0, min(index, context.collections.count - 1))
    }
}
