// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsPlatform
import ClaimsQuery
import Glibc

/// Reads settings and definitions, and checks what only the query language can check.
enum ConfigurationReader {
    /// A configuration with its problems.
    struct Reading {
        let configuration: Configuration
        /// The definitions without a problem, which the daemon may use.
        let sound: [Definition]
        /// Whether every folder could be read. Otherwise nothing follows from the absence of a definition.
        let isComplete: Bool
        /// The problems, each a sentence with its file, line and key.
        let problems: [String]

        /// Whether the daemon's own settings have no problem.
        var areSettingsSound: Bool { !configuration.problems.contains { $0.collection == nil } }
    }

    /// Reads the settings and all definitions; a problem is reported in the result, and nothing is thrown.
    static func read(_ folders: Folders) -> Reading {
        var unlisted: [String] = []
        let files = ConfigurationFiles(
            read: { path in
                do throws(SystemError) {
                    return .bytes(try Files.readAll(path, cap: maxFileSize))
                } catch {
                    return error.isNotFound ? .missing : .unreadable(error.message)
                }
            },
            list: { path in
                do throws(SystemError) {
                    return try Directory.list(path)
                } catch {
                    // A folder that is there but cannot be read would hide what a site has written.
                    if error.errno != ENOENT { unlisted.append(error.message) }
                    return []
                }
            })
        let configuration = Configuration.load(
            configDirectory: folders.configuration, dataDirectory: folders.data, files: files)
        var problems = unlisted + configuration.problems.map(\.description)
        var sound: [Definition] = []
        for definition in configuration.definitions {
            let wrong = checkViews(of: definition)
            problems += wrong
            if wrong.isEmpty { sound.append(definition) }
        }
        return Reading(configuration: configuration, sound: sound, isComplete: unlisted.isEmpty, problems: problems)
    }

    private static func checkViews(of definition: Definition) -> [String] {
        definition.views.compactMap { view in
            do throws(FilterError) {
                _ = try FilterParser.parse(view.filter).typed(in: FilterContext(definition: definition, now: 0))
                return nil
            } catch {
                let hint = error.hint.map { "; \($0)" } ?? ""
                let message = "the filter of the view '\(view.name)' is wrong: \(error.message)\(hint)"
                let location = view.location ?? ConfigurationLocation(file: "\(definition.name).json5")
                return ConfigurationProblem(location: location, message: message, collection: definition.name)
                    .description
            }
        }
    }

    /// The maximum size of a file, in bytes; a larger file is no definition.
    private static let maxFileSize = 4 << 20
}
