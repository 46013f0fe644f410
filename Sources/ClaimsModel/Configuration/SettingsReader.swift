// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON

/// Reads the daemon's settings, and notes everything that is wrong with them.
struct SettingsReader {
    let root: ConfigurationNode

    init(node: JSON5Node, log: ProblemLog) {
        root = ConfigurationNode(node: node, keyPath: "", log: log)
    }

    /// The settings, with defaults for what is missing or wrong.
    func read() -> Settings {
        var settings = Settings()
        guard let object = root.object("language", "limits", "hosts", "guard", "history", "outbox", "roles") else {
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
        return settings
    }
}

extension LimitGroup {
    /// The keys of the configuration that set these limits.
    static var names: [String] { keys.map(\.name) }
}

extension ConfigurationNode {
    /// `limits`, with those in place of their own that this object sets; nil if it is no object of such limits.
    fileprivate func limits<Limits: LimitGroup>(_ limits: Limits) -> Limits? {
        object(Limits.names)?.overrides().applied(to: limits)
    }

    /// A value in the notation of its unit, and in its range; nil if this is none.
    fileprivate func value(in range: LimitRange) -> LimitValue? {
        switch range {
        case .count(let range): integer(range).map { .count($0) }
        case .bytes(let minimum): size(minimum...ByteSize.maxSize).map { .bytes($0) }
        case .span(let minimum): span(atLeast: minimum).map { .span($0) }
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
