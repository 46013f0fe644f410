// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsProtocol
import ClaimsTerminal

// The query of the list.

extension PlainBrowser {
    /// Changes the query; a query that is refused is taken back.
    func change(_ body: (inout ListQuery) -> Void) {
        let before = list
        body(&list.query)
        list.begin()
        leave()
        showList()
        if list.answer == nil { list = before }
    }

    func order(_ words: String) {
        guard !words.isEmpty else {
            tell("0. \(messages.ownOrder)")
            for (index, order) in list.collection.offers.orders.enumerated() {
                tell("\(index + 1). \(Escaping.line(order.name))")
            }
            return tell(messages.orFields)
        }
        let (number, orders) = (Int(words), list.collection.offers.orders)
        let named = number.flatMap { orders.indices.contains($0 - 1) ? orders[$0 - 1].name : nil }
        change { $0.order = number == 0 || words == "default" ? nil : named ?? words }
    }

    func view(_ words: String) {
        let views = list.collection.offers.views
        guard !views.isEmpty else { return tell(messages.noViews) }
        guard !words.isEmpty else {
            tell("0. \(messages.without)")
            for (index, view) in views.enumerated() {
                tell("\(index + 1). \(Escaping.line(view.title ?? view.name)); \(Escaping.line(view.name))")
            }
            return
        }
        if Int(words) == 0 { return change { $0.view = nil } }
        let number = Int(words).map { $0 - 1 }
        guard let view = views.enumerated().first(where: { $0.offset == number || $0.element.name == words })?.element
        else {
            let names = views.map { Escaping.line($0.name) }.joined(separator: ", ")
            return tell(messages.noName(Escaping.line(words), among: names))
        }
        change { $0.view = view.name }
    }

    /// Archived records hidden, shown, only these: by name, else the next of the three.
    func archived(_ words: String) {
        let modes: [ArchivedMode] = [.exclude, .include, .only]
        guard words.isEmpty || ArchivedMode(rawValue: words) != nil else {
            return tell(messages.noName(Escaping.line(words), among: modes.map(\.rawValue).joined(separator: ", ")))
        }
        change { query in
            let next = ((modes.firstIndex(of: query.archived) ?? 0) + 1) % modes.count
            query.archived = ArchivedMode(rawValue: words) ?? modes[next]
        }
    }
}
