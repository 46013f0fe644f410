// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes

/// The database through which the hosts of a fleet share archive marks: `marks` of `fleet.json5`.
public struct FleetMarksDefinition: Sendable, Hashable {
    /// The address of a database of PostgreSQL: `postgresql://USER@HOST[:PORT][,HOST[:PORT]…]/DATABASE`, or
    /// `postgresql://USER@/DATABASE?host=FOLDER` for the folder of a Unix socket.
    public struct Address: Sendable, Hashable {
        /// A server of the database, or a standby of it.
        public struct Host: Sendable, Hashable {
            /// A name or an address, or the folder of a Unix socket.
            public let name: String
            public let port: Int

            public init(name: String, port: Int = Address.defaultPort) {
                self.name = name
                self.port = port
            }

            /// The host in its form in an address.
            public var text: String { "\(name.contains(":") ? "[\(name)]" : name):\(port)" }
        }

        /// One at least, in the order in which they are tried. The folder of a Unix socket is the only one.
        public let hosts: [Host]
        public let user: String
        public let database: String

        /// nil for another text.
        public init?(_ text: String) {
            let scheme = "postgresql://"
            guard text.hasPrefix(scheme) else { return nil }
            let parts = text.dropFirst(scheme.count).split(
                separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
            let path = parts[0].split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
            guard path.count == 2 else { return nil }
            let authority = path[0].split(separator: "@", omittingEmptySubsequences: false)
            // A password would be readable in the file.
            guard authority.count == 2, !authority[0].contains(":"), let user = Self.part(authority[0]),
                let database = Self.part(path[1])
            else {
                return nil
            }
            (self.user, self.database) = (user, database)
            if parts.count == 2 {
                guard parts[1].hasPrefix("host="), authority[1].isEmpty, let folder = Self.part(parts[1].dropFirst(5)),
                    folder.hasPrefix("/")
                else { return nil }
                hosts = [Host(name: folder)]
                return
            }
            let list = authority[1].split(separator: ",", omittingEmptySubsequences: false)
            hosts = list.compactMap { Self.host($0) }
            guard hosts.count == list.count, hosts.count <= Self.maxHosts, Set(hosts).count == hosts.count else {
                return nil
            }
        }

        /// Reads `NAME` or `NAME:PORT`; an address of IPv6 is in brackets.
        private static func host(_ text: Substring) -> Host? {
            var name = text
            var digits: Substring?
            if name.hasPrefix("["), let end = name.firstIndex(of: "]") {
                let rest = name[name.index(after: end)...]
                guard rest.isEmpty || rest.hasPrefix(":") else { return nil }
                digits = rest.isEmpty ? nil : rest.dropFirst()
                name = name[name.index(after: name.startIndex)..<end]
            } else if let colon = name.firstIndex(of: ":") {
                digits = name[name.index(after: colon)...]
                name = name[..<colon]
            }
            guard let host = part(name), let port = digits.map({ Int($0) }) ?? defaultPort, (1...65535).contains(port)
            else { return nil }
            return Host(name: host, port: port)
        }

        public static let defaultPort = 5432
        public static let maxHosts = 8

        /// Whether the database is on this host, behind a Unix socket.
        public var isSocket: Bool { hosts[0].name.hasPrefix("/") }

        /// The address as it was given.
        public var text: String {
            let encoded = PercentEncoding.encode(user)
            let name = PercentEncoding.encode(database)
            if isSocket { return "postgresql://\(encoded)@/\(name)?host=\(hosts[0].name)" }
            return "postgresql://\(encoded)@\(hosts.map(\.text).joined(separator: ","))/\(name)"
        }

        /// A part without its encoding; nil if it is empty, or if libpq would interpret it in another way.
        private static func part(_ text: Substring) -> String? {
            guard !text.isEmpty, !text.contains("+"),
                let part = String(validating: PercentEncoding.decode(text), as: UTF8.self),
                !part.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7F || $0 == "," })
            else { return nil }
            return part
        }
    }

    public let address: Address
    /// The schema that has the tables.
    public let schema: String
    /// The credential that holds the password; nil if the server asks for none.
    public let credential: String?
    /// The path of a file with the authorities that may sign the server's certificate, as PEM; nil with a Unix socket.
    public let ca: String?
    /// The names of the collections whose marks are shared, in the order of the file.
    public let collections: [String]

    public init(address: Address, schema: String, credential: String?, ca: String?, collections: [String]) {
        self.address = address
        self.schema = schema
        self.credential = credential
        self.ca = ca
        self.collections = collections
    }

    /// Whether a text is the name of a schema that needs no quotes: `[a-z_][a-z0-9_]{0,62}`.
    static func isSchema(_ text: String) -> Bool {
        func isLetter(_ byte: UInt8) -> Bool {
            (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) || byte == UInt8(ascii: "_")
        }
        guard let first = text.utf8.first, isLetter(first), text.utf8.count <= 63 else { return false }
        return text.utf8.allSatisfy { isLetter($0) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    }
}
