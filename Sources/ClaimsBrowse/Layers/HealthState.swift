// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
import ClaimsScreen
import ClaimsTerminal

/// The tab of the daemon's and the collections' state.
struct HealthState: LayerMachine {
    /// The newest answer of refreshes, from which the plots are made.
    var refreshes: AnswerValue?
    /// The index of the selected collection.
    var selected = 0
    /// The first line that is shown.
    var scroll = 0

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
