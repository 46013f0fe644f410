// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsProtocol

/// A request of the model to the daemon. The loop sends it, and hands the answer back under its tag.
struct BrowseRequest: Sendable {
    /// The number of a request, which no other request of the run has.
    struct Tag: Hashable, Sendable {
        let number: Int64
    }

    let tag: Tag
    let method: Method
    let parameters: any MethodParameters
}
