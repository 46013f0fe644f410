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
    /// The locations of the values of all members, by their key paths.
    let locations: [String: ConfigurationLocation]

    /// Whether the value can come into force.
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

    /// The location of a value by its key path; that of the file with the last word where nobody wrote it.
    public func location(of keyPath: String) -> ConfigurationLocation {
        locations[keyPath] ?? ConfigurationLocation(file: origins.last?.path ?? name, keyPath: keyPath)
    }

    /// Adds a problem that only a check outside of this module finds. The value does not come into force then.
    public mutating func reject(_ problem: ConfigurationProblem) {
        problems.append(problem)
    }
}

extension MergedFile<Definition> {
    /// The location of a value that belongs to a request, by the key path that the request has it under.
    ///
    /// It may be written elsewhere: a site and `writes` take over what the source has, and `credential` is short for
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
