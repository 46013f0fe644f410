// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON

/// Everything that the configuration files say.
public struct Configuration: Sendable {
    public let settings: Settings
    /// The collections whose definitions are sound, by name.
    public let definitions: [Definition]
    /// The names of all collections, those with problems too, in order.
    public let names: [String]
    /// All that is wrong: the settings first, then collection by collection.
    public let problems: [ConfigurationProblem]

    public init(settings: Settings, definitions: [Definition], names: [String], problems: [ConfigurationProblem]) {
        self.settings = settings
        self.definitions = definitions
        self.names = names
        self.problems = problems
    }

    /// The definition called `name`; nil if there is none, or it has problems.
    public func definition(named name: String) -> Definition? {
        definitions.first { $0.name == name }
    }

    /// Reads the vendor's files in `dataDirectory` with the site's in `configDirectory` merged over them: `claimsd.json5`,
    /// and `collections.d/NAME.json5` for each collection. Every problem is found; what has one is not served anew,
    /// and whoever reloads keeps what was in force.
    public static func load(
        configDirectory: String, dataDirectory: String, files: ConfigurationFiles
    ) -> Configuration {
        ConfigurationLoader(layers: [dataDirectory, configDirectory], files: files).load()
    }
}
