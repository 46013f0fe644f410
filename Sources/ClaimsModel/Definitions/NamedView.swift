// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// A filter with a name that requests may ask for.
public struct NamedView: Sendable, Hashable {
    public let name: String
    /// The filter's text, not yet parsed.
    public let filter: String
    public let title: LocalizedText?
    /// Where the filter stands, for whoever parses it and has to complain.
    public let place: ConfigurationPlace?

    public init(name: String, filter: String, title: LocalizedText? = nil, place: ConfigurationPlace? = nil) {
        self.name = name
        self.filter = filter
        self.title = title
        self.place = place
    }
}
