// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsPlatform
import ClaimsQuery
import ClaimsStore
import ClaimsUpstream
import Glibc

/// Reads settings and definitions, and checks what only the query language or the disk can decide.
enum ConfigurationReader {
    /// Reads the settings and all definitions; a problem is reported in the result, and nothing is thrown.
    ///
    /// - Parameter maxBundle: the size up to which a bundle that is no array of records is a problem, in bytes; 0 to read
    ///   none.
    static func read(_ folders: Folders, maxBundle: Int = 0) -> Configuration {
        let files = ConfigurationFiles(
            read: { content(of: $0) }, list: { listing(of: $0) }, obstacle: { obstacle(at: $0) },
            certificateObstacle: { certificateObstacle(at: $0) })
        var configuration = Configuration.load(
            configDirectory: folders.configuration, dataDirectory: folders.data, files: files)
        configuration.check { file, definition in
            checkFilters(of: definition) + checkBundle(of: definition, file, upTo: maxBundle)
        }
        return configuration
    }

    /// Reads one definition alone, with the settings' defaults.
    ///
    /// - Parameters:
    ///   - name: the name of the collection.
    ///   - path: the path that problems name.
    static func read(_ bytes: [UInt8], of name: String, path: String) -> Configuration {
        let folder = "\(Paths.parent(path))/"
        let file = "\(folder)/collections.d/\(name).json5"
        let files = ConfigurationFiles(
            read: { $0 == file ? .bytes(bytes) : .missing },
            list: { $0 == "\(folder)/collections.d" ? .names(["\(name).json5"]) : .names([]) }, obstacle: { _ in nil })
        var configuration = Configuration.load(configDirectory: "/dev/null", dataDirectory: folder, files: files)
        configuration.check { _, definition in checkFilters(of: definition) }
        return configuration
    }

    private static func content(of path: String) -> ConfigurationFiles.Content {
        // Opening a named pipe would wait for its other end.
        if Files.exists(path), !Files.isRegular(path) { return .unreadable("it is no file") }
        do throws(SystemError) {
            return .bytes(try Files.readAll(path, cap: maxFileSize))
        } catch {
            guard error.isNotFound else { return .unreadable(error.reason) }
            return Files.readLink(path) == nil ? .missing : .unreadable(deadLink)
        }
    }

    private static func listing(of path: String) -> ConfigurationFolder.Listing {
        do throws(SystemError) {
            return .names(try Directory.list(path))
        } catch {
            // A folder that exists but cannot be read would hide the site's files.
            guard error.errno == ENOENT else { return .unreadable(error.reason) }
            return Files.readLink(path) == nil ? .missing : .unreadable(deadLink)
        }
    }

    /// The mistakes in the filters of views and of actions.
    private static func checkFilters(of definition: Definition) -> [ConfigurationProblem] {
        let views = definition.views.map { ("the filter of the view '\($0.name)'", $0.filter, $0.location) }
        let actions = (definition.writes?.actions ?? []).compactMap { action in
            action.condition.map { ("the filter of the action '\(action.name)'", $0.filter, $0.location) }
        }
        return checkRules(of: definition)
            + (views + actions).compactMap { name, filter, location in
                guard let error = mistake(in: filter, of: definition) else { return nil }
                let hint = error.hint.map { "; \($0)" } ?? ""
                let message = "\(name) is wrong: \(error.message)\(hint)"
                return ConfigurationProblem(
                    location: location ?? ConfigurationLocation(file: "\(definition.name).json5"), message: message,
                    collection: definition.name)
            }
    }

    /// The mistakes in the filters of rules of access, which only commits may give another meaning.
    private static func checkRules(of definition: Definition) -> [ConfigurationProblem] {
        (definition.access?.rules ?? []).flatMap(\.filters).compactMap { filter in
            mistake(inRule: filter.text, of: definition).map { message in
                ConfigurationProblem(
                    location: filter.location, message: "the filter is wrong: \(message)", collection: definition.name)
            }
        }
    }

    /// The mistake in a filter of a rule of access; nil if there is none.
    static func mistake(inRule filter: String, of definition: Definition) -> String? {
        do throws(FilterError) {
            let node = try FilterParser.parse(filter)
            let predicate = try node.typed(in: FilterContext(definition: definition, now: 0))
            let fields = node.terms.compactMap { $0.field.flatMap { definition.fieldIndex($0.name) } }
            if let volatile = fields.first(where: { definition.fields[$0].isVolatile }) {
                return "'\(definition.fields[volatile].name)' is volatile, so its changes are not told"
            }
            if node.terms.contains(where: { $0.field == nil }) {
                return "a rule compares fields; expected no free text"
            }
            if PredicateMatcher(predicate, definition: definition).readsPending {
                return "a rule compares fields of records; expected no 'pending'"
            }
            let isSteady = !node.times(in: definition).dependsOnTime
            return isSteady ? nil : "what a rule shows does not change by time alone; expected no relative date"
        } catch {
            return error.message + (error.hint.map { "; \($0)" } ?? "")
        }
    }

    /// The mistake in a filter; nil if there is none.
    static func mistake(in filter: String, of definition: Definition) -> FilterError? {
        do throws(FilterError) {
            _ = try FilterParser.parse(filter).typed(in: FilterContext(definition: definition, now: 0))
            return nil
        } catch {
            return error
        }
    }

    /// The size of the largest bundle that a start reads before it serves, in bytes. What is wrong in a larger one is seen by
    /// `--check-config`, by a reload, and when it is served.
    static let maxBundleAtStart = 1 << 20

    /// The mistake in the content of a bundle, if its size is at most `maxSize`.
    private static func checkBundle(
        of definition: Definition, _ file: MergedFile<Definition>, upTo maxSize: Int
    ) -> [ConfigurationProblem] {
        guard let path = definition.bundle, maxSize > 0, Files.size(path) ?? .max <= maxSize else { return [] }
        let reason: String
        do throws(SystemError) {
            let cap = definition.source.limits.applied(to: TransferLimits()).body
            let bytes = try Files.readAll(path, cap: cap)
            guard let obstacle = BundleBody.obstacle(bytes, definition) else { return [] }
            reason = "\(path) cannot be served: \(obstacle)"
        } catch {
            reason = error.message
        }
        return [
            ConfigurationProblem(location: file.location(of: "bundle"), message: reason, collection: definition.name)
        ]
    }

    /// Whether the file of a bundle can be opened. Its content is read when it is served.
    private static func obstacle(at path: String) -> String? {
        if Files.exists(path), !Files.isRegular(path) { return "\(path) is no file" }
        do throws(SystemError) {
            _ = try FileDescriptor.open(path, .read)
            return nil
        } catch {
            return error.message
        }
    }

    /// Whether the file of `tls.ca` has certificates.
    private static func certificateObstacle(at path: String) -> String? {
        if let obstacle = obstacle(at: path) { return obstacle }
        do throws(SystemError) {
            let bytes = try Files.readAll(path, cap: CertificateText.maxSize)
            return CertificateText.isOne(bytes) ? nil : "\(path) has no certificate as PEM"
        } catch {
            return error.message
        }
    }

    private static let deadLink = "the link leads nowhere"
    /// The maximum size of a file, in bytes; a larger file is no definition.
    private static let maxFileSize = 4 << 20
}
