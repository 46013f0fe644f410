// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// The headers in which a server tells how many more requests it takes, as they came.
public struct HTTPPaceHeaders: Sendable, Equatable {
    /// A pair of `Remaining` and `Reset` after one of ``prefixes``.
    public struct Window: Sendable, Equatable {
        public var remaining: String
        public var reset: String

        public init(remaining: String, reset: String) {
            self.remaining = remaining
            self.reset = reset
        }
    }

    /// The beginnings of the headers' names, in lower case.
    public static let prefixes = ["ratelimit-", "x-ratelimit-", "x-rate-limit-"]

    /// The pairs of which both headers came.
    public var windows: [Window]
    /// The time of `Date`, in seconds since 1970; nil where there is none that can be read.
    public var date: Int64?

    public init(windows: [Window] = [], date: Int64? = nil) {
        self.windows = windows
        self.date = date
    }

    init(_ headers: ResponseHeaders) {
        windows = Self.prefixes.compactMap { prefix in
            guard let remaining = headers[prefix + "remaining"], let reset = headers[prefix + "reset"] else {
                return nil
            }
            return Window(remaining: remaining, reset: reset)
        }
        date = headers["date"].flatMap(HTTPDate.parse)
    }
}
