// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsPlatform
import ClaimsStore
import ClaimsUpstream

extension TokenStore {
    /// The tokens of a daemon, which keeps refresh tokens in its state folder.
    convenience init(_ folders: Folders, journal: Journal) {
        self.init(
            directory: Paths.join(folders.state, TokenStore.folder), report: { journal.tellTokens(unwritten: $0) })
    }

    /// Removes the refresh tokens that no definition in force names, and no collection that has rows has named.
    func removeUnneeded(in catalog: Catalog) {
        let kept = Set(catalog.views.map(\.definition.name) + catalog.removed.map(\.name))
        removeUnneeded(definitions: catalog.views.map(\.definition)) { kept.contains($0) }
    }
}

extension Journal {
    /// Tells that a refresh token could not be written, or that all are.
    func tellTokens(unwritten error: SystemError?) {
        // No collection can have this name.
        let subject = "/tokens"
        if let error { tellNoRoom(for: subject, error.message) } else { tellRoom(for: subject) }
    }
}
