// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import ClaimsJSON

/// The rules by which records of a collection are added, changed and deleted: `writes` in its definition.
///
/// ```swift
/// guard let rules = definition.writes, let action = rules.offered("update") else { … }
/// ```
public struct WriteRules: Sendable, Equatable {
    /// Where written records go.
    public enum Destination: String, Sendable, Hashable, CaseIterable {
        /// This host is the truth.
        case local
        /// Operations wait in the outbox until the upstream shows them.
        case upstream
    }

    /// The upstream does requests with equal keys once.
    public struct Idempotency: Sendable, Hashable {
        /// The name of the header with the key.
        public var header: String
        /// How long the upstream knows a key.
        public var life: Duration

        public init(header: String, life: Duration) {
            (self.header, self.life) = (header, life)
        }
    }

    /// Where written records go; nil if the collection is only read.
    public var destination: Destination?
    /// The users and groups that may write; nil for those of the settings.
    public var role: RoleSettings.Members?
    /// The fields that callers may give values for, in the definition's order.
    public var fields: [FieldRule]
    /// `create`, `update`, `delete` as far as they are there, then the actions by name in the order of the file.
    public var actions: [WriteAction]
    /// The rules for files; nil if records have none.
    public var attachments: AttachmentRules?
    /// The way in which the upstream recognises a repeated request; nil if it does not.
    public var idempotency: Idempotency?
    /// Where the operation's id stands in the body of a create, and in fetched records; nil for nowhere.
    public var reference: JSONPointer?
    /// The request that reads a record before it is written; nil for none.
    public var match: WriteRequest?
    /// How long an accepted write may take to be seen.
    public var confirm: Duration

    /// Rules with the given parts; the defaults are those of definition files.
    public init(
        to destination: Destination? = nil, role: RoleSettings.Members? = nil, fields: [FieldRule] = [],
        actions: [WriteAction] = [], attachments: AttachmentRules? = nil, idempotency: Idempotency? = nil,
        reference: JSONPointer? = nil, match: WriteRequest? = nil, confirm: Duration = .seconds(900)
    ) {
        self.destination = destination
        self.role = role
        self.fields = fields
        self.actions = actions
        self.attachments = attachments
        self.idempotency = idempotency
        self.reference = reference
        self.match = match
        self.confirm = confirm
    }

    /// The actions that callers may ask for: none without a destination, and upstream only those with an address.
    public var offered: [WriteAction] { actions.filter(isOffered) }

    /// The action of that name, if callers may ask for it.
    public func offered(_ name: String) -> WriteAction? {
        actions.first { $0.name == name && isOffered($0) }
    }

    private func isOffered(_ action: WriteAction) -> Bool {
        switch destination {
        case nil: false
        case .local: true
        case .upstream: action.request != nil
        }
    }

    /// The rules for files of an action; nil if it takes none.
    public func attachments(of action: WriteAction) -> AttachmentRules? {
        guard action.takesFiles, let attachments else { return nil }
        switch (destination, attachments.sending) {
        case (nil, _): return nil
        case (.local, _), (.upstream, .requests): return attachments
        case (.upstream, .multipart): return action.kind == .create ? attachments : nil
        case (.upstream, nil): return nil
        }
    }

    /// The rule of the field at an index of the definition; nil if callers may not give it.
    public func rule(of field: Int) -> FieldRule? {
        fields.first { $0.field == field }
    }

    /// All places that a value of a field is written to or cleared at, that in bodies of requests first.
    func pointers(of field: Int, in definition: Definition) -> [JSONPointer] {
        let from = definition.fields[field].from
        guard let own = rule(of: field)?.pointer, own != from.first else { return from }
        return [own] + from.filter { $0 != own }
    }
}

extension Definition {
    /// Whether this host is the truth of the collection.
    public var isLocal: Bool { writes?.destination == .local }

    /// Whether records tell their unsettled operations, so that filters know the field `pending`.
    public var hasPendingField: Bool { writes?.destination == .upstream }

    /// Whether values come from the join, which nobody can write.
    public func isJoined(_ field: Int) -> Bool {
        source.join?.take.contains { $0.field == field } ?? false
    }

    /// Whether rules of writes may name the field: not the id, nothing from a join, and nothing volatile.
    public func isWritable(_ field: Int) -> Bool {
        field != idField && !isJoined(field) && !fields[field].isVolatile
    }
}
