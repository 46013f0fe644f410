// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import ClaimsJSON

/// The upstream of a collection, and the schedule of its refreshes.
public struct Source: Sendable, Hashable {
    /// The request for the records. With ``sites`` it is what their requests have in common, and is not made itself.
    public var request: ReadRequest
    /// The time between two refreshes.
    public var interval: Duration
    /// The time for which an answer of the upstream counts as fresh.
    public var ttl: Duration
    /// The age from which an answer counts as expired. Between ``ttl`` and this it is stale.
    public var expires: Duration
    /// The age from which the records are not served any more; nil for none.
    public var withhold: Duration?
    /// The request for changes only; nil if each answer has all records.
    public var since: IncrementalRules?
    /// The way in which an answer names gone records; nil if it does not.
    public var deleted: DeletionRule?
    /// The equal upstreams whose records the collection joins; nil if there is one upstream.
    public var sites: SiteList?
    /// The second request that fills fields; nil if there is none.
    public var join: Join?
    /// The limits that differ from the settings.
    public var limits: LimitOverrides<TransferLimits>

    /// A source with the given values; the defaults are the defaults of definition files.
    ///
    /// - Parameter ttl: The time for which an answer counts as fresh; nil for twice the interval.
    public init(
        _ request: ReadRequest = ReadRequest(), interval: Duration = .seconds(300), ttl: Duration? = nil,
        expires: Duration = .seconds(86_400), join: Join? = nil,
        limits: LimitOverrides<TransferLimits> = LimitOverrides<TransferLimits>()
    ) {
        self.request = request
        self.interval = interval
        self.ttl = ttl ?? interval * 2
        self.expires = expires
        self.join = join
        self.limits = limits
    }

    /// Whether there is an upstream to ask.
    public var isConfigured: Bool { request.url != nil || sites != nil }
}

/// A second request whose records fill fields of the first request's records.
public struct Join: Sendable, Hashable {
    /// A field of this collection, and the pointer to a value in the other records.
    public struct Link: Sendable, Hashable {
        /// The index of the field in the definition.
        public let field: Int
        /// The pointer into a record of the second answer.
        public let pointer: JSONPointer

        public init(field: Int, pointer: JSONPointer) {
            self.field = field
            self.pointer = pointer
        }
    }

    /// The second request. Without an address the join is declared but off.
    public var request: ReadRequest
    /// The field here and the value there that must be equal as texts, for a record of the second answer to be used.
    public var on: Link
    /// The fields that are filled if a record has no value of its own, each with the value that fills it.
    public var take: [Link]

    public init(_ request: ReadRequest, on: Link, take: [Link]) {
        self.request = request
        self.on = on
        self.take = take
    }
}

/// The rules of requests for changes only: `source.since`.
public struct IncrementalRules: Sendable, Hashable {
    /// The value that names the state that is known.
    public enum Position: Sendable, Hashable {
        /// The largest value of the field of this index (instant, date or integer), less an overlap.
        case field(Int, overlap: Overlap)
        /// The text or number at this pointer in the last page.
        case token(JSONPointer)
    }

    /// The span before the position at which an answer begins.
    public enum Overlap: Sendable, Hashable {
        case span(Duration)
        case number(Int)
    }

    /// The parameter that carries the position.
    public var to: ParameterTarget
    public var position: Position
    /// The time between two requests for all records.
    public var full: Duration

    /// The time between two requests for all records, unless the definition says otherwise.
    public static let defaultFull = Duration.seconds(86_400)
    /// The time by which instants and dates go back, unless the definition says otherwise.
    public static let defaultOverlap = Duration.seconds(300)

    /// The time by which a position may be ahead of its upstream's clock, because clocks differ.
    public static let maxLead = Duration.seconds(60)

    public init(to: ParameterTarget, position: Position, full: Duration = Self.defaultFull) {
        self.to = to
        self.position = position
        self.full = full
    }
}

/// The way in which an answer names gone records: `source.deleted`.
public enum DeletionRule: Sendable, Hashable {
    /// A record is gone if the value at this pointer in it is anything but null, false, 0 and "".
    case mark(JSONPointer)
    /// The array at this pointer in a page has the ids, or the records, that are gone.
    case ids(JSONPointer)
}

/// The equal upstreams of one collection: `source.sites`.
public struct SiteList: Sendable, Hashable {
    /// A collection has no more sites than this.
    public static let maxSites = 256
    /// The byte between the site's name and the id that the site gives a record: `warsaw:17`.
    public static let separator = UInt8(ascii: ":")

    /// The index of the text field whose value is the site's name; nil if the field is left out of records.
    public var field: Int?
    /// In the order of the file.
    public var sites: [Site]

    public init(field: Int?, sites: [Site]) {
        self.field = field
        self.sites = sites
    }
}

/// One of the equal upstreams of a collection.
public struct Site: Sendable, Hashable {
    /// The length of the longest name, in bytes.
    public static let maxNameLength = 32

    public let name: String
    /// The request of the source with the values that the site has of its own.
    public let request: ReadRequest

    public init(_ name: String, _ request: ReadRequest) {
        self.name = name
        self.request = request
    }

    /// Whether a text is the name of a site: `[a-z][a-z0-9_-]{0,31}`.
    public static func isName(_ text: String) -> Bool {
        guard let first = text.utf8.first, text.utf8.count <= maxNameLength else { return false }
        let letters = UInt8(ascii: "a")...UInt8(ascii: "z")
        return letters.contains(first)
            && text.utf8.allSatisfy { byte in
                letters.contains(byte) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
                    || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-")
            }
    }
}

/// One upstream of one collection. Schedule, position, failures and held answers belong to it.
public struct SourceID: Sendable, Hashable {
    public let collection: String
    /// nil for the only upstream of a collection.
    public let site: String?

    public init(_ collection: String, site: String? = nil) {
        self.collection = collection
        self.site = site
    }

    /// COLLECTION, or COLLECTION:SITE.
    public var text: String { site.map { "\(collection):\($0)" } ?? collection }

    /// The id of a record here, for its id in the source.
    public func recordID(_ id: String) -> [UInt8] { Array((site.map { "\($0):" } ?? "").utf8) + Array(id.utf8) }
}

extension Source {
    /// The request of one of the collection's sources.
    ///
    /// - Parameter site: nil for the only source of a collection.
    /// - Returns: nil if there is no such site, or if no site is given although there are sites.
    public func request(of site: String?) -> ReadRequest? {
        switch (sites, site) {
        case (nil, nil): request
        case (let list?, let site?): list.sites.first { $0.name == site }?.request
        default: nil
        }
    }
}
