// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON

extension DefinitionReader {
    /// The orders by name. Their keys are fields only.
    func readOrders(_ node: ConfigurationNode?) -> [NamedOrder] {
        var orders: [NamedOrder] = []
        for (name, value) in node?.entries(of: "an object of orders by name") ?? [] {
            if !ReservedNames.isName(name) {
                value.complain("'\(name)' is not a name; expected a-z, 0-9 and _, beginning with a letter")
            }
            guard let order = readOrder(value, named: []) else { continue }
            orders.append(NamedOrder(name: name, order: order.order, namesID: order.namesID))
        }
        return orders
    }

    /// An order: an array of keys, or a text of keys with commas between. The name of one of `orders` stands for its
    /// keys.
    func readOrder(
        _ node: ConfigurationNode, named orders: [NamedOrder]
    ) -> (order: RecordOrder, namesID: Bool)? {
        guard let idField = fields.firstIndex(where: { $0.type == .id }) else { return nil }
        var keys: [SortKey] = []
        var namesID = false
        for (text, place) in keyTexts(node) {
            let descends = text.hasPrefix("-")
            let name = String(descends ? text.dropFirst() : text[...])
            if let order = orders.first(where: { $0.name == name }) {
                let named = descends ? order.reversed : order.order
                keys += order.namesID ? named.keys : named.keys.dropLast()
                namesID = namesID || order.namesID
                continue
            }
            guard let field = fields.firstIndex(where: { $0.name == name }) else {
                place.complain(unknown: name, "field", among: fields.map(\.name) + orders.map(\.name))
                continue
            }
            if !fields[field].type.isSortable {
                place.complain("'\(name)' is of the type json, by which nothing can be sorted")
            }
            if keys.contains(where: { $0.field == field }) {
                place.complain("'\(name)' is in the order already")
            } else if keys.contains(where: { $0.field == idField }) {
                place.complain("nothing can follow the id, which no two records share")
            }
            if field == idField { namesID = true }
            keys.append(SortKey(field: field, descending: descends))
        }
        return (RecordOrder(keys, idField: idField), namesID)
    }

    private func keyTexts(_ node: ConfigurationNode) -> [(String, ConfigurationNode)] {
        if case .string(let text) = node.node.value {
            return text.split(separator: ",").map { (String($0.filter { $0 != " " }), node) }
        }
        let expected = "an array of sort keys, such as [\"-name\", \"id\"]"
        return (node.elements(of: expected) ?? []).compactMap { element in
            element.string("the name of a field, with - before it to descend").map { ($0, element) }
        }
    }

    /// The views by name; whether their filters make sense, whoever parses filters says.
    func readViews(_ node: ConfigurationNode?) -> [NamedView] {
        var views: [NamedView] = []
        for (name, value) in node?.entries(of: "an object of filters by name") ?? [] {
            if !ReservedNames.isName(name) {
                value.complain("'\(name)' is not a name; expected a-z, 0-9 and _, beginning with a letter")
            }
            if case .string(let filter) = value.node.value {
                views.append(NamedView(name: name, filter: filter, place: value.place))
                continue
            }
            guard let object = value.object("filter", "title") else { continue }
            guard let filter = object["filter"] else {
                object.complain(missing: "filter", "a filter")
                continue
            }
            guard let text = filter.string("a filter") else { continue }
            views.append(
                NamedView(
                    name: name, filter: text, title: object["title"].flatMap { $0.localizedText() },
                    place: filter.place))
        }
        return views
    }
}
