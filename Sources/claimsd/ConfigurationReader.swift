// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsPlatform
import ClaimsQuery
import Glibc

/// Reads settings and definitions, and checks what only the query language can check.
enum ConfigurationReader {
    /// What was read, and what is wrong with it.
    struct Reading {
        let configuration: Configuration
        /// The definitions that may be put into force.
        let sound: [Definition]
        /// Whether every folder could be looked into; otherwise nobody knows what is missing.
        let isComplete: Bool
        /// Every problem as a sentence with its file, line and key.
        let problems: [String]

        /// Whether nothing is wrong with the daemon's own settings.
        var areSettingsSound: Bool { !configuration.problems.contains { $0.collection == nil } }
    }

    /// Reads everything.
    static func read(_ folders: Folders) -> Reading {
        var unlisted: [String] = []
        let files = ConfigurationFiles(
            read: { path in
                do throws(SystemError) {
                    return .bytes(try Files.readAll(path, cap: longestFile))
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
                let place = view.place ?? ConfigurationPlace(file: "\(definition.name).json5")
                return ConfigurationProblem(place: place, message: message, collection: definition.name).description
            }
        }
    }

    /// The longest file that is read, in bytes: larger ones are no definitions.
    private static let longestFile = 4 << 20
}
