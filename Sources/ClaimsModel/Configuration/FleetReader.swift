// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON

/// Reads `fleet.json5`, and reports all mistakes in it.
struct FleetReader {
    private let root: ConfigurationNode

    init(node: JSON5Node, log: ProblemLog) {
        root = ConfigurationNode(node: node, keyPath: "", log: log)
    }

    /// The keys of the file.
    static let keys = ["name", "collections", "leaders", "poll", "marks"]
    /// The keys of a leader.
    static let leaderKeys = ["host", "url", "key", "headers"] + AccessReader.keys

    /// The fleet; nil if anything is wrong.
    func read() -> FleetDefinition? {
        guard let object = root.object(Self.keys) else { return nil }
        let name = object["name"].flatMap { readName($0) }
        if object["name"] == nil { object.complain(missing: "name", "a name such as \"north\"") }
        let collections = object["collections"].map { Self.names($0) }
        if object["collections"] == nil { object.complain(missing: "collections", "an array of names of collections") }
        let leaders = object["leaders"].map { readLeaders($0) }
        if object["leaders"] == nil { object.complain(missing: "leaders", "an array of hosts that may ask") }
        let poll = object["poll"].flatMap { node -> Duration? in
            let span = node.span(
                atLeast: FleetDefinition.pollRange.lowerBound, upTo: FleetDefinition.pollRange.upperBound)
            return span
        }
        let marks = object["marks"].flatMap { FleetMarksReader.read($0) }
        guard let name, let collections, let leaders, root.log.problems.isEmpty else { return nil }
        return FleetDefinition(
            name: name, collections: collections, leaders: leaders, poll: poll ?? FleetDefinition.defaultPoll,
            marks: marks)
    }

    private func readName(_ node: ConfigurationNode) -> String? {
        let expected = "a-z, 0-9 and -, beginning with a letter, of at most \(FleetDefinition.maxNameLength) characters"
        guard let name = node.string(expected) else { return nil }
        if FleetDefinition.isName(name) { return name }
        node.complain("'\(name)' is not a name; expected \(expected)")
        return nil
    }

    /// The names of collections, each once.
    static func names(_ node: ConfigurationNode) -> [String] {
        let maximum = FleetDefinition.maxCollections
        let expected = "an array of 1 to \(maximum) names of collections"
        guard let elements = node.elements(of: expected) else { return [] }
        if elements.isEmpty || elements.count > maximum { node.complain(expected: expected) }
        var names: [String] = []
        for element in elements {
            guard let name = element.name("the name of a collection") else { continue }
            if names.contains(name) { element.complain("'\(name)' is in the list already") }
            names.append(name)
        }
        return names
    }

    private func readLeaders(_ node: ConfigurationNode) -> [FleetDefinition.Leader] {
        let expected = "an array of 1 to \(FleetDefinition.maxLeaders) hosts, in the order of taking over"
        guard let elements = node.elements(of: expected) else { return [] }
        if elements.isEmpty || elements.count > FleetDefinition.maxLeaders { node.complain(expected: expected) }
        var leaders: [FleetDefinition.Leader] = []
        for element in elements {
            guard let leader = readLeader(element, after: leaders) else { continue }
            leaders.append(leader)
        }
        return leaders
    }

    private func readLeader(
        _ node: ConfigurationNode, after others: [FleetDefinition.Leader]
    ) -> FleetDefinition.Leader? {
        guard let object = node.object(Self.leaderKeys) else { return nil }
        let host = object["host"].flatMap { $0.name("the name of a host, as `uname -n` prints it") }
        if object["host"] == nil { object.complain(missing: "host", "the name of a host, as `uname -n` prints it") }
        let address = object["url"].flatMap { $0.address() }
        if object["url"] == nil { object.complain(missing: "url", "an address that ends in /") }
        let keys = object["key"].map { readKeys($0) } ?? []
        if object["key"] == nil { object.complain(missing: "key", Self.expectedKey) }
        guard let host, let address else { return nil }
        if !address.hasSuffix("/") || address.contains("?") || address.contains("#") || address.hasPrefix("file:") {
            object["url"]?.complain("expected an address of a web server that ends in /, without a query")
        }
        if others.contains(where: { $0.host == host }) { object["host"]?.complain("'\(host)' is in the list already") }
        if others.contains(where: { $0.request.url == address }) {
            object["url"]?.complain("another leader has the same address; each serves a folder of its own")
        }
        for key in keys where others.contains(where: { $0.keys.contains(key) }) {
            object["key"]?.complain("another leader has the same key; a key signs for one host")
        }
        var request = ReadRequest(url: address)
        request.headers = object["headers"].map { RequestHeaderReader.headers($0) } ?? []
        request.auth = AccessReader.authentication(object)
        request.tls = object["tls"].flatMap { AccessReader.tls($0) }
        AccessReader.checkConflicts(of: request, object)
        return FleetDefinition.Leader(host: host, request: request, keys: keys)
    }

    private static let expectedKey = "the second line of what `openssl pkey -in KEY -pubout` prints, or an array of two"

    private func readKeys(_ node: ConfigurationNode) -> [FleetDefinition.PublicKey] {
        let elements: [ConfigurationNode]
        if case .string = node.node.value {
            elements = [node]
        } else {
            elements = node.elements(of: Self.expectedKey) ?? []
            if !(1...FleetDefinition.maxKeys).contains(elements.count) { node.complain(expected: Self.expectedKey) }
        }
        return elements.compactMap { element in
            guard let text = element.string(Self.expectedKey) else { return nil }
            guard let key = FleetDefinition.PublicKey(text) else {
                element.complain("expected \(Self.expectedKey); this is no public key of Ed25519")
                return nil
            }
            return key
        }
    }
}

extension FleetDefinition {
    /// The problems with the collections that a fleet shares: it shares the sources of the defined ones.
    ///
    /// - Parameter file: the path of the file of the fleet.
    func problems(among definitions: [Definition], file: String) -> [ConfigurationProblem] {
        func problem(_ message: String, isWarning: Bool = false) -> ConfigurationProblem {
            ConfigurationProblem(
                location: ConfigurationLocation(file: file, keyPath: "collections"), message: message,
                isWarning: isWarning)
        }
        var problems: [ConfigurationProblem] = []
        var sources = 0
        for name in collections {
            guard let definition = definitions.first(where: { $0.name == name }) else {
                problems.append(problem("there is no collection '\(name)' here"))
                continue
            }
            sources += max(1, definition.sources.count)
            if !definition.isLocal, !definition.source.isConfigured {
                problems.append(problem("'\(name)' has no source.url"))
            }
            // Another host asks, and may have asked just before the write.
            if let writes = definition.writes, writes.destination != .local,
                writes.confirm < definition.source.interval * 2
            {
                problems.append(
                    problem(
                        "writes.confirm of '\(name)' is under twice its interval: on a host that does not ask, writes count as unconfirmed before another host can have seen them",
                        isWarning: true))
            }
            if leaders.count > 1, definition.hasRotatedToken {
                problems.append(
                    problem(
                        "'\(name)' has oauth2.refresh, and the fleet several leaders: each of them needs a grant of its own, as rotation ends a shared one",
                        isWarning: true))
            }
        }
        if let marks { problems += marks.problems(among: definitions, file: file) }
        if sources > Self.maxSources {
            problems.append(problem("\(sources) sources; expected at most \(Self.maxSources), a site being one"))
        }
        return problems
    }
}

extension FleetDefinition {
    /// A definition as it is in force on a host: the records of a collection that is written to on one host, the first of the
    /// leaders, are only read on the others.
    func placed(_ definition: Definition, on host: String) -> Definition {
        guard definition.isLocal, collections.contains(definition.name), let home = leaders.first, home.host != host
        else { return definition }
        return definition.living(on: home)
    }
}

extension Definition {
    /// Whether a source requests its tokens with a refresh token that changes at each use.
    fileprivate var hasRotatedToken: Bool {
        sources.contains { id in
            guard case .oauth2(let request)? = source.request(of: id.site)?.auth else { return false }
            return request.refresh != nil
        }
    }
}
