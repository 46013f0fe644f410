// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

extension Definition {
    /// The upstreams of the collection, in the order of the file; none where there is nobody to ask.
    public var sources: [SourceID] {
        if let sites = source.sites { return sites.sites.map { SourceID(name, site: $0.name) } }
        return source.request.url == nil ? [] : [SourceID(name)]
    }
}
