// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON

/// Reads `access`: the rules of who sees a collection.
struct AccessRulesReader {
    /// The acts that a rule may name: the acts of every collection, and the actions of this one.
    let acts: [String]
    /// The fields of the collection.
    let fields: [Field]

    /// The rules. What is wrong with them is noted.
    func read(_ node: ConfigurationNode) -> AccessRules {
        guard let object = node.object("journal", "rules") else { return .mistaken }
        let isJournaled = object["journal"]?.bool() ?? false
        guard let list = object["rules"] else { return AccessRules(nil, isJournaled: isJournaled) }
        let elements = list.elements(of: "an array of rules, or null: all see all") ?? []
        if elements.count > AccessRules.maxRules { list.complain("more than \(AccessRules.maxRules) rules") }
        var rules: [AccessRules.Rule] = []
        for element in elements.prefix(AccessRules.maxRules) {
            if case .all? = rules.last?.subject { element.complain("no peer is left behind a rule for \"all\"") }
            if let rule = readRule(element) { rules.append(rule) }
        }
        return AccessRules(rules, isJournaled: isJournaled)
    }

    private func readRule(_ node: ConfigurationNode) -> AccessRules.Rule? {
        guard let object = node.object("to", "rows", "fields", "masks", "may") else { return nil }
        let rows = object["rows"].map { readRows($0) } ?? .all
        let fields = object["fields"].map { readFields($0) }
        let masks = object["masks"].map { readMasks($0) } ?? [:]
        let acts = object["may"].map { readActs($0) }
        guard let to = object["to"] else {
            object.complain(missing: "to", Self.subject)
            return nil
        }
        return readSubject(to).map { AccessRules.Rule($0, rows: rows, fields: fields, masks: masks, acts: acts) }
    }

    private static let subject = #""all", or { users: […], groups: […] }"#

    private func readSubject(_ node: ConfigurationNode) -> AccessRules.Subject? {
        if case .string(let text) = node.node.value {
            if text != "all" { node.complain(expected: Self.subject) }
            return .all
        }
        guard let members = node.members() else { return nil }
        if members.users.isEmpty, members.groups.isEmpty { node.complain("names nobody; expected \(Self.subject)") }
        return .members(members)
    }

    private static let filter = "a filter, such as \"region=north\""

    /// The records that are shown. Whether the filters are any is checked where filters are parsed.
    private func readRows(_ node: ConfigurationNode) -> AccessRules.Rows {
        switch node.node.value {
        case .bool(let isShown) where !isShown: return .none
        case .string:
            return node.name(Self.filter).map { .filter(AccessRules.RowFilter($0, at: node.location)) } ?? .none
        case .object:
            let entries = node.entries(of: Self.filter)
            if entries.isEmpty { node.complain(expected: "filters by group") }
            if entries.count > AccessRules.maxGroups { node.complain("more than \(AccessRules.maxGroups) groups") }
            return .groups(
                entries.compactMap { group, value in
                    value.name(Self.filter).map {
                        AccessRules.GroupFilter(group, AccessRules.RowFilter($0, at: value.location))
                    }
                })
        default:
            node.complain(
                expected: "a filter, an object GROUP: filter, null: all records, or false: no such collection")
            return .none
        }
    }

    private func readFields(_ node: ConfigurationNode) -> Set<String> {
        var names: Set<String> = []
        for element in node.elements(of: "an array of fields, such as [\"title\", \"status\"]") ?? [] {
            guard let name = element.string("the name of a field") else { continue }
            if !fields.contains(where: { $0.name == name }) {
                element.complain(unknownField: name, among: fields.map(\.name))
            }
            names.insert(name)
        }
        return names
    }

    private static let mask = "\"hidden\", \"last4\", \"year\" or { hash: CREDENTIAL }"

    private func readMasks(_ node: ConfigurationNode) -> [String: AccessRules.Mask] {
        var masks: [String: AccessRules.Mask] = [:]
        for (name, value) in node.entries(of: Self.mask) {
            guard let field = fields.first(where: { $0.name == name }) else {
                value.complain(unknownField: name, among: fields.map(\.name))
                continue
            }
            guard let mask = readMask(value) else { continue }
            if field.type == .id {
                value.complain("the id is always shown; expected another field")
            } else if !mask.fits(field.type) {
                value.complain("does not fit '\(name)', of type \(field.type.rawValue)")
            }
            masks[name] = mask
        }
        return masks
    }

    private func readMask(_ node: ConfigurationNode) -> AccessRules.Mask? {
        if case .object = node.node.value {
            guard let object = node.object("hash") else { return nil }
            guard let hash = object["hash"] else {
                object.complain(missing: "hash", "the name of a credential with the key")
                return nil
            }
            return hash.name("the name of a credential").map { .hash(credential: $0) }
        }
        switch node.string(Self.mask) {
        case "hidden": return .hidden
        case "last4": return .lastFour
        case "year": return .year
        case nil: return nil
        case _?:
            node.complain(expected: Self.mask)
            return nil
        }
    }

    private func readActs(_ node: ConfigurationNode) -> Set<String> {
        var names: Set<String> = []
        for element in node.elements(of: "an array of acts, such as [\"archive\", \"update\"]") ?? [] {
            guard let name = element.string("the name of an act") else { continue }
            if !acts.contains(name) { element.complain(unknown: name, "act", among: acts) }
            names.insert(name)
        }
        return names
    }
}
