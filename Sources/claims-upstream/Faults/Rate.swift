// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsPlatform

/// A limit on the requests for some paths: the number that begin in any window. Further ones are answered with 429.
struct Rate {
    static let members = ["rate", "window_ms", "headers", "reset", "retry_after"]

    private var count = 1
    /// In milliseconds.
    private var window: UInt64 = 1000
    /// The beginning of the headers' names; nil for none.
    private var prefix: String?
    private var hasEpoch = false
    /// The seconds, or the date, of `Retry-After`; nil for none.
    private var retryAfter: String?
    /// On the monotonic clock, in milliseconds.
    private var begun: [UInt64] = []
    private(set) var refused = 0

    init(_ value: JSONValue) throws(UpstreamError) {
        for member in value.object?.members ?? [] {
            let (key, value) = (member.key, member.value)
            switch key {
            case "rate": count = try StepValue.number(key, value, 0...1_000_000)
            case "window_ms": window = UInt64(try StepValue.number(key, value, 1...86_400_000))
            case "headers":
                prefix = try StepValue.text(key, value)
                guard ["RateLimit-", "X-RateLimit-", "X-Rate-Limit-"].contains(prefix) else {
                    throw UpstreamError("headers is RateLimit-, X-RateLimit- or X-Rate-Limit-")
                }
            case "reset": hasEpoch = try StepValue.text(key, value) == "epoch"
            case "retry_after": retryAfter = value.string ?? value.number
            default: throw UpstreamError("unknown member \(key) of a limit")
            }
        }
    }

    /// Counts a request; the result is the headers of its answer, and the answer itself if that is 429.
    mutating func admit(now: UInt64) -> (headers: [(name: String, value: String?)], refusal: UpstreamResponse?) {
        let now = now / 1_000_000
        begun.removeAll { time in time + window <= now }
        let isRefused = begun.count >= count
        if isRefused { refused += 1 } else { begun.append(now) }
        var headers: [(name: String, value: String?)] = []
        if let prefix {
            let left = ((begun.first ?? now) + window - min(now, (begun.first ?? now) + window) + 999) / 1000
            let wall = SystemClock.wall / 1000
            headers = [
                ("\(prefix)Remaining", "\(count - begun.count)"),
                ("\(prefix)Reset", hasEpoch ? "\(wall + Int64(left))" : "\(left)"),
            ]
            if hasEpoch { headers.append(("Date", ServedFile.date(wall))) }
        }
        guard isRefused else { return (headers, nil) }
        var refusal = UpstreamResponse(status: 429)
        refusal["Retry-After"] = retryAfter
        return (headers, refusal)
    }
}
