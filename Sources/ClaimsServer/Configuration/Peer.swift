// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsJSON
import ClaimsModel
import ClaimsOutbox
import ClaimsPlatform
import ClaimsProtocol
import ClaimsStore

/// The peer of a connection: its kernel credentials and the roles that the configuration gives it.
struct Peer: Sendable {
    let credentials: PeerCredentials
    let roles: RoleSet
    /// The parts of collections whose definitions name it as a writer.
    let scopes: Set<WriteScope>
    /// Whether no rule of access limits it.
    let isUnlimited: Bool
    /// The account of its requests in fair queues.
    let requester: Requester
    /// The purpose of its requests, from its `hello`; nil if it gave none.
    var purpose: Purpose?
    /// Its account in the journal of who looked; nil if nothing is counted.
    var looks: PeerLooks?

    var uid: UInt32 { credentials.uid }
    var gid: UInt32 { credentials.gid }
    var pid: Int32 { credentials.pid }

    /// A peer with the roles that a policy gives it.
    init(_ credentials: PeerCredentials, by policy: RolePolicy, requester: Requester) {
        self.init(
            credentials, roles: policy.roles(of: credentials), scopes: policy.scopes(of: credentials),
            isUnlimited: policy.isUnlimited(credentials), requester: requester)
    }

    init(
        _ credentials: PeerCredentials, roles: RoleSet, scopes: Set<WriteScope>, isUnlimited: Bool = false,
        requester: Requester
    ) {
        self.credentials = credentials
        self.roles = roles
        self.scopes = scopes
        self.isUnlimited = isUnlimited
        self.requester = requester
    }

    /// The same peer with the roles that another policy gives it.
    func judged(by policy: RolePolicy) -> Peer {
        var peer = Peer(credentials, by: policy, requester: requester)
        peer.looks = looks
        return peer
    }

    /// The names of its roles; `write:COLLECTION` if the definition names it as a writer.
    ///
    /// - Parameter isKnown: whether the peer knows a collection.
    func roleNames(knowing isKnown: (String) -> Bool = { _ in true }) -> [String] {
        let collections = Set(scopes.map(\.collection)).filter(isKnown).sorted {
            $0.utf8.lexicographicallyPrecedes($1.utf8)
        }
        return roles.names + collections.map { "\(Role.write.rawValue):\($0)" }
    }

    /// Whether the peer may write.
    ///
    /// - Parameter scope: the scope whose writers the definition names; nil if it leaves that to the configuration.
    func mayWrite(_ scope: WriteScope?) -> Bool {
        roles.has(.admin) || scope.map(scopes.contains) ?? roles.has(.write)
    }

    /// Whether the peer may do an action of a collection, by its roles and by the rules.
    func may(_ action: WriteAction, of definition: Definition) -> Bool {
        mayWrite(WriteScope(of: action, in: definition)) && isAllowed(action.name, by: definition)
    }

    /// Checks that the peer has the role that every call of a method needs.
    ///
    /// - Throws: `forbidden`, naming the role.
    func requireRole(of method: Method) throws(RequestError) {
        let row = method.description
        try require(row.role, for: TranslatedText(en: row.name, pl: row.name))
    }

    /// Checks that the peer has a role.
    ///
    /// - Parameter action: the action that needs the role, as a subject of the message.
    /// - Throws: `forbidden`, naming the role.
    func require(_ role: Role, for action: TranslatedText) throws(RequestError) {
        guard !roles.has(role) else { return }
        let setting = "roles.\(role.rawValue)"
        throw RequestError(
            .forbidden,
            TranslatedText(
                en: "\(action.english) needs the role '\(role.rawValue)', which your user does not have",
                pl: "\(action.polish) wymaga roli „\(role.rawValue)”, której Twój użytkownik nie ma"),
            hint: TranslatedText(
                en: "an administrator grants it in claimsd.json5: \(setting).users or \(setting).groups",
                pl: "nadaje ją administrator w pliku claimsd.json5: \(setting).users lub \(setting).groups"),
            details: [RequestError.detail("role", role.rawValue)])
    }

    /// Checks that the peer may do an action of a collection.
    ///
    /// - Parameter action: nil for an action that the definition does not have.
    /// - Throws: `forbidden`, naming the role, or because of the rules of access.
    func requireWriting(_ action: WriteAction?, of definition: Definition) throws(RequestError) {
        try requireWritingRole(for: action, of: definition)
        if let action { try requireAllowed(action.name, by: definition) }
    }

    private func requireWritingRole(for action: WriteAction?, of definition: Definition) throws(RequestError) {
        let name = definition.name
        if let action, action.role != nil {
            guard !mayWrite(WriteScope(collection: name, action: action.name)) else { return }
            throw .notAmongWriters("\(name): \(action.name)", setting: "writes.actions.\(action.name).role", of: name)
        }
        if definition.writes?.role != nil {
            guard !mayWrite(WriteScope(collection: name)) else { return }
            throw .notAmongWriters(name, setting: "writes.role", of: name)
        }
        try requireRole(of: .submit)
    }
}

/// The process and connection that a request is accounted to.
struct Requester: Hashable {
    /// The process ID of the peer.
    let process: Int32
    /// The connection's token in the registry.
    let connection: UInt64
}

extension RequestError {
    /// The error about a role that a definition grants.
    ///
    /// - Parameter setting: the key of the definition that names the users and groups.
    fileprivate static func notAmongWriters(_ subject: String, setting: String, of collection: String) -> RequestError {
        RequestError(
            .forbidden,
            TranslatedText(
                en: "\(subject) needs the role 'write:\(collection)', which your user does not have",
                pl: "\(subject) wymaga roli „write:\(collection)”, której Twój użytkownik nie ma"),
            hint: TranslatedText(
                en: "an administrator grants it in collections.d/\(collection).json5: \(setting)",
                pl: "nadaje ją administrator w pliku collections.d/\(collection).json5: \(setting)"),
            details: [detail("role", "write:\(collection)")])
    }
}
