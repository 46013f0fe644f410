// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON

/// The content of the configuration files: the daemon's settings and the definitions of collections.
///
/// ``ConfigurationInForce`` decides which of it comes into force.
public struct Configuration: Sendable {
    /// The file `claimsd.json5`.
    public let settingsFile: MergedFile<Settings>
    /// The files of all collections, ordered by name, including collections with problems.
    public private(set) var definitionFiles: [MergedFile<Definition>]
    /// The file `fleet.json5`; without origins if there is none.
    public let fleetFile: MergedFile<FleetDefinition>
    /// The folders of all layers, the vendor's first.
    public let folders: [ConfigurationFolder]

    init(
        settingsFile: MergedFile<Settings>, definitionFiles: [MergedFile<Definition>],
        fleetFile: MergedFile<FleetDefinition>, folders: [ConfigurationFolder]
    ) {
        self.settingsFile = settingsFile
        self.definitionFiles = definitionFiles
        self.fleetFile = fleetFile
        self.folders = folders
    }

    /// The daemon's settings, with defaults for settings that no file sets or that have problems.
    public var settings: Settings { settingsFile.value ?? Settings() }
    /// The definitions without problems, ordered by name.
    public var definitions: [Definition] { ConfigurationInForce(self, before: []).definitions }
    /// The names of all collections in order, including collections with problems.
    public var names: [String] { definitionFiles.compactMap { ConfigurationName.collection(of: $0.name) } }
    /// All problems: of folders, then of the settings, of each collection, and between collections.
    public var problems: [ConfigurationProblem] { ConfigurationInForce(self, before: []).problems }

    /// The definition called `name`; nil if there is none or it has problems.
    public func definition(named name: String) -> Definition? {
        definitions.first { $0.name == name }
    }

    /// The files that define the collection called `name`; nil if there are none.
    public func file(of name: String) -> MergedFile<Definition>? {
        let file = ConfigurationName.file(of: name)
        return definitionFiles.first { $0.name == file }
    }

    /// Adds the problems that `check` finds with each definition that has none so far.
    public mutating func check(_ check: (MergedFile<Definition>, Definition) -> [ConfigurationProblem]) {
        for index in definitionFiles.indices {
            let file = definitionFiles[index]
            guard let definition = file.usable else { continue }
            for problem in check(file, definition) { definitionFiles[index].reject(problem) }
        }
    }

    /// Reads the vendor's files in `dataDirectory`, with the site's files in `configDirectory` merged over them.
    ///
    /// The files are `claimsd.json5`, `collections.d/NAME.json5` for each collection, and `fleet.json5` of the site.
    ///
    /// It never fails. ``problems`` names every error, and a collection with one is not among the definitions.
    public static func load(
        configDirectory: String, dataDirectory: String, files: ConfigurationFiles
    ) -> Configuration {
        ConfigurationLoader(layers: [(.vendor, dataDirectory), (.site, configDirectory)], files: files).load()
    }
}

/// Decides which settings and definitions are in force: those of the files if they are good, and otherwise those that
/// were in force before.
///
/// ```swift
/// let force = ConfigurationInForce(configuration, before: texts)
/// serve(force.definitions)
/// keep(force.texts)
/// ```
public struct ConfigurationInForce: Sendable {
    public private(set) var settings: Settings
    /// The hosts that share sources; nil if this host shares none.
    public private(set) var fleet: FleetDefinition?
    /// The definitions, ordered by name. Definitions that are not in the files are marked by ``Definition/isPrevious``.
    public private(set) var definitions: [Definition]
    /// All problems: of folders, then of the settings, of each collection, and between collections.
    public private(set) var problems: [ConfigurationProblem]
    /// The texts of everything in force, the settings first and then by name. The next decision needs them.
    public private(set) var texts: [TextInForce]
    /// The names of the collections that have a definition file, and no definition in force.
    public let leftOut: Set<String>
    /// The names of the collections whose definition was in force before, and is gone from folders that can be read.
    public let removed: Set<String>
    /// Whether every folder that is there could be read. Otherwise nothing follows from the absence of a definition that was
    /// not in force before.
    public let isEveryFolderRead: Bool

    /// Decides by the files and by the texts that were in force before, which are empty at the first start.
    ///
    /// - Parameters:
    ///   - host: the name of this host in a fleet.
    ///   - isFilter: checks the filters of definitions that have lost fields.
    ///   - isRuleFilter: checks the filters in rules of access of definitions that were in force before.
    public init(
        _ configuration: Configuration, before: [TextInForce], host: String = "",
        isFilter: @escaping Definition.FilterCheck = { _, _ in true },
        isRuleFilter: Definition.FilterCheck = { _, _ in true }
    ) {
        let before = Dictionary(before.map { ($0.name, $0) }, uniquingKeysWith: { $1 })
        let gaps = FolderGaps(configuration.folders)
        let file = configuration.settingsFile
        let earlier = before[file.name]
        let isKept = !file.isSound && !file.origins.isEmpty || gaps.hide(earlier)
        texts = []
        if isKept, let earlier, let settings = earlier.settings() {
            self.settings = settings
            texts.append(earlier)
        } else if file.isSound || file.origins.isEmpty {
            settings = file.value ?? Settings()
            // Rules may be in a folder that cannot be read.
            if earlier == nil, !gaps.areReadable { settings.defaultAccess = .closed }
            if let text = file.textInForce { texts.append(text) }
        } else {
            settings = Settings()
            // A mistake elsewhere in the file must not open the collections that the file closes.
            settings.defaultAccess = file.value?.defaultAccess ?? .closed
            if let earlier { texts.append(earlier) }
        }
        problems = gaps.problems(of: before.values) + file.problems + configuration.fleetFile.problems
        let fleetFile = configuration.fleetFile
        let earlierFleet = before[ConfigurationName.fleet]
        if fleetFile.isSound, let text = fleetFile.textInForce {
            fleet = fleetFile.value
            texts.append(text)
        } else if !fleetFile.origins.isEmpty || gaps.hide(earlierFleet), let earlierFleet {
            // A fleet that is gone for a mistake would have each host ask for itself.
            fleet = earlierFleet.fleet()
            texts.append(earlierFleet)
        }
        var candidates = Self.candidates(
            configuration.definitionFiles, before: before, gaps: gaps, isFilter: isFilter, isRuleFilter: isRuleFilter)
        problems += configuration.definitionFiles.flatMap(\.problems)
        problems += SingularRivals.settle(&candidates)
        problems += candidates.compactMap(\.problem)
        let closesOthers = settings.defaultAccess == .closed
        definitions = candidates.compactMap(\.definition).map { definition in
            closesOthers && definition.access == nil ? definition.with(.closed) : definition
        }
        texts += candidates.compactMap(\.text)
        if let fleet {
            let file = texts.first { $0.name == ConfigurationName.fleet }?.origins.last?.path ?? ConfigurationName.fleet
            problems += fleet.problems(among: definitions, file: file)
            definitions = definitions.map { fleet.placed($0, on: host) }
        }
        let kept = texts.compactMap { ConfigurationName.collection(of: $0.name) }
        let names = Set(configuration.names + kept)
        leftOut = names.subtracting(definitions.map(\.name))
        removed = Set(before.keys.compactMap { ConfigurationName.collection(of: $0) }).subtracting(names)
        isEveryFolderRead = gaps.areReadable
    }

    /// The rules of access of each collection in force, as its definition has them.
    public var accessTexts: [String: String] {
        var accessTexts: [String: String] = [:]
        for text in texts {
            if let name = ConfigurationName.collection(of: text.name) { accessTexts[name] = text.accessText }
        }
        return accessTexts
    }

    /// The same decision with the numbers of the users and groups that rules of `access` name, and the keys of hashes.
    public func resolvingNames(
        user: (String) -> UInt32?, group: (String) -> UInt32?, key: (String) -> [UInt8]? = { _ in nil }
    ) -> ConfigurationInForce {
        var resolved = self
        resolved.definitions = definitions.map { $0.with($0.access?.resolved(user: user, group: group, key: key)) }
        return resolved
    }

    /// The same decision with the settings and the rules of access of another one: they wait for nothing that is built.
    public func takingRules(of next: ConfigurationInForce) -> ConfigurationInForce {
        var taken = self
        taken.settings = next.settings
        taken.definitions = definitions.map { definition in
            next.definitions.first { $0.name == definition.name }.map { definition.withRules(of: $0) } ?? definition
        }
        return taken
    }

    private static func candidates(
        _ files: [MergedFile<Definition>], before: [String: TextInForce], gaps: FolderGaps,
        isFilter: @escaping Definition.FilterCheck, isRuleFilter: Definition.FilterCheck
    ) -> [DefinitionCandidate] {
        let filesByName = Dictionary(files.map { ($0.name, $0) }, uniquingKeysWith: { $1 })
        let earlier = before.keys.filter { ConfigurationName.collection(of: $0) != nil }
        return Set(filesByName.keys).union(earlier).sorted().compactMap { name in
            let isHidden = gaps.hide(before[name])
            // Gone from a folder that can be read: removed.
            if filesByName[name] == nil, !isHidden { return nil }
            return DefinitionCandidate(
                file: filesByName[name], before: before[name], isFileTrusted: !isHidden, isFilter,
                isRuleFilter: isRuleFilter)
        }
    }

    /// The decision after definitions could not be put into force: what `running` has of these collections stays.
    ///
    /// - Parameters:
    ///   - failures: the reasons by the name of the collection.
    ///   - running: the decision that was in force before this one.
    public func keeping(_ running: ConfigurationInForce, after failures: [String: String]) -> ConfigurationInForce {
        guard !failures.isEmpty else { return self }
        var kept = self
        for (name, reason) in failures.sorted(by: { $0.key < $1.key }) {
            let file = ConfigurationName.file(of: name)
            let origins = texts.first { $0.name == file }?.origins
            kept.problems.append(
                ConfigurationProblem(
                    location: ConfigurationLocation(file: origins?.last?.path ?? file),
                    message: "the new definition could not be put into force: \(reason)", collection: name))
            kept.definitions.removeAll { $0.name == name }
            kept.texts.removeAll { $0.name == file }
            if let old = running.definitions.first(where: { $0.name == name }) {
                // Rules do not wait for what else could not come into force.
                let next = definitions.first { $0.name == name }
                kept.definitions.append((next.map { old.withRules(of: $0) } ?? old.with(nil)).asPrevious)
            }
            if let text = running.texts.first(where: { $0.name == file }) {
                // Later decisions depend on the text, so it keeps the rules, too.
                kept.texts.append(text.withAccess(of: texts.first { $0.name == file }))
            }
        }
        kept.definitions.sort { $0.name < $1.name }
        return kept
    }
}

extension MergedFile {
    /// The text in the form in which it comes into force; nil if there is none.
    var textInForce: TextInForce? {
        guard let text, !origins.isEmpty else { return nil }
        return TextInForce(name: name, text: text, origins: origins)
    }
}

/// The folders that could not be listed. A missing file proves nothing there.
private struct FolderGaps {
    private let folders: [ConfigurationFolder]

    init(_ folders: [ConfigurationFolder]) {
        self.folders = folders.filter { !$0.isListed }
    }

    /// False if one of the folders is there, but cannot be listed.
    var areReadable: Bool {
        !folders.contains { folder in
            if case .unreadable = folder.listing { true } else { false }
        }
    }

    /// Whether a file that a text came from may be there although it is not seen.
    func hide(_ text: TextInForce?) -> Bool {
        guard let text else { return false }
        return folders.contains { $0.held(text) }
    }

    /// The problems with folders: a missing one is a problem only where something came from it.
    func problems(of texts: some Sequence<TextInForce>) -> [ConfigurationProblem] {
        folders.filter { folder in
            if case .unreadable = folder.listing { return true }
            return texts.contains { folder.held($0) }
        }.compactMap(\.problem)
    }
}

extension ConfigurationFolder {
    /// Whether the folder held one of the files that a text came from.
    fileprivate func held(_ text: TextInForce) -> Bool {
        holdsDefinitions == (ConfigurationName.collection(of: text.name) != nil)
            && text.origins.contains { $0.layer == layer }
    }
}

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
            fleetFile: readFleet(), folders: folders)
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

    /// Only the site defines a fleet: a vendor's file is ignored.
    private func readFleet() -> MergedFile<FleetDefinition> {
        let log = ProblemLog(collection: nil)
        let site = ConfigurationLoader(layers: layers.filter { $0.layer == .site }, files: files)
        let (node, origins) = site.merged(ConfigurationName.fleet, log: log)
        let fleet = node.flatMap { FleetReader(node: $0, log: log).read() }
        for (path, location) in log.certificateFiles {
            if let obstacle = files.certificateObstacle(path) { log.add(obstacle, at: location) }
        }
        return MergedFile(
            name: ConfigurationName.fleet, origins: origins, text: node?.text, value: fleet, problems: log.sorted,
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

    /// The text of a definition, with the bundle's absolute path, because the text does not have the file of each
    /// value.
    private func text(_ node: JSON5Node, bundle: String?) -> String {
        guard let bundle, case .object(var members) = node.value,
            let index = members.firstIndex(where: { $0.key == "bundle" })
        else { return node.text }
        members[index].node.value = .string(bundle)
        var node = node
        node.value = .object(members)
        return node.text
    }

    /// The files called `name` of all layers, merged, and their origins; no node if there is none, or if one cannot be
    /// read.
    private func merged(_ name: String, log: ProblemLog) -> (node: JSON5Node?, origins: [ConfigurationOrigin]) {
        var merged: JSON5Node?
        var origins: [ConfigurationOrigin] = []
        var isSound = true
        for (layer, folder) in layers {
            let path = "\(folder)/\(name)"
            let content = files.read(path)
            if case .missing = content { continue }
            // The problem is the folder's, and is reported once; whether the file is there is not known.
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
