// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON

/// The merged text of a definition, or of the settings, that was good when it came into force.
///
/// It is kept until the files say something else that is good, or are gone. Paths in it are absolute.
public struct TextInForce: Sendable, Hashable {
    /// The name below the folders of the layers, such as `collections.d/things.json5`.
    public let name: String
    /// The text as JSON5.
    public let text: String
    /// The files that it was merged from, the vendor's first; never empty.
    public let origins: [ConfigurationOrigin]

    public init(name: String, text: String, origins: [ConfigurationOrigin]) {
        self.name = name
        self.text = text
        self.origins = origins
    }

    /// The definition that the text is; nil for one that this version of the program does not understand.
    ///
    /// A field that answers have a member of the same name of was good in an older version. It is left out, and so is what
    /// refers to it.
    ///
    /// - Parameter isFilter: whether a text is a filter of a collection.
    /// - Returns: the definition, and the problem that something of the text is left out of it.
    func definition(
        _ isFilter: @escaping Definition.FilterCheck
    ) -> (definition: Definition, omission: ConfigurationProblem?)? {
        guard let collection = ConfigurationName.collection(of: name), let node = parse() else { return nil }
        let log = ProblemLog(collection: collection, leavesOutFields: true)
        // A file that it refers to was there when the text came into force.
        var reader = DefinitionReader(
            name: collection, node: node, log: log,
            surroundings: DefinitionReader.Surroundings(
                folder: { _ in "" }, others: nil, vendor: [], obstacle: { _ in nil }, isFilter: isFilter))
        return reader.read().map { ($0, omission(log, collection)) }
    }

    /// The problem that fields are left out; nil where none is.
    private func omission(_ log: ProblemLog, _ collection: String) -> ConfigurationProblem? {
        guard let first = log.leftOut.first else { return nil }
        let names = log.leftOut.map { "'\($0.name)'" }.joined(separator: ", ")
        let references =
            log.leftOutReferences.isEmpty
            ? "" : "; what refers to it is left out, too: \(log.leftOutReferences.joined(separator: ", "))"
        return ConfigurationProblem(
            location: ConfigurationLocation(
                file: origins.last?.path ?? name, keyPath: first.location.keyPath),
            message: "records are served without \(names), which answers have for themselves\(references)",
            collection: collection)
    }

    /// The settings that the text is; nil for one that this version of the program does not understand.
    func settings() -> Settings? {
        let log = ProblemLog(collection: nil)
        guard let node = parse() else { return nil }
        let settings = SettingsReader(node: node, log: log).read()
        return log.problems.isEmpty ? settings : nil
    }

    private func parse() -> JSON5Node? {
        try? JSON5.parse(Array(text.utf8), file: name)
    }
}

/// The names of the files below the folders of the layers.
enum ConfigurationName {
    static let settings = "claimsd" + suffix
    static let suffix = ".json5"

    /// The name of the file that defines a collection.
    static func file(of collection: String) -> String {
        "\(ConfigurationFolder.definitions)/\(collection)\(suffix)"
    }

    /// The collection that a file defines; nil for another file.
    static func collection(of file: String) -> String? {
        let folder = ConfigurationFolder.definitions + "/"
        return file.hasPrefix(folder) ? collection(listed: String(file.dropFirst(folder.count))) : nil
    }

    /// The collection that a file in the folder of definitions defines; nil for a file that is none of ours.
    static func collection(listed file: String) -> String? {
        file.hasSuffix(suffix) && !file.hasPrefix(".") ? String(file.dropLast(suffix.count)) : nil
    }
}
