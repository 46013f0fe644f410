// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

// The texts about hosts of upstreams.

extension Messages {
    var awaitedHosts: String { text(en: "Hosts that are waited for", pl: "Hosty, na które się czeka") }

    func hostClosed(until time: String) -> String {
        text(en: "wants no requests until \(time)", pl: "nie chce zapytań do \(time)")
    }

    func requestsUnderWay(_ count: Int64) -> String {
        let requests = self.count(count, Self.requests)
        return text(en: "\(requests) under way", pl: "\(requests) w toku")
    }

    func requestsWaiting(_ count: Int64) -> String {
        let noun = Plural(
            en: ("request waits", "requests wait"),
            pl: ("zapytanie czeka", "zapytania czekają", "zapytań czeka", "zapytania czeka"))
        return self.count(count, noun)
    }

    /// How many requests a host may get.
    ///
    /// - Parameter rate: such as `100/min`; nil for no such bound.
    func hostLimits(_ concurrency: Int64, rate: String?) -> String {
        let limit = text(
            en: "at most \(number(concurrency)) at once", pl: "naraz najwyżej \(number(concurrency))")
        guard let rate else { return limit }
        return text(en: "\(limit) and \(rate)", pl: "\(limit) i \(rate)")
    }

    private static let requests = Plural(
        en: ("request", "requests"), pl: ("zapytanie", "zapytania", "zapytań", "zapytania"))
}
