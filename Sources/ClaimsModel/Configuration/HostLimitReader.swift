// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

extension ConfigurationNode {
    /// The limits of hosts: `{ "api.example": { concurrency: 4, rate: "100/min" }, "*": {…} }`.
    ///
    /// A host's entry that lacks a member has that of `"*"`. Only a rate can be null: then the host has none.
    func hostLimits() -> HostLimitTable {
        var table = HostLimitTable()
        let entries = entries(of: "an object of limits by host, such as { \"api.example\": { concurrency: 4 } }")
        for (key, node) in entries where key == "*" { table.standard = node.limits(over: table.standard) }
        for (key, node) in entries where key != "*" {
            guard Self.isHost(key) else {
                node.complain("'\(key)' is no host; expected its name without scheme, port and path, or *")
                continue
            }
            let host = HostLimitTable.name(key)
            if table.named[host] != nil { node.complain("the host '\(host)' is named twice") }
            table.named[host] = node.limits(over: table.standard)
        }
        return table
    }

    private func limits(over standard: HostLimits) -> HostLimits {
        var limits = standard
        guard let object = object("concurrency", "rate") else { return limits }
        limits.concurrency = object["concurrency"]?.integer(HostLimits.concurrencyRange) ?? limits.concurrency
        if object.isNull("rate") { limits.rate = nil }
        if let node = object["rate"] {
            let range = RequestRate.countRange
            let expected = "a rate from \(range.lowerBound) to \(range.upperBound) per s, min or h, such as \"100/min\""
            if let text = node.string(expected) {
                limits.rate = RequestRate(text)
                if limits.rate == nil { node.complain(expected: expected) }
            }
        }
        return limits
    }

    /// Whether a key is the name or the address of a host. An IPv6 address may have its brackets.
    private static func isHost(_ text: String) -> Bool {
        guard !text.isEmpty, text.utf8.count <= 255 else { return false }
        if text.hasPrefix("[") { return text.hasSuffix("]") && isAddress(text.dropFirst().dropLast()) }
        if text.utf8.count(where: { $0 == UInt8(ascii: ":") }) > 1 { return isAddress(text[...]) }
        return text.utf8.allSatisfy { byte in
            !" /?#@:[]*\\%".utf8.contains(byte) && byte > 0x20 && byte != 0x7F
        }
    }

    private static func isAddress(_ text: Substring) -> Bool {
        text.contains(":") && text.utf8.allSatisfy { ":.0123456789abcdefABCDEF".utf8.contains($0) }
    }
}
