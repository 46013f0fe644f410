// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel

/// The question that a list answers. All parts are ANDed.
struct ListQuery: Hashable, Sendable {
    /// The text behind `/`: words that all must occur, and phrases between quotes.
    var search = ""
    /// The filter behind `f`, in the grammar of the protocol.
    var filter = ""
    /// The name of a view of the definition.
    var view: String?
    /// The order: a named one or keys; nil for the collection's own, in which groups are shown.
    var order: String?
    var archived = ArchivedMode.exclude

    /// The maximum size of the search text, in bytes.
    static let maxSearchBytes = 200
}
