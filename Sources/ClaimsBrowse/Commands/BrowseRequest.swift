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
    /// The systemd unit of the daemon; nil if it is not known.
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
