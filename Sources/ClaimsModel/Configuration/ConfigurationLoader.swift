// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON

/// Reads the configuration's layers, merges them and checks the whole.
struct ConfigurationLoader {
    /// The folders, the vendor's first; each is merged over those before it.
    let layers: [String]
    let files: ConfigurationFiles

    private static let suffix = ".json5"

    func load() -> Configuration {
        let settingsLog = ProblemLog(collection: nil)
        var settings = Settings()
        if let node = merged("claimsd" + Self.suffix, log: settingsLog) {
            settings = SettingsReader(node: node, log: settingsLog).read()
        }
        var problems = settingsLog.sorted
        var definitions: [Definition] = []
        let names = collectionNames()
        for name in names {
            let log = ProblemLog(collection: name)
            let definition = read(name, log: log)
            if let definition { definitions.append(definition) }
            problems += log.sorted
        }
        problems += removeRivals(from: &definitions)
        return Configuration(settings: settings, definitions: definitions, names: names, problems: problems)
    }

    private func collectionNames() -> [String] {
        var names: Set<String> = []
        for layer in layers {
            for file in files.list("\(layer)/collections.d") where file.hasSuffix(Self.suffix) && !file.hasPrefix(".") {
                names.insert(String(file.dropLast(Self.suffix.count)))
            }
        }
        return names.sorted()
    }

    private func read(_ name: String, log: ProblemLog) -> Definition? {
        let file = "collections.d/\(name)\(Self.suffix)"
        guard let node = merged(file, log: log) else { return nil }
        guard ReservedNames.isName(name) else {
            log.add(
                "'\(name)' is not a name; expected a-z, 0-9 and _, beginning with a letter",
                at: ConfigurationPlace(file: node.file))
            return nil
        }
        var reader = DefinitionReader(name: name, node: node, log: log) { path in
            layers.first { path.hasPrefix("\($0)/") } ?? layers.first ?? ""
        }
        return reader.read()
    }

    /// The files called `name` of all layers, merged; nil if there is none, or one cannot be read.
    private func merged(_ name: String, log: ProblemLog) -> JSON5Node? {
        var merged: JSON5Node?
        var isSound = true
        for layer in layers {
            let path = "\(layer)/\(name)"
            switch files.read(path) {
            case .missing: continue
            case .unreadable(let reason):
                log.add("cannot be read: \(reason)", at: ConfigurationPlace(file: path))
                isSound = false
            case .bytes(let bytes):
                do throws(JSON5Error) {
                    let node = try JSON5.parse(bytes, file: path)
                    guard case .object = node.value else {
                        log.add(
                            "expected an object",
                            at: ConfigurationPlace(file: path, line: node.line, column: node.column))
                        isSound = false
                        continue
                    }
                    let base = merged ?? JSON5Node(value: .null, file: path, line: node.line, column: node.column)
                    merged = base.merging(node)
                } catch {
                    log.add(
                        error.message,
                        at: ConfigurationPlace(file: path, line: error.line, column: error.column))
                    isSound = false
                }
            }
        }
        return isSound ? merged : nil
    }

    /// Takes out the collections whose singular an earlier one has.
    private func removeRivals(from definitions: inout [Definition]) -> [ConfigurationProblem] {
        var problems: [ConfigurationProblem] = []
        var owners: [String: String] = [:]
        definitions.removeAll { definition in
            guard let owner = owners[definition.singular] else {
                owners[definition.singular] = definition.name
                return false
            }
            let file = layers.reversed().map { "\($0)/collections.d/\(definition.name)\(Self.suffix)" }.first { path in
                if case .bytes = files.read(path) { true } else { false }
            }
            problems.append(
                ConfigurationProblem(
                    place: ConfigurationPlace(file: file ?? "", keyPath: "singular"),
                    message: "'\(definition.singular)' is the singular of '\(owner)' already; expected another word",
                    collection: definition.name))
            return true
        }
        return problems
    }
}
