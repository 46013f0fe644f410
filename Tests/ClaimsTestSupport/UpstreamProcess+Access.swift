// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON

/// Token servers and limits of the upstream. A restart forgets them.
extension UpstreamProcess {
    /// The tokens that a token server has given.
    public struct Tokens: Sendable {
        /// All access tokens, the first one first.
        public let given: [String]
        /// The number of requests that were refused.
        public let refused: Int
        /// The refresh token that is good now.
        public let refresh: String?
    }

    /// Makes a token server, or gives one other rules; `claims-upstream --help` has them.
    public func giveTokens(_ name: String = "token", rules: String = "{}") throws {
        _ = try control("PUT", "tokens/\(name)", body: rules)
    }

    public func tokens(_ name: String = "token") throws -> Tokens {
        let answer = try JSONValue.parse(try control("GET", "tokens/\(name)"))
        return Tokens(
            given: answer["tokens"]?.array?.compactMap(\.string) ?? [], refused: Int(answer["refused"]?.integer ?? -1),
            refresh: answer["refresh"]?.string)
    }

    /// Ends all access tokens of a token server and, if asked for, its refresh token.
    public func revokeTokens(_ name: String = "token", refresh: Bool = false) throws {
        _ = try control("POST", "revoke/\(name)?refresh=\(refresh)")
    }

    /// Limits the requests for a path, `NAME/*` or `*`; `claims-upstream --help` has the rules.
    public func limit(_ pattern: String, _ rules: String) throws {
        _ = try control("PUT", "limits/\(pattern)", body: rules)
    }

    /// Ends all limits.
    public func endLimits() throws { _ = try control("DELETE", "limits") }
}

extension [UpstreamProcess.Request] {
    /// The greatest number of requests that were under way at once.
    public var maxAtOnce: Int {
        let events = flatMap { request in [(request.begun, 1), (request.ended ?? .max, -1)] }
        var count = 0
        return events.sorted { ($0.0, $0.1) < ($1.0, $1.1) }.reduce(0) { most, event in
            count += event.1
            return Swift.max(most, count)
        }
    }

    /// The greatest number of requests that began in a window of so many milliseconds.
    public func maxBegun(within milliseconds: Int64) -> Int {
        let times = map(\.begun).sorted()
        return times.indices.reduce(0) { most, start in
            Swift.max(most, times[start...].prefix { time in time - times[start] < milliseconds * 1000 }.count)
        }
    }
}
