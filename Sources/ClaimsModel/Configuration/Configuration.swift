// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON

/// The content of the configuration files: the daemon's settings and the definitions of collections.
public struct Configuration: Sendable {
    /// The daemon's settings, with defaults for those that no file sets or that have problems.
    public let settings: Settings
    /// The definitions without problems, ordered by name.
    public let definitions: [Definition]
    /// The names of all collections in order, those with problems included.
    public let names: [String]
    /// All problems: those of the settings, then those of each collection, then those between collections.
    public let problems: [ConfigurationProblem]

    public init(settings: Settings, definitions: [Definition], names: [String], problems: [ConfigurationProblem]) {
        self.settings = settings
        self.definitions = definitions
        self.names = names
        self.problems = problems
    }

    /// The definition called `name`; nil if there is none or it has problems.
    public func definition(named name: String) -> Definition? {
        definitions.first { $0.name == name }
    }

    /// Reads the vendor's files in `dataDirectory`, with the site's files in `configDirectory` merged over them.
    ///
    /// The files are `claimsd.json5`, and `collections.d/NAME.json5` for each collection.
    ///
    /// It never fails. ``problems`` names every error, and a collection with one is left out. A caller that reloads
    /// keeps the old definition of such a collection in force.
    public static func load(
        configDirectory: String, dataDirectory: String, files: ConfigurationFiles
    ) -> Configuration {
        ConfigurationLoader(layers: [dataDirectory, configDirectory], files: files).load()
    }
}

/// The access to the files of the configuration. This module reads no file itself.
public struct ConfigurationFiles {
    /// The outcome of reading one file.
    public enum Content {
        case bytes([UInt8])
        case missing
        /// The file cannot be read, for this reason.
        case unreadable(String)
    }

    /// Reads the file at a path.
    public let read: (_ path: String) -> Content
    /// Lists the names in the folder at a path, in any order; empty if there is no such folder.
    public let list: (_ folder: String) -> [String]
    /// The reason why the file at a path, to which a definition refers, cannot be read; nil if it can.
    public let obstacle: (_ path: String) -> String?

    /// - Parameter obstacle: by default no file is looked at, and each counts as there.
    public init(
        read: @escaping (String) -> Content, list: @escaping (String) -> [String],
        obstacle: @escaping (String) -> String? = { _ in nil }
    ) {
        self.read = read
        self.list = list
        self.obstacle = obstacle
    }
}

/// Reads the configuration's layers, merges them and checks the whole.
struct ConfigurationLoader {
    /// The folders, the vendor's first; each is merged over those before it.
    let layers: [String]
    let files: ConfigurationFiles

    /// The ending of the names of definition files.
    static let suffix = ".json5"

    func load() -> Configuration {
        let settingsLog = ProblemLog(collection: nil)
        var settings = Settings()
        if let node = merged("claimsd" + Self.suffix, log: settingsLog) {
            settings = SettingsReader(node: node, log: settingsLog).read()
        }
        var problems = settingsLog.sorted
        var definitions: [Definition] = []
        let names = collectionNames()
        for name in names {
            let log = ProblemLog(collection: name)
            let definition = read(name, among: names, log: log)
            if let definition { definitions.append(definition) }
            problems += log.sorted
        }
        problems += removeRivals(from: &definitions)
        return Configuration(settings: settings, definitions: definitions, names: names, problems: problems)
    }

    private func collectionNames() -> [String] {
        var names: Set<String> = []
        for layer in layers {
            for file in files.list("\(layer)/collections.d") where file.hasSuffix(Self.suffix) && !file.hasPrefix(".") {
                names.insert(String(file.dropLast(Self.suffix.count)))
            }
        }
        return names.sorted()
    }

    private func read(_ name: String, among names: [String], log: ProblemLog) -> Definition? {
        let file = "collections.d/\(name)\(Self.suffix)"
        guard let node = merged(file, log: log) else { return nil }
        guard ReservedNames.isName(name) else {
            log.add(
                "'\(name)' is not a name; expected a-z, 0-9 and _, beginning with a letter",
                at: ConfigurationLocation(file: node.file))
            return nil
        }
        var reader = DefinitionReader(
            name: name, node: node, log: log,
            surroundings: DefinitionReader.Surroundings(
                folder: { path in layers.first { path.hasPrefix("\($0)/") } ?? layers.first ?? "" },
                others: names.filter { $0 != name }, obstacle: files.obstacle))
        return reader.read()
    }

    /// The files called `name` of all layers, merged; nil if there is none, or one cannot be read.
    private func merged(_ name: String, log: ProblemLog) -> JSON5Node? {
        var merged: JSON5Node?
        var isSound = true
        for layer in layers {
            let path = "\(layer)/\(name)"
            switch files.read(path) {
            case .missing: continue
            case .unreadable(let reason):
                log.add("cannot be read: \(reason)", at: ConfigurationLocation(file: path))
                isSound = false
            case .bytes(let bytes):
                do throws(JSON5Error) {
                    let node = try JSON5.parse(bytes, file: path)
                    guard case .object = node.value else {
                        log.add(
                            "expected an object",
                            at: ConfigurationLocation(file: path, line: node.line, column: node.column))
                        isSound = false
                        continue
                    }
                    let base = merged ?? JSON5Node(value: .null, file: path, line: node.line, column: node.column)
                    merged = base.merging(node)
                } catch {
                    log.add(
                        error.message,
                        at: ConfigurationLocation(file: path, line: error.line, column: error.column))
                    isSound = false
                }
            }
        }
        return isSound ? merged : nil
    }

    /// Takes out the collections whose singular an earlier one has.
    private func removeRivals(from definitions: inout [Definition]) -> [ConfigurationProblem] {
        var problems: [ConfigurationProblem] = []
        var namesBySingular: [String: String] = [:]
        definitions.removeAll { definition in
            guard let holder = namesBySingular[definition.singular] else {
                namesBySingular[definition.singular] = definition.name
                return false
            }
            let file = layers.reversed().map { "\($0)/collections.d/\(definition.name)\(Self.suffix)" }.first { path in
                if case .bytes = files.read(path) { true } else { false }
            }
            problems.append(
                ConfigurationProblem(
                    location: ConfigurationLocation(file: file ?? "", keyPath: "singular"),
                    message: "'\(definition.singular)' is the singular of '\(holder)' already; expected another word",
                    collection: definition.name))
            return true
        }
        return problems
    }
}
