// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import ClaimsModel

/// The state of a fleet as a host of it sees it. Times are in milliseconds since 1970.
public struct FleetReport: Sendable {
    /// A host that may ask.
    public struct Address: Sendable {
        public var host: String
        /// Without secrets.
        public var url: String
        public var isOwn: Bool
        /// When it last answered with a good head; nil: never.
        public var readAt: Int64?
        /// Why the last look brought none.
        public var failure: Failure?
    }

    /// A source that is shared.
    public struct Source: Sendable {
        public var id: SourceID
        /// The host that asks; nil where none is known.
        public var leader: String?
        public var asOf: Int64?
        public var issuedAt: Int64?
        public var next: Int64?
        /// What of the definition is another one there.
        public var differs: [String] = []
        /// Why the data here is not newer.
        public var failure: Failure?
    }

    public var name: String
    public var host: String
    public var addresses: [Address]
    public var sources: [Source]
}
