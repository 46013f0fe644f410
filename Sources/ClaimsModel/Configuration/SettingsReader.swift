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
        guard let object = root.object("language", "limits", "guard", "history", "roles") else { return settings }
        if let node = object["language"], let language = node.string("a language such as en or pl") {
            let primary = LocalizedText.primaryLanguage(of: language)
            if primary.utf8.count < 2 { node.complain(expected: "a language such as en or pl") }
            settings.language = primary
        }
        if let node = object["limits"] { readLimits(node, into: &settings) }
        if let node = object["guard"] { readGuard(node, into: &settings.shrinkGuard) }
        if let history = object["history"]?.object("keep", "changes") {
            if let keep = history["keep"]?.span() { settings.history.keep = keep }
            if let changes = history["changes"]?.integer(0...1_000_000_000) { settings.history.changes = changes }
        }
        if let roles = object["roles"]?.object("archive", "admin") {
            if let members = roles["archive"].flatMap({ readMembers($0) }) { settings.roles.archive = members }
            if let members = roles["admin"].flatMap({ readMembers($0) }) { settings.roles.admin = members }
        }
        return settings
    }

    private func readLimits(_ node: ConfigurationNode, into settings: inout Settings) {
        guard
            let object = node.object(
                "body", "records", "expansion", "redirects", "connect", "first_byte", "transfer", "line", "depth",
                "filter", "terms", "filter_depth", "clients", "clients_per_user", "in_flight", "unsent",
                "subscriptions", "request", "answer")
        else { return }
        settings.transfer = settings.transfer.applying(TransferLimitsReader.read(object))
        func integer(_ key: String, _ range: ClosedRange<Int>, into limit: inout Int) {
            if let number = object[key]?.integer(range) { limit = number }
        }
        func size(_ key: String, atLeast least: Int, into limit: inout Int) {
            if let size = object[key]?.size(least...ByteSize.largest) { limit = size }
        }
        size("line", atLeast: 1024, into: &settings.limits.line)
        integer("depth", 4...1000, into: &settings.limits.depth)
        size("filter", atLeast: 64, into: &settings.limits.filter)
        integer("terms", 1...100_000, into: &settings.limits.terms)
        integer("filter_depth", 1...1000, into: &settings.limits.filterDepth)
        integer("clients", 1...1_000_000, into: &settings.limits.clients)
        integer("clients_per_user", 1...1_000_000, into: &settings.limits.clientsPerUser)
        integer("in_flight", 1...100_000, into: &settings.limits.inFlight)
        size("unsent", atLeast: 1024, into: &settings.limits.unsent)
        integer("subscriptions", 1...100_000, into: &settings.limits.subscriptions)
        if let span = object["request"]?.span(atLeast: .milliseconds(1)) { settings.limits.request = span }
        size("answer", atLeast: 4096, into: &settings.limits.answer)
    }

    private func readGuard(_ node: ConfigurationNode, into settings: inout GuardSettings) {
        guard let object = node.object("loss", "quarantine", "confirm") else { return }
        if let share = object["loss"]?.share() { settings.loss = share }
        if let share = object["quarantine"]?.share() { settings.quarantine = share }
        if let span = object["confirm"]?.span() { settings.confirm = span }
    }

    /// Users and groups, by name or number.
    private func readMembers(_ node: ConfigurationNode) -> RoleSettings.Members? {
        guard let object = node.object("users", "groups") else { return nil }
        func names(_ key: String) -> [String] {
            (object[key]?.elements(of: "an array of names or numbers") ?? []).compactMap { element in
                if case .number(let digits) = element.node.value, UInt32(digits) != nil { return digits }
                return element.name("a name or a number")
            }
        }
        return RoleSettings.Members(users: names("users"), groups: names("groups"))
    }
}
