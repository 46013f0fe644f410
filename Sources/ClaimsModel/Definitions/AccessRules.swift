// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// The rules of who sees a collection, and may do what with its records.
///
/// The first rule whose `to` names a peer holds for it, alone. For a peer that no rule names there is no such collection.
///
/// ```swift
/// let access = definition.access?.resolved(user: { users[$0] }, group: { groups[$0] })
/// let rule = access?.rule(of: 1000) { $0 == 100 }
/// ```
public struct AccessRules: Sendable, Hashable {
    /// The peers that a rule is for.
    public enum Subject: Sendable, Hashable {
        case all
        /// Users and members of groups, by name or in decimal.
        case members(RoleSettings.Members)
    }

    /// The records that a rule shows.
    public enum Rows: Sendable, Hashable {
        case all
        /// None: for the peers there is no such collection.
        case none
        /// The records that a filter selects.
        case filter(RowFilter)
        /// The records that any of the filters of a peer's groups selects.
        case groups([GroupFilter])
    }

    /// A filter of a rule, and the location of its text.
    public struct RowFilter: Sendable, Hashable {
        public let text: String
        public let location: ConfigurationLocation

        public init(_ text: String, at location: ConfigurationLocation) {
            self.text = text
            self.location = location
        }
    }

    /// The filter for the members of a group, by name or in decimal.
    public struct GroupFilter: Sendable, Hashable {
        public let group: String
        public let filter: RowFilter
        /// The number of the group; nil while it is not known.
        fileprivate var number: UInt32?

        public init(_ group: String, _ filter: RowFilter) {
            self.group = group
            self.filter = filter
        }
    }

    /// A form in which a rule shows the values of a field.
    public enum Mask: Sendable, Hashable {
        case hidden, lastFour, year
        /// A hash with the key that a credential holds.
        case hash(credential: String)

        /// Whether values of a type can be shown in this form.
        public func fits(_ type: FieldType) -> Bool {
            switch self {
            case .hidden: type != .id
            case .lastFour: type == .text || type == .url
            case .year: type == .date || type == .instant
            case .hash: [.text, .url, .integer, .decimal, .date].contains(type)
            }
        }
    }

    /// One rule, for the peers that no rule before it names.
    public struct Rule: Sendable, Hashable {
        public let subject: Subject
        public fileprivate(set) var rows: Rows
        /// The names of the fields that are shown whole, beside the id; nil: all that have no mask.
        public let fields: Set<String>?
        /// The masks by the names of their fields.
        public let masks: [String: Mask]
        /// The acts that the peers may do if their roles allow it; nil: all of these.
        public let acts: Set<String>?
        /// The keys of hashes by the names of their credentials, as far as they are there.
        fileprivate var keys: [String: [UInt8]] = [:]
        /// The numbers of the users and groups, as far as they are known.
        fileprivate var users: Set<UInt32> = []
        fileprivate var groups: Set<UInt32> = []

        public init(
            _ subject: Subject, rows: Rows = .all, fields: Set<String>? = nil, masks: [String: Mask] = [:],
            acts: Set<String>? = nil
        ) {
            self.subject = subject
            self.rows = rows
            self.fields = fields
            self.masks = masks
            self.acts = acts
        }

        /// The names of the credentials with keys of hashes.
        public var credentials: [String] {
            masks.values.compactMap { if case .hash(let credential) = $0 { credential } else { nil } }.sorted()
        }

        /// The part of a field that the rule shows.
        func sight(of field: Field) -> FieldSight {
            switch masks[field.name] {
            case nil: fields?.contains(field.name) ?? true ? .whole : .hidden
            // A form that the type does not have shows nothing, and neither does a hash without its key.
            case let mask? where !mask.fits(field.type): .hidden
            case .hidden?: .hidden
            case .lastFour?: .masked(.lastFour)
            case .year?: .masked(.year)
            case .hash(let credential)?: keys[credential].map { .masked(.hash(key: $0)) } ?? .hidden
            }
        }

        /// All filters of records, whomever they are for.
        public var filters: [RowFilter] {
            switch rows {
            case .all, .none: []
            case .filter(let filter): [filter]
            case .groups(let groups): groups.map(\.filter)
            }
        }

        /// The texts of filters; a peer sees the records that any of them selects. nil: it sees all records. Empty: it
        /// sees none.
        ///
        /// - Parameter isMember: whether the peer is in a group.
        public func filters(where isMember: (UInt32) -> Bool) -> [String]? {
            switch rows {
            case .all: nil
            case .none: []
            case .filter(let filter): [filter.text]
            case .groups(let groups): groups.filter { $0.number.map(isMember) ?? false }.map(\.filter.text)
            }
        }

        fileprivate func names(_ user: UInt32, isMember: (UInt32) -> Bool) -> Bool {
            if case .all = subject { return true }
            return users.contains(user) || groups.contains(where: isMember)
        }
    }

    /// The rules in their order; nil: every peer sees everything.
    public private(set) var rules: [Rule]?
    /// Whether looks at the records are reported to the system's journal.
    public let isJournaled: Bool
    /// Whether the file has a mistake in its rules, so that no user sees the collection.
    public let isMistaken: Bool

    public init(_ rules: [Rule]?, isJournaled: Bool = false) {
        self.rules = rules
        self.isJournaled = isJournaled
        isMistaken = false
    }

    private init(isMistaken: Bool) {
        rules = []
        isJournaled = false
        self.isMistaken = isMistaken
    }

    /// No user sees the collection, because its definition has no rules and the settings close such collections.
    public static let closed = AccessRules([])
    /// No user sees the collection, because its rules have a mistake.
    public static let mistaken = AccessRules(isMistaken: true)

    /// The number of rules that a definition may have.
    public static let maxRules = 32
    /// The number of groups that the `rows` of a rule may name.
    public static let maxGroups = 64
    /// The number of an id that this machine does not map. Only `"all"` names it.
    public static let unmapped: UInt32 = 65_534
    /// The acts that every collection has, whether its definition allows them or not.
    public static let ordinaryActs = ["archive", "create", "update", "delete"]

    /// The rule that holds for a peer, with its number, from 1; nil if none names it.
    ///
    /// - Parameters:
    ///   - user: the number of its user.
    ///   - isMember: whether it is in a group.
    public func rule(of user: UInt32, isMember: (UInt32) -> Bool) -> (number: Int, rule: Rule)? {
        guard let rules, let index = rules.firstIndex(where: { $0.names(user, isMember: isMember) }) else { return nil }
        return (index + 1, rules[index])
    }

    /// The same rules with the numbers of the users and groups that they name, and the keys of hashes. A name without a
    /// number matches no user, and a hash without its key is hidden.
    public func resolved(
        user: (String) -> UInt32?, group: (String) -> UInt32?, key: (String) -> [UInt8]? = { _ in nil }
    ) -> AccessRules {
        var resolved = self
        for (index, rule) in (rules ?? []).enumerated() {
            for credential in rule.credentials { resolved.rules?[index].keys[credential] = key(credential) }
            if case .groups(var groups)? = rules?[index].rows {
                for at in groups.indices {
                    let number = group(groups[at].group)
                    groups[at].number = number == Self.unmapped ? nil : number
                }
                resolved.rules?[index].rows = .groups(groups)
            }
            guard case .members(let members)? = rules?[index].subject else { continue }
            resolved.rules?[index].users = Set(members.users.compactMap(user)).subtracting([Self.unmapped])
            resolved.rules?[index].groups = Set(members.groups.compactMap(group)).subtracting([Self.unmapped])
        }
        return resolved
    }

    /// The users and groups that the rules name, all together.
    public var members: RoleSettings.Members {
        var all = RoleSettings.Members()
        for rule in rules ?? [] {
            if case .groups(let groups) = rule.rows { all.groups += groups.map(\.group) }
            guard case .members(let members) = rule.subject else { continue }
            all.users += members.users.filter { !all.users.contains($0) }
            all.groups += members.groups.filter { !all.groups.contains($0) }
        }
        return all
    }
}
