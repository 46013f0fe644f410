// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsModel
import ClaimsProtocol
import ClaimsStore

/// The account of one connection in the journal of who looked.
struct PeerLooks: Sendable {
    let journal: LookJournal
    let origin: PeerOrigin
}

extension Peer {
    /// The account for the peer's looks at a collection; nil if the collection is not journaled.
    func account(of definition: Definition) -> LookAccount? {
        guard let access = definition.access, access.isJournaled, let looks else { return nil }
        let rule = isUnlimited || access.rules == nil ? 0 : ruleNumber(of: definition)
        return looks.journal.account(
            of: LookViewer(
                collection: definition.name, user: uid, rule: rule, purpose: purpose, origin: looks.origin))
    }

    /// Counts the peer's look at a collection, if it is journaled.
    func record(_ look: @autoclosure () -> Look, of definition: Definition) {
        guard let looks, let account = account(of: definition) else { return }
        looks.journal.record(look(), on: account)
    }

    /// Counts that a request was refused by rules, or asked for a record that is not there, if the collection is
    /// journaled.
    ///
    /// - Parameter catalog: all collections, whatever the peer sees.
    func record(_ error: RequestError, of method: Method, in catalog: Catalog) {
        switch error.look {
        case .refused(let name)?:
            if let view = catalog[name] { record(Look(method, refused: 1), of: view.definition) }
        case .missed(let name)?:
            if let view = catalog[name] { record(Look(method, misses: 1), of: view.definition) }
        case .shown(let name, let id)?:
            if let view = catalog[name] { record(Look(method, at: id.rawSpan), of: view.definition) }
        case nil: break
        }
    }
}

extension Definition {
    /// Whether looks at the collection are reported to the journal.
    var isJournaled: Bool { access?.isJournaled ?? false }
}
