// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON

/// The merged text of a definition, or of the settings, that was good when it came into force.
///
/// It is kept until the files have another good text, or are gone. Paths in it are absolute.
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

    /// The definition in the text; nil for a definition that this version of the program does not understand.
    ///
    /// An older version allowed fields with the name of a member of answers. Such a field is left out, and so are
    /// references to it.
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

    /// The problem that fields are left out; nil if none is.
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

    /// The settings in the text; nil for settings that this version of the program does not understand.
    func settings() -> Settings? {
        let log = ProblemLog(collection: nil)
        guard let node = parse() else { return nil }
        let settings = SettingsReader(node: node, log: log).read()
        return log.problems.isEmpty ? settings : nil
    }

    /// The fleet in the text; nil for a fleet that this version of the program does not understand.
    func fleet() -> FleetDefinition? {
        let log = ProblemLog(collection: nil)
        return parse().flatMap { FleetReader(node: $0, log: log).read() }
    }

    /// The rules of `access` in the text of a definition as JSON5, for comparing them; empty if it has none.
    public var accessText: String {
        guard case .object(let members)? = parse()?.value else { return "" }
        return members.last { $0.key == "access" }?.node.text ?? ""
    }

    /// The same text with rules of `access` that show the collection to no user.
    var closed: TextInForce {
        guard let closed = try? JSON5.parse(Array("{ access: { rules: [] } }".utf8), file: name) else { return self }
        return TextInForce(name: name, text: parse()?.merging(closed).text ?? text, origins: origins)
    }

    /// The same text with the rules of `access` that another text has; the other one may have none.
    func withAccess(of other: TextInForce?) -> TextInForce {
        guard let other, case .object(let theirs)? = other.parse()?.value, var node = parse(),
            case .object(var members) = node.value
        else { return self }
        members.removeAll { $0.key == "access" }
        members += theirs.filter { $0.key == "access" }
        node.value = .object(members)
        return TextInForce(name: name, text: node.text, origins: origins)
    }

    private func parse() -> JSON5Node? {
        try? JSON5.parse(Array(text.utf8), file: name)
    }
}

/// The names of the files below the folders of the layers.
enum ConfigurationName {
    static let settings = "claimsd" + suffix
    static let fleet = "fleet" + suffix
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

    /// The collection that a file in the folder of definitions defines; nil for a file that is no definition.
    static func collection(listed file: String) -> String? {
        file.hasSuffix(suffix) && !file.hasPrefix(".") ? String(file.dropLast(suffix.count)) : nil
    }
}

/// The files of one name, merged and read: a definition, or the settings.
public struct MergedFile<Value: Sendable>: Sendable {
    /// The name below the folders of the layers, such as `collections.d/things.json5`.
    public let name: String
    /// The files that were found, including unreadable ones; the vendor's first.
    public let origins: [ConfigurationOrigin]
    /// The merged text as JSON5 on one line, which can be read again; nil if a file cannot be read.
    public let text: String?
    /// The meaning of the text; nil if it has none.
    public let value: Value?
    /// All problems, file by file from the top down.
    public private(set) var problems: [ConfigurationProblem]
    /// The locations of the values of all members, by their key paths.
    let locations: [String: ConfigurationLocation]

    /// Whether the value of the files can come into force.
    public var isSound: Bool { value != nil && text != nil && problems.isEmpty }

    init(
        name: String, origins: [ConfigurationOrigin], text: String?, value: Value?, problems: [ConfigurationProblem],
        locations: [String: ConfigurationLocation]
    ) {
        self.name = name
        self.origins = origins
        self.text = text
        self.value = value
        self.problems = problems
        self.locations = locations
    }

    /// The location of a value by its key path; for a value that no file has, the location of the file with the highest
    /// priority.
    public func location(of keyPath: String) -> ConfigurationLocation {
        locations[keyPath] ?? ConfigurationLocation(file: origins.last?.path ?? name, keyPath: keyPath)
    }

    /// Adds a problem that only a check outside of this module finds. The value does not come into force then.
    public mutating func reject(_ problem: ConfigurationProblem) {
        problems.append(problem)
    }
}

extension MergedFile<Definition> {
    /// The definition in the form in which it can come into force: the definition of the files, or, if only its rules
    /// of `access` are wrong, the same one closed to all users.
    var usable: Definition? {
        guard text != nil, problems.allSatisfy(\.isInAccess) else { return nil }
        return problems.isEmpty ? value : value?.with(.mistaken)
    }

    /// Whether the rules of `access` have a mistake.
    var hasMistakeInAccess: Bool { problems.contains(where: \.isInAccess) }

    /// The location of a value that belongs to a request, by its key path in the request.
    ///
    /// It may be written elsewhere: a site and `writes` inherit values of the source, and `credential` is short for
    /// `auth.bearer`.
    public func location(ofRequestKey keyPath: String) -> ConfigurationLocation {
        let keys = keyPath.split(separator: ".").map(String.init)
        var paths = [keys]
        if keys.starts(with: ["source", "sites", "each"]) { paths.append(["source"] + keys.dropFirst(4)) }
        if keys.first == "writes" { paths.append(["source"] + keys.dropFirst()) }
        for path in paths {
            let spellings = path.last == "credential" ? [path, path.dropLast() + ["auth", "bearer"]] : [path]
            for spelling in spellings {
                if let location = locations[spelling.joined(separator: ".")] { return location }
            }
        }
        return location(of: keyPath)
    }
}
