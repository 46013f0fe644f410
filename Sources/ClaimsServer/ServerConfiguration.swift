// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import ClaimsModel
public import ClaimsPlatform
import ClaimsProtocol
import ClaimsQuery

/// What the server is told once, and again at each reload.
public struct ServerConfiguration: Sendable {
    /// The version of the daemon.
    public var version: String
    /// Who may do what.
    public var policy: RolePolicy
    /// The secret behind cursors; it lives as long as the state database.
    public var cursorKey: (UInt64, UInt64)
    /// The language of labels and sentences where a client asks for none.
    public var language: String
    /// The bounds of requests, answers and connections.
    public var limits: ServingLimits
    /// How many loops serve.
    public var loops: Int
    /// The time of day.
    public var clock: WallClock

    public init(
        version: String, policy: RolePolicy, cursorKey: (UInt64, UInt64), language: String = "en",
        limits: ServingLimits = ServingLimits(), loops: Int = 2, clock: WallClock = .system
    ) {
        self.version = version
        self.policy = policy
        self.cursorKey = cursorKey
        self.language = language
        self.limits = limits
        self.loops = loops
        self.clock = clock
    }

    /// The bounds of filters.
    var filter: FilterLimits {
        FilterLimits(bytes: limits.filter, terms: limits.terms, depth: limits.filterDepth)
    }

    /// The maker of cursors.
    var cursors: CursorCodec { CursorCodec(key0: cursorKey.0, key1: cursorKey.1) }

    /// Every bound by its name, as `hello` tells it: bytes, counts and milliseconds.
    var namedLimits: [(name: String, value: Int64)] {
        [
            ("line", Int64(limits.line)), ("depth", Int64(limits.depth)), ("filter", Int64(limits.filter)),
            ("terms", Int64(limits.terms)), ("filter_depth", Int64(limits.filterDepth)),
            ("clients", Int64(limits.clients)), ("clients_per_user", Int64(limits.clientsPerUser)),
            ("in_flight", Int64(limits.inFlight)), ("unsent", Int64(limits.unsent)),
            ("answer", Int64(limits.answer)), ("request_ms", limits.request.wholeMilliseconds),
            ("page", Int64(ProtocolVersion.largestPage)), ("stream_chunk", Int64(ProtocolVersion.streamChunk)),
        ]
    }
}
