// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
public import ClaimsUpstream

extension FetchFailure {
    /// The failure of a single transfer that belongs to no collection.
    ///
    /// - Parameter url: the address that was asked.
    public static func of(_ error: HTTPError, fetching url: String) -> FetchFailure {
        let fields = [Field(name: "id", type: .id)]
        let definition = Definition(name: "address", source: Source(ReadRequest(url: url)), fields: fields)
        guard let target = SourceRequests(definition, limits: TransferLimits())?.records else {
            return FetchFailure(.invalidURL, Message(.invalidURL, url))
        }
        return FetchFailure(.transfer(error), target)
    }
}
