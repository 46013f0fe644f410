// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// The files of one name, merged and read: a definition, or the settings.
public struct MergedFile<Value: Sendable>: Sendable {
    /// The name below the folders of the layers, such as `collections.d/things.json5`.
    public let name: String
    /// The files that were found, those that cannot be read included; the vendor's first.
    public let origins: [ConfigurationOrigin]
    /// The merged text as JSON5 on one line, which can be read again; nil if a file cannot be read.
    public let text: String?
    /// The meaning of the text; nil if it has none.
    public let value: Value?
    /// All problems, file by file from the top down.
    public private(set) var problems: [ConfigurationProblem]
    /// The locations of the members of the outermost object, by key.
    let members: [String: ConfigurationLocation]

    /// Whether the value can come into force.
    public var isSound: Bool { value != nil && text != nil && problems.isEmpty }

    init(
        name: String, origins: [ConfigurationOrigin], text: String?, value: Value?, problems: [ConfigurationProblem],
        members: [String: ConfigurationLocation]
    ) {
        self.name = name
        self.origins = origins
        self.text = text
        self.value = value
        self.problems = problems
        self.members = members
    }

    /// The location of a member of the outermost object; that of the file with the last word where nobody wrote it.
    public func location(of key: String) -> ConfigurationLocation {
        members[key] ?? ConfigurationLocation(file: origins.last?.path ?? name, keyPath: key)
    }

    /// Adds a problem that only a check outside of this module finds. The value does not come into force then.
    public mutating func reject(_ problem: ConfigurationProblem) {
        problems.append(problem)
    }
}
