// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// The decision which settings and definitions are in force: those of the files, where they are good, and otherwise
/// those that were in force before.
///
/// ```swift
/// let force = ConfigurationInForce(configuration, before: texts)
/// serve(force.definitions)
/// keep(force.texts)
/// ```
public struct ConfigurationInForce: Sendable {
    public private(set) var settings: Settings
    /// The definitions, ordered by name. Those that the files do not say are marked by ``Definition/isPrevious``.
    public private(set) var definitions: [Definition]
    /// All problems: those of folders, then of the settings, of each collection, and between collections.
    public private(set) var problems: [ConfigurationProblem]
    /// The texts of all that is in force, the settings' first and then by name: what the next decision needs.
    public private(set) var texts: [TextInForce]
    /// The names of the collections that have a definition file, and no definition in force.
    public let leftOut: Set<String>
    /// The names of the collections whose definition was in force before, and is gone from folders that can be read.
    public let removed: Set<String>
    /// Whether every folder that is there could be read. Otherwise nothing follows from the absence of a definition that was
    /// not in force before.
    public let isEveryFolderRead: Bool

    /// Decides by what the files say and what was in force before; at the first start nothing was.
    ///
    /// - Parameter isFilter: asked about the filters of definitions that fields are left out of.
    public init(
        _ configuration: Configuration, before: [TextInForce],
        isFilter: @escaping Definition.FilterCheck = { _, _ in true }
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
            if let text = file.textInForce { texts.append(text) }
        } else {
            settings = Settings()
            if let earlier { texts.append(earlier) }
        }
        problems = gaps.problems(of: before.values) + file.problems
        var candidates = Self.candidates(configuration.definitionFiles, before, gaps, isFilter)
        problems += configuration.definitionFiles.flatMap(\.problems)
        problems += SingularRivals.settle(&candidates)
        problems += candidates.compactMap(\.problem)
        definitions = candidates.compactMap(\.definition)
        texts += candidates.compactMap(\.text)
        let kept = texts.compactMap { ConfigurationName.collection(of: $0.name) }
        let names = Set(configuration.names + kept)
        leftOut = names.subtracting(definitions.map(\.name))
        removed = Set(before.keys.compactMap { ConfigurationName.collection(of: $0) }).subtracting(names)
        isEveryFolderRead = gaps.areReadable
    }

    private static func candidates(
        _ files: [MergedFile<Definition>], _ before: [String: TextInForce], _ gaps: FolderGaps,
        _ isFilter: @escaping Definition.FilterCheck
    ) -> [DefinitionCandidate] {
        let filesByName = Dictionary(files.map { ($0.name, $0) }, uniquingKeysWith: { $1 })
        let earlier = before.keys.filter { ConfigurationName.collection(of: $0) != nil }
        return Set(filesByName.keys).union(earlier).sorted().compactMap { name in
            let isHidden = gaps.hide(before[name])
            // Gone from a folder that can be read: removed.
            if filesByName[name] == nil, !isHidden { return nil }
            return DefinitionCandidate(
                file: filesByName[name], before: before[name], isFileTrusted: !isHidden, isFilter)
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
                kept.definitions.append(old.asPrevious)
            }
            if let text = running.texts.first(where: { $0.name == file }) { kept.texts.append(text) }
        }
        kept.definitions.sort { $0.name < $1.name }
        return kept
    }
}

extension MergedFile {
    /// The text as it is kept when it comes into force; nil where there is none.
    var textInForce: TextInForce? {
        guard let text, !origins.isEmpty else { return nil }
        return TextInForce(name: name, text: text, origins: origins)
    }
}

/// The folders that could not be listed, in which the absence of a file says nothing.
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
