// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON

/// Reads the configuration's layers and merges them.
struct ConfigurationLoader {
    /// The folders by layer, the vendor's first; each is merged over those before it.
    let layers: [(layer: ConfigurationLayer, path: String)]
    let files: ConfigurationFiles

    func load() -> Configuration {
        var folders: [ConfigurationFolder] = []
        for (layer, path) in layers {
            let definitions = "\(path)/\(ConfigurationFolder.definitions)"
            folders += [
                ConfigurationFolder(layer: layer, path: path, listing: files.list(path), holdsDefinitions: false),
                ConfigurationFolder(
                    layer: layer, path: definitions, listing: files.list(definitions), holdsDefinitions: true),
            ]
        }
        let names = Self.collections(in: folders)
        let vendor = Self.collections(in: folders.filter { $0.layer == .vendor })
        return Configuration(
            settingsFile: readSettings(), definitionFiles: names.map { read($0, among: names, vendor: vendor) },
            folders: folders)
    }

    /// The names of the collections that files in folders define.
    private static func collections(in folders: [ConfigurationFolder]) -> [String] {
        let listed = folders.filter(\.holdsDefinitions).flatMap(\.names)
        return Set(listed.compactMap { ConfigurationName.collection(listed: $0) }).sorted()
    }

    private func readSettings() -> MergedFile<Settings> {
        let log = ProblemLog(collection: nil)
        let (node, origins) = merged(ConfigurationName.settings, log: log)
        let settings = node.map { SettingsReader(node: $0, log: log).read() }
        return MergedFile(
            name: ConfigurationName.settings, origins: origins, text: node?.text,
            value: settings ?? (origins.isEmpty ? Settings() : nil), problems: log.sorted,
            locations: node?.locations ?? [:])
    }

    private func read(_ collection: String, among names: [String], vendor: [String]) -> MergedFile<Definition> {
        let log = ProblemLog(collection: collection)
        let name = ConfigurationName.file(of: collection)
        let (node, origins) = merged(name, log: log)
        var definition: Definition?
        if let node {
            if ReservedNames.isName(collection) {
                var reader = DefinitionReader(
                    name: collection, node: node, log: log,
                    surroundings: DefinitionReader.Surroundings(
                        folder: { folder(of: $0) }, others: names.filter { $0 != collection },
                        vendor: vendor.filter { $0 != collection }, obstacle: files.obstacle))
                definition = reader.read()
                for (path, location) in log.certificateFiles {
                    if let obstacle = files.certificateObstacle(path) { log.add(obstacle, at: location) }
                }
            } else {
                log.add(
                    "'\(collection)' is not a name; expected a-z, 0-9 and _, beginning with a letter",
                    at: ConfigurationLocation(file: node.file))
            }
        }
        return MergedFile(
            name: name, origins: origins, text: node.map { text($0, bundle: definition?.bundle) }, value: definition,
            problems: log.sorted, locations: node?.locations ?? [:])
    }

    /// The triggers, and the problems of their folders. A layer without such a folder has none.
    func loadTriggers() -> (
        files: [(name: String, file: MergedFile<TriggerDefinition>)], problems: [ConfigurationProblem]
    ) {
        var names: Set<String> = []
        var problems: [ConfigurationProblem] = []
        for (_, path) in layers {
            let folder = "\(path)/\(Configuration.triggerFolder)"
            switch files.list(folder) {
            case .names(let listed): names.formUnion(listed.compactMap { ConfigurationName.collection(listed: $0) })
            case .missing: break
            case .unreadable(let reason):
                problems.append(
                    ConfigurationProblem(
                        location: ConfigurationLocation(file: folder), message: "the folder cannot be read: \(reason)"))
            }
        }
        return (names.sorted().map { ($0, readTrigger($0)) }, problems)
    }

    private func readTrigger(_ trigger: String) -> MergedFile<TriggerDefinition> {
        let log = ProblemLog(collection: nil)
        let name = "\(Configuration.triggerFolder)/\(trigger).json5"
        let (node, origins) = merged(name, log: log)
        var definition: TriggerDefinition?
        if let node {
            if TriggerDefinition.isName(trigger) {
                definition = TriggerReader(name: trigger, node: node, log: log).read()
            } else {
                let reserved = TriggerDefinition.reservedNames.sorted().joined(separator: ", ")
                log.add(
                    "'\(trigger)' is not a name; expected a-z, 0-9 and -, beginning with a letter, of at most "
                        + "\(TriggerDefinition.maxNameLength) characters, and none of \(reserved)",
                    at: ConfigurationLocation(file: node.file))
            }
        }
        return MergedFile(
            name: name, origins: origins, text: node?.text, value: definition, problems: log.sorted,
            locations: node?.locations ?? [:])
    }

    /// The folder that a relative path in a file refers to.
    private func folder(of path: String) -> String {
        layers.first { path.hasPrefix("\($0.path)/") }?.path ?? layers.first?.path ?? ""
    }

    /// The text of a definition, with the bundle's absolute path, because a text does not tell which file a value is
    /// from.
    private func text(_ node: JSON5Node, bundle: String?) -> String {
        guard let bundle, case .object(var members) = node.value,
            let index = members.firstIndex(where: { $0.key == "bundle" })
        else { return node.text }
        members[index].node.value = .string(bundle)
        var node = node
        node.value = .object(members)
        return node.text
    }

    /// The files called `name` of all layers, merged, and which there are; no node if there is none, or one cannot be
    /// read.
    private func merged(_ name: String, log: ProblemLog) -> (node: JSON5Node?, origins: [ConfigurationOrigin]) {
        var merged: JSON5Node?
        var origins: [ConfigurationOrigin] = []
        var isSound = true
        for (layer, folder) in layers {
            let path = "\(folder)/\(name)"
            let content = files.read(path)
            if case .missing = content { continue }
            // The problem is the folder's, and is told once; whether the file is there is not known.
            if case .unreadable = content, isInUnreadableFolder(path) { continue }
            origins.append(ConfigurationOrigin(layer, path))
            switch content {
            case .missing: break
            case .unreadable(let reason):
                log.add("cannot be read: \(reason)", at: ConfigurationLocation(file: path))
                isSound = false
            case .bytes(let bytes):
                if let node = object(bytes, path, log: log) {
                    let base = merged ?? JSON5Node(value: .null, file: path, line: node.line, column: node.column)
                    merged = base.merging(node)
                } else {
                    isSound = false
                }
            }
        }
        return (isSound ? merged : nil, origins)
    }

    private func isInUnreadableFolder(_ path: String) -> Bool {
        guard let slash = path.lastIndex(of: "/"), case .unreadable = files.list(String(path[..<slash])) else {
            return false
        }
        return true
    }

    private func object(_ bytes: [UInt8], _ path: String, log: ProblemLog) -> JSON5Node? {
        do throws(JSON5Error) {
            let node = try JSON5.parse(bytes, file: path)
            if case .object = node.value { return node }
            log.add(
                "expected an object", at: ConfigurationLocation(file: path, line: node.line, column: node.column))
        } catch {
            log.add(error.message, at: ConfigurationLocation(file: path, line: error.line, column: error.column))
        }
        return nil
    }
}

extension JSON5Node {
    /// The locations of the values of all members, by their key paths.
    fileprivate var locations: [String: ConfigurationLocation] {
        var locations: [String: ConfigurationLocation] = [:]
        collect(into: &locations, below: "")
        return locations
    }

    private func collect(into locations: inout [String: ConfigurationLocation], below prefix: String) {
        guard case .object(let members) = value else { return }
        for member in members {
            let keyPath = prefix + member.key
            locations[keyPath] = ConfigurationLocation(
                file: member.node.file, line: member.node.line, column: member.node.column, keyPath: keyPath)
            member.node.collect(into: &locations, below: "\(keyPath).")
        }
    }
}
