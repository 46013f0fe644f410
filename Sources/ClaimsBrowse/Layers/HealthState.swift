// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
import ClaimsModel
import ClaimsProtocol
import ClaimsTerminal

/// The tab of the daemon's and the collections' state.
struct HealthState: LayerMachine {
    /// The attempts to refresh of each collection, from which the plots are made; nil if none has come.
    private(set) var attempts: [String: [RefreshPlot.Attempt]]
    /// The index of the selected collection, in the order of the tabs.
    private(set) var selected = 0
    /// The first line that is shown.
    private(set) var scroll = 0
    /// The time of the monotonic clock at which the attempts are asked for again; nil for never.
    private(set) var wakeAt: UInt64?
    private var isShown = false
    /// The collections that are still to be asked about; one at a time, so that nothing else waits for them.
    private var waiting: [String] = []
    private var asked: (tag: BrowseRequest.Tag, collection: String)?

    /// The span that the plots show, in milliseconds.
    static let plotSpan: Int64 = 86_400_000
    /// The time between two questions for the attempts, in nanoseconds.
    private static let pace: UInt64 = 60_000_000_000

    init(attempts: [String: [RefreshPlot.Attempt]] = [:]) { self.attempts = attempts }

    /// Selects a collection.
    mutating func select(_ index: Int) { selected = index }

    /// The plot of a collection's refreshes; nil if none are known.
    ///
    /// - Parameter slots: its width in cells.
    func plot(of collection: String, at moment: BrowseMoment, slots: Int) -> RefreshPlot? {
        attempts[collection].map {
            RefreshPlot($0, from: moment.wall - Self.plotSpan, to: moment.wall, slots: slots)
        }
    }

    mutating func handle(_ event: LayerEvent, _ context: inout LayerContext) -> LayerOutcome {
        switch event {
        case .opened:
            isShown = true
            return begin(&context)
        case .hidden:
            isShown = false
            wakeAt = nil
        case .connected: if isShown { return begin(&context) }
        case .lost: (asked, waiting, wakeAt) = (nil, [], nil)
        case .woken:
            guard let time = wakeAt, time <= context.moment.monotonic else { return .unhandled }
            return begin(&context)
        case .answered(let tag, let value):
            guard let asked, asked.tag == tag else { return .unhandled }
            attempts[asked.collection] = value[RefreshesResult.refreshes].compactMap(RefreshPlot.Attempt.init)
            return next(&context)
        case .refused(let tag, _):
            // An older daemon keeps no attempts; its status is shown without plots.
            guard asked?.tag == tag else { return .unhandled }
            return next(&context)
        case .wheel(let step):
            scroll = context.scrolled(scroll, by: step * LayerContext.wheelLines)
            keepSelectionInView(context)
        case .key(let key): return handle(key, context)
        case .paste, .performed, .changed: return .unhandled
        }
        return .stay
    }

    private mutating func handle(_ key: Key, _ context: LayerContext) -> LayerOutcome {
        switch BrowseKeys.action(of: key, in: .status) {
        case .nextRecord?: step(1, context)
        case .previousRecord?: step(-1, context)
        case .first?: (selected, scroll) = (0, 0)
        case .last?: (selected, scroll) = (max(0, context.collections.count - 1), context.maxScroll)
        case .open?:
            guard let name = selectedCollection(context.collections) else { return .stay }
            return .effect(.show(collection: name))
        case let action?:
            guard let line = context.scrolled(scroll, by: action) else { return .unhandled }
            scroll = line
            keepSelectionInView(context)
        case nil: return .unhandled
        }
        return .stay
    }

    /// The name of the selected collection; nil if there is none.
    func selectedCollection(_ collections: [CollectionDescription]) -> String? {
        collections.indices.contains(selected) ? collections[selected].name : nil
    }

    /// Selects the next collection in a direction. Beyond the last one, and back to it, the remarks below scroll.
    private mutating func step(_ step: Int, _ context: LayerContext) {
        let lines = context.collectionLines
        let isInView = lines.indices.contains(selected) && lines[selected] >= scroll
        let isLast = selected >= context.collections.count - 1
        guard step < 0 ? isInView : !isLast else {
            scroll = context.scrolled(scroll, by: step)
            return
        }
        selected = max(0, min(selected + step, context.collections.count - 1))
        guard lines.indices.contains(selected) else { return }
        // The headings are above the first one.
        let top = selected == 0 ? 0 : lines[selected]
        scroll = max(min(scroll, top), lines[selected] - context.pageLines + 1)
    }

    /// Selects the first collection in view, where the selected one is not; below the last one that stays so.
    private mutating func keepSelectionInView(_ context: LayerContext) {
        let lines = context.collectionLines
        let view = scroll..<scroll + context.pageLines
        guard lines.indices.contains(selected), !view.contains(lines[selected]) else { return }
        selected = lines.firstIndex { view.contains($0) } ?? lines.endIndex - 1
    }

    private mutating func begin(_ context: inout LayerContext) -> LayerOutcome {
        guard asked == nil else { return .stay }
        let names = context.collections.map(\.name)
        attempts = attempts.filter { names.contains($0.key) }
        waiting = names
        return next(&context)
    }

    /// Asks about the next collection; after the last one rests.
    private mutating func next(_ context: inout LayerContext) -> LayerOutcome {
        asked = nil
        wakeAt = nil
        guard context.isConnected, isShown, !waiting.isEmpty else {
            waiting = []
            if isShown { wakeAt = context.moment.monotonic + Self.pace }
            return .stay
        }
        let name = waiting.removeFirst()
        var parameters = RefreshesParameters()
        parameters.collection = name
        parameters.limit = Int64(PageParameters.maxLimit)
        let request = context.requests.request(.refreshes, parameters)
        asked = (request.tag, name)
        return .commands(.ask(request))
    }
}
