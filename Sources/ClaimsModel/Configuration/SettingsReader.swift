// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON

/// Reads the daemon's settings, and reports all mistakes in them.
struct SettingsReader {
    let root: ConfigurationNode

    init(node: JSON5Node, log: ProblemLog) {
        root = ConfigurationNode(node: node, keyPath: "", log: log)
    }

    /// The settings, with defaults for missing or wrong ones.
    func read() -> Settings {
        var settings = Settings()
        guard let object = root.object("language", "limits", "hosts", "guard", "history", "outbox", "roles", "access")
        else {
            return settings
        }
        if let node = object["language"], let language = node.string("a language such as en or pl") {
            let primary = LocalizedText.primaryLanguage(of: language)
            if primary.utf8.count < 2 { node.complain(expected: "a language such as en or pl") }
            settings.language = primary
        }
        if let limits = object["limits"]?.object(TransferLimits.names + FetchLimits.names + ServingLimits.names) {
            settings.transfer = limits.overrides().applied(to: settings.transfer)
            settings.fetching = limits.overrides().applied(to: settings.fetching)
            settings.limits = limits.overrides().applied(to: settings.limits)
        }
        settings.hosts = object["hosts"]?.hostLimits() ?? settings.hosts
        settings.shrinkGuard = object["guard"]?.limits(settings.shrinkGuard) ?? settings.shrinkGuard
        settings.history = object["history"]?.limits(settings.history) ?? settings.history
        settings.outbox = object["outbox"]?.limits(settings.outbox) ?? settings.outbox
        if let roles = object["roles"]?.object("archive", "write", "admin") {
            settings.roles.archive = roles["archive"].flatMap { $0.members() } ?? settings.roles.archive
            settings.roles.write = roles["write"].flatMap { $0.members() } ?? settings.roles.write
            settings.roles.admin = roles["admin"].flatMap { $0.members() } ?? settings.roles.admin
        }
        if let access = object["access"]?.object("default", "journal") {
            settings.journal = access["journal"]?.limits(settings.journal) ?? settings.journal
            settings.defaultAccess = access["default"].map { Self.readDefault($0) } ?? settings.defaultAccess
        }
        return settings
    }

    private static func readDefault(_ node: ConfigurationNode) -> DefaultAccess {
        if case .string(let name) = node.node.value, let known = DefaultAccess(rawValue: name) { return known }
        node.complain(expected: DefaultAccess.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: " or "))
        // The author did not mean the default.
        return .closed
    }
}

extension LimitGroup {
    /// The keys of the configuration that set these limits.
    static var names: [String] { keys.map(\.name) }
}

extension ConfigurationNode {
    /// `limits`, with the values that this object sets; nil if it is no object of such limits.
    fileprivate func limits<Limits: LimitGroup>(_ limits: Limits) -> Limits? {
        object(Limits.names)?.overrides().applied(to: limits)
    }

    /// A value in the notation of its unit, and in its range; nil for any other value.
    fileprivate func value(in range: LimitRange) -> LimitValue? {
        switch range {
        case .count(let range): integer(range).map { .count($0) }
        case .bytes(let minimum): size(minimum...ByteSize.maxSize).map { .bytes($0) }
        case .span(let minimum, let maximum): span(atLeast: minimum, upTo: maximum).map { .span($0) }
        case .share: share().map { .share($0) }
        }
    }
}

extension ConfigurationObject {
    /// The limits of a group that the members set.
    func overrides<Limits: LimitGroup>(of limits: Limits.Type = Limits.self) -> LimitOverrides<Limits> {
        var overrides = LimitOverrides<Limits>()
        for key in Limits.keys {
            if let value = self[key.name]?.value(in: key.range) { overrides.set(key, to: value) }
        }
        return overrides
    }
}

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
