// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsModel
import ClaimsPlatform
import ClaimsProtocol
import ClaimsStore

/// `access`: the part of each collection that a user sees, and the actions that the user may do in it.
enum AccessHandler {
    static func answer(
        _ parameters: AccessParameters, from peer: Peer, _ context: RequestContext
    ) throws(RequestError) -> Disposition {
        let asked = parameters.user
        if let number = asked.flatMap({ UInt32($0) }), number != peer.uid { try requireAdmin(peer) }
        let (services, policy) = (context.services, context.configuration.policy)
        return .later(cancellation: Cancellation()) { done in
            services.accounts.find(asked ?? String(peer.uid)) { answer in
                done(
                    Result { () throws(RequestError) -> [UInt8] in
                        let (subject, name) = try identify(asked, by: answer, for: peer, policy)
                        return text(of: subject, name, for: peer, services.catalog(for: peer))
                    })
            }
        }
    }

    private static func requireAdmin(_ peer: Peer) throws(RequestError) {
        try peer.require(.admin, for: TranslatedText(en: "access of another user", pl: "access innego użytkownika"))
    }

    /// The user that is asked about, and its name.
    private static func identify(
        _ asked: String?, by answer: AccountAnswer, for peer: Peer, _ policy: RolePolicy
    ) throws(RequestError) -> (Peer, name: String?) {
        if case .found(let account) = answer, account.user == peer.uid { return (peer, account.name) }
        let number = asked.map { UInt32($0) } ?? peer.uid
        // The groups of the peer come from the kernel; only the name is missing.
        if number == peer.uid { return (peer, nil) }
        // The role is checked first, so that only an administrator learns whether there is such a user.
        try requireAdmin(peer)
        let account: UserAccount
        switch answer {
        case .found(let found): account = found
        case .unknown:
            throw RequestError(
                .notFound,
                TranslatedText(
                    en: "there is no user '\(asked ?? "")' on this machine",
                    pl: "na tej maszynie nie ma użytkownika „\(asked ?? "")”"),
                hint: TranslatedText(
                    en: "the users are listed by: getent passwd", pl: "użytkowników wymienia: getent passwd"),
                details: [RequestError.detail("user", asked ?? "")])
        case .late:
            throw RequestError(
                .timeout,
                TranslatedText(en: "the name service does not answer", pl: "usługa nazw nie odpowiada"),
                hint: TranslatedText(
                    en: "it is asked for the groups of a user; try: getent initgroups \(asked ?? "")",
                    pl: "jest pytana o grupy użytkownika; spróbuj: getent initgroups \(asked ?? "")"))
        case .busy:
            throw RequestError(
                .busy,
                TranslatedText(
                    en: "the name service is being asked about other users",
                    pl: "usługa nazw jest właśnie pytana o innych użytkowników"),
                details: [RequestError.detail("retry_after_ms", 1_000 as Int64)])
        }
        let credentials = PeerCredentials(pid: 0, uid: account.user, gid: account.group, groups: account.groups)
        return (Peer(credentials, by: policy, requester: peer.requester), account.name)
    }

    private static func text(
        of subject: Peer, _ name: String?, for peer: Peer, _ scoped: ScopedCatalog
    ) -> [UInt8] {
        let isAdmin = peer.roles.has(.admin)
        var writer = JSONWriter()
        writer.beginObject()
        writer.member(AccessResult.user, name)
        writer.member(AccessResult.uid, Int64(subject.uid))
        writer.key(AccessResult.groups)
        writer.beginArray()
        let groups = Set(subject.credentials.groups + [subject.gid]).subtracting([Self.noGroup])
        for group in groups.sorted() { writer.integer(Int64(group)) }
        writer.endArray()
        writer.key(AccessResult.collections)
        writer.beginArray()
        for view in isAdmin ? scoped.known.views : scoped.catalog.views {
            write(view.limit?.whole ?? view.definition, of: subject, withRows: isAdmin, to: &writer)
        }
        writer.endArray()
        writer.endObject()
        return writer.bytes
    }

    /// The number for "no group", for a user without an account.
    private static let noGroup = UInt32.max

    private static func write(
        _ definition: Definition, of subject: Peer, withRows: Bool, to writer: inout JSONWriter
    ) {
        typealias Collection = AccessResult.Collection
        let (part, filters) = subject.seenPart(of: definition)
        writer.beginObject()
        writer.member(Collection.collection, definition.name)
        writer.member(Collection.sees, part.rawValue)
        writer.member(Collection.rule, subject.ruleNumber(of: definition).map { Int64($0) })
        if withRows {
            writer.key(Collection.rows)
            if let filters { writer.array(filters) } else { writer.null() }
        }
        let seen = ViewLimit(subject.sight(of: definition), of: definition)?.definition ?? definition
        writer.key(Collection.fields)
        if seen.hasSights { writer.array(seen.wholeFields.map { seen.fields[$0].name }) } else { writer.null() }
        writer.key(Collection.masks)
        writer.beginObject()
        for (index, field) in seen.fields.enumerated() {
            guard case .masked(let mask) = seen.sight(of: index) else { continue }
            writer.key(field.name)
            writer.string(mask.name)
        }
        writer.endObject()
        writer.member(Collection.may, part == .none ? [] : subject.acts(in: definition))
        writer.endObject()
    }
}

extension Peer {
    /// The part of a collection that the peer sees, and the filters that select it; nil filters: all records.
    fileprivate func seenPart(of definition: Definition) -> (part: SeenPart, filters: [String]?) {
        switch sight(of: definition) {
        case .whole: (.whole, nil)
        case .limited(_, let filters, _):
            // Filters that have no meaning in the definition select nothing.
            if case .none = recordSight(of: definition) { (.none, filters) } else { (.limited, filters) }
        case .figures, .none: (.none, [])
        }
    }

    /// The acts in a collection that the peer's roles and the rules allow.
    fileprivate func acts(in definition: Definition) -> [String] {
        let mayArchive = definition.isArchivable && roles.has(.archive) && isAllowed("archive", by: definition)
        let actions = (definition.writes?.actions ?? []).filter { may($0, of: definition) }
        return (mayArchive ? ["archive"] : []) + actions.map(\.name)
    }
}
