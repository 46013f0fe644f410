// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// The content of the configuration files: the daemon's settings and the definitions of collections.
///
/// ``ConfigurationInForce`` decides which of it comes into force.
public struct Configuration: Sendable {
    /// The file `claimsd.json5`.
    public let settingsFile: MergedFile<Settings>
    /// The files of all collections, ordered by name, those with problems included.
    public private(set) var definitionFiles: [MergedFile<Definition>]
    /// The folders of all layers, the vendor's first.
    public let folders: [ConfigurationFolder]

    init(
        settingsFile: MergedFile<Settings>, definitionFiles: [MergedFile<Definition>], folders: [ConfigurationFolder]
    ) {
        self.settingsFile = settingsFile
        self.definitionFiles = definitionFiles
        self.folders = folders
    }

    /// The daemon's settings, with defaults for those that no file sets or that have problems.
    public var settings: Settings { settingsFile.value ?? Settings() }
    /// The definitions without problems, ordered by name.
    public var definitions: [Definition] { ConfigurationInForce(self, before: []).definitions }
    /// The names of all collections in order, those with problems included.
    public var names: [String] { definitionFiles.compactMap { ConfigurationName.collection(of: $0.name) } }
    /// All problems: those of folders, then of the settings, of each collection, and between collections.
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
            guard file.isSound, let definition = file.value else { continue }
            for problem in check(file, definition) { definitionFiles[index].reject(problem) }
        }
    }

    /// Reads the vendor's files in `dataDirectory`, with the site's files in `configDirectory` merged over them.
    ///
    /// The files are `claimsd.json5`, and `collections.d/NAME.json5` for each collection.
    ///
    /// It never fails. ``problems`` names every error, and a collection with one is not among the definitions.
    public static func load(
        configDirectory: String, dataDirectory: String, files: ConfigurationFiles
    ) -> Configuration {
        ConfigurationLoader(layers: [(.vendor, dataDirectory), (.site, configDirectory)], files: files).load()
    }
}
