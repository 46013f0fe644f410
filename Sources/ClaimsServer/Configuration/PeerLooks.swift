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
    /// The account of what the peer is shown of a collection; nil if the journal is told nothing of it.
    func account(of definition: Definition) -> LookAccount? {
        guard let access = definition.access, access.isJournaled, let looks else { return nil }
        let rule = isUnlimited || access.rules == nil ? 0 : ruleNumber(of: definition)
        return looks.journal.account(
            of: LookViewer(
                collection: definition.name, user: uid, rule: rule, purpose: purpose, origin: looks.origin))
    }

    /// Counts what the peer was shown of a collection, if the journal is told.
    func record(_ look: @autoclosure () -> Look, of definition: Definition) {
        guard let looks, let account = account(of: definition) else { return }
        looks.journal.record(look(), on: account)
    }

    /// Counts that a request was refused by rules, or asked for a record that is not there, if the journal is told.
    ///
    /// - Parameter catalog: all collections, whoever asks.
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
    /// Whether the journal is told who was shown what of the collection.
    var isJournaled: Bool { access?.isJournaled ?? false }
}
