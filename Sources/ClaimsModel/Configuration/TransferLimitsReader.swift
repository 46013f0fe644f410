// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// Reads the caps of a transfer, which stand among the daemon's limits and in sources.
enum TransferLimitsReader {
    static func read(_ node: ConfigurationNode) -> TransferLimits.Overrides? {
        node.object("body", "records", "expansion", "redirects", "connect", "first_byte", "transfer").map(read)
    }

    static func read(_ object: ConfigurationObject) -> TransferLimits.Overrides {
        var limits = TransferLimits.Overrides()
        limits.body = object["body"].flatMap { $0.size() }
        limits.records = object["records"].flatMap { $0.integer(1...100_000_000) }
        limits.expansion = object["expansion"].flatMap { $0.integer(1...1_000_000) }
        limits.redirects = object["redirects"].flatMap { $0.integer(0...50) }
        limits.connect = object["connect"].flatMap { $0.span(atLeast: shortestWait) }
        limits.firstByte = object["first_byte"].flatMap { $0.span(atLeast: shortestWait) }
        limits.transfer = object["transfer"].flatMap { $0.span(atLeast: shortestWait) }
        return limits
    }

    /// libcurl counts in milliseconds, and takes 0 for no limit.
    private static let shortestWait = Duration.milliseconds(1)
}
