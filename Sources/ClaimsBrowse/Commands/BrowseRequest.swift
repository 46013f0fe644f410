// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsPlatform
import ClaimsProtocol
import ClaimsTerminal

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

/// The source of what makes requests distinct: their tags, the numbers of files, and the UUIDs of operations.
struct RequestSource: Sendable {
    private var lastTag: Int64 = 0
    private var lastFile = 0
    private var random: UInt64

    /// - Parameter seed: a random number, so that no two runs make the same UUIDs.
    init(seed: UInt64) { random = seed }

    /// A request with a tag of its own.
    mutating func request(_ method: Method, _ parameters: any MethodParameters) -> BrowseRequest {
        lastTag += 1
        return BrowseRequest(tag: BrowseRequest.Tag(number: lastTag), method: method, parameters: parameters)
    }

    /// The number of a file that is to be sent.
    mutating func file() -> SentFile.Number {
        lastFile += 1
        return SentFile.Number(value: lastFile)
    }

    /// The UUID of a new operation, which stays the same when the operation is submitted again.
    mutating func operation(at moment: BrowseMoment) -> String {
        OperationID(time: moment.wall, random: (nextRandom(), nextRandom())).text
    }

    /// The next number of SplitMix64.
    private mutating func nextRandom() -> UInt64 {
        random &+= 0x9E37_79B9_7F4A_7C15
        var mixed = random
        mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return mixed ^ mixed >> 31
    }
}

/// The reason of a request of the model, by which its answer finds the right decision.
enum RequestPurpose: Equatable, Sendable {
    case hello
    case describe
    case status
    /// A request of the list of a collection.
    case list(String, ListQuestion)
    case unsubscribe
    /// A refresh of a collection, or of all; `isAsked` is whether a notice reports its outcome.
    case refresh(String?, isAsked: Bool)
}

/// The reason of a request of a list.
enum ListQuestion: Equatable, Sendable {
    /// The records that the list jumps to.
    case jump
    /// The page before these, so that the selection can stay on its line.
    case pageBeforeJump
    /// The page after the rows.
    case pageAfter
    /// The page before them.
    case pageBefore
    /// The rows once more, from the one of an id on.
    case comparison(from: String)
    /// The record whose id the list was searched for in vain.
    case namesake(id: String)
    /// The changes of the list, for the query of that number.
    case subscription(Int)
}

/// The requests of the model that are under way, by their purpose, and the commands of the present event.
struct RequestBook: Sendable {
    /// The source of tags and UUIDs, which the layers use for requests of their own.
    var source: RequestSource
    private var pending: [BrowseRequest.Tag: RequestPurpose] = [:]
    private var commands: [BrowseCommand] = []

    init(_ source: RequestSource) { self.source = source }

    /// Sends a request, whose answer comes back with its purpose.
    @discardableResult
    mutating func ask(
        _ method: Method, _ parameters: some MethodParameters, for purpose: RequestPurpose
    ) -> BrowseRequest.Tag {
        let request = source.request(method, parameters)
        pending[request.tag] = purpose
        commands.append(.ask(request))
        return request.tag
    }

    /// Gives up a request that is under way.
    mutating func cancel(_ tag: BrowseRequest.Tag?) {
        guard let tag, pending.removeValue(forKey: tag) != nil else { return }
        commands.append(.cancel(tag))
    }

    /// Ends the request of a tag, which was answered.
    ///
    /// - Returns: its purpose; nil for a request of a layer.
    mutating func close(_ tag: BrowseRequest.Tag) -> RequestPurpose? { pending.removeValue(forKey: tag) }

    /// Whether a request of that purpose is under way.
    func isAsking(_ purpose: RequestPurpose) -> Bool { pending.values.contains(purpose) }

    /// Forgets the requests of a lost connection.
    mutating func lose() { pending = [:] }

    /// Adds commands that are no requests of the model.
    mutating func add(_ commands: BrowseCommand...) { self.commands += commands }
    mutating func add(_ commands: [BrowseCommand]) { self.commands += commands }

    /// The commands since the last call, in their order.
    mutating func drainCommands() -> [BrowseCommand] {
        defer { commands = [] }
        return commands
    }
}

/// The moment of an event, by both clocks.
struct BrowseMoment: Sendable {
    /// The time of day, in milliseconds since 1970.
    var wall: Int64
    /// The time of the monotonic clock, in nanoseconds.
    var monotonic: UInt64
}

/// The settings of the person at the screen: language, time zone and colours.
struct BrowsePerson: Sendable {
    /// The language of texts and labels, such as `pl`; nil for the daemon's own.
    var language: String?
    var zone: TimeZoneRules
    /// The IANA name of the zone, which filters with days need.
    var zoneName: String
    /// Whether colours may be used.
    var isColored: Bool
    /// The systemd unit of the daemon; nil where it is not known.
    var unit: DaemonUnit?
    /// The characters of plots.
    var plots = PlotStyle.blocks

    init(language: String?, zone: TimeZoneRules, zoneName: String, isColored: Bool) {
        self.language = language
        self.zone = zone
        self.zoneName = zoneName
        self.isColored = isColored
    }
}
