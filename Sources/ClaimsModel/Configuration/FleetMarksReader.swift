// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON

/// Reads `marks` of `fleet.json5`.
enum FleetMarksReader {
    /// The keys of `marks`.
    static let keys = ["database", "schema", "credential", "ca", "collections"]

    private static let address = "an address such as \"postgresql://claims@db.example/claims\""

    /// - Returns: nil if the marks are not shared, or if there are mistakes, which are reported.
    static func read(_ node: ConfigurationNode) -> FleetMarksDefinition? {
        if case .null = node.node.value { return nil }
        guard let object = node.object(keys) else { return nil }
        let address = object["database"].flatMap { readAddress($0) }
        if object["database"] == nil { object.complain(missing: "database", Self.address) }
        let schema = object["schema"].flatMap { readSchema($0) } ?? "claims"
        let collections = object["collections"].map { FleetReader.names($0) } ?? []
        if object["collections"] == nil {
            object.complain(missing: "collections", "an array of names of collections")
        }
        let credential = object["credential"].flatMap { AccessReader.credential($0) }
        let ca = object["ca"].flatMap { authorities($0) }
        guard let address else { return nil }
        if address.isSocket {
            object["ca"]?.complain("a Unix socket has no TLS; expected no 'ca'")
        } else {
            if object["ca"] == nil { object.complain(missing: "ca", "the absolute path of a PEM file") }
            if object["credential"] == nil { object.complain(missing: "credential", "the name of a credential") }
        }
        return FleetMarksDefinition(
            address: address, schema: schema, credential: credential, ca: ca, collections: collections)
    }

    private static func readAddress(_ node: ConfigurationNode) -> FleetMarksDefinition.Address? {
        guard let text = node.string(address) else { return nil }
        guard let address = FleetMarksDefinition.Address(text) else {
            let servers = "postgresql://USER@HOST[:PORT]/DATABASE, without a password"
            let folder = "postgresql://USER@/DATABASE?host=FOLDER for a Unix socket"
            let maxHosts = FleetMarksDefinition.Address.maxHosts
            node.complain("expected \(servers) and with at most \(maxHosts) hosts, parted by commas, or \(folder)")
            return nil
        }
        return address
    }

    private static func readSchema(_ node: ConfigurationNode) -> String? {
        let expected = "the name of a schema: a-z, 0-9 and _, beginning with no digit, of at most 63 characters"
        guard let name = node.string(expected) else { return nil }
        if !FleetMarksDefinition.isSchema(name) { node.complain(expected: expected) }
        return name
    }

    private static func authorities(_ node: ConfigurationNode) -> String? {
        let expected = "the absolute path of a PEM file"
        guard let path = node.name(expected) else { return nil }
        guard path.hasPrefix("/"), !path.utf8.contains(0) else {
            node.complain(expected: expected)
            return nil
        }
        node.log.record(certificateFile: path, at: node.location)
        return path
    }
}

extension FleetMarksDefinition {
    /// The problems with the collections whose marks are shared: they are defined, and have marks.
    ///
    /// - Parameter file: the path of the file that the fleet is from.
    func problems(among definitions: [Definition], file: String) -> [ConfigurationProblem] {
        collections.compactMap { name in
            let message: String
            if let definition = definitions.first(where: { $0.name == name }) {
                guard !definition.isArchivable else { return nil }
                message = "the records of '\(name)' cannot be archived: its definition has no 'archive: true'"
            } else {
                message = "there is no collection '\(name)' here"
            }
            return ConfigurationProblem(
                location: ConfigurationLocation(file: file, keyPath: "marks.collections"), message: message)
        }
    }
}
