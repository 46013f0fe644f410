// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes

/// The hosts that share sources, so that one of them asks an upstream for all: the file `fleet.json5`.
public struct FleetDefinition: Sendable, Hashable {
    /// A host that may ask upstreams, and publishes the answers.
    public struct Leader: Sendable, Hashable {
        /// The name of the host, as `uname -n` prints it.
        public let host: String
        /// The folder that a web server serves of the host; its address ends in `/`.
        public let request: ReadRequest
        /// The public keys by which its heads may be signed: one, or two while the key is changed.
        public let keys: [PublicKey]

        public init(host: String, request: ReadRequest, keys: [PublicKey]) {
            self.host = host
            self.request = request
            self.keys = keys
        }

        /// The address of a file in the folder.
        public func address(of name: String) -> String { (request.url ?? "") + name }
    }

    /// A public key of Ed25519 (RFC 8032).
    public struct PublicKey: Sendable, Hashable {
        /// 32 bytes.
        public let bytes: [UInt8]

        public init(_ bytes: [UInt8]) {
            self.bytes = bytes
        }

        /// The key in the base64 of its SubjectPublicKeyInfo (RFC 8410), the second line of what
        /// `openssl pkey -in KEY -pubout` prints; nil for another text.
        public init?(_ text: String) {
            guard let der = Base64.decode(text.utf8), der.starts(with: Self.prefix),
                der.count == Self.prefix.count + Self.size
            else { return nil }
            bytes = Array(der.dropFirst(Self.prefix.count))
        }

        public static let size = 32
        /// All of a SubjectPublicKeyInfo of Ed25519 but the key.
        private static let prefix: [UInt8] = [0x30, 0x2A, 0x30, 0x05, 0x06, 0x03, 0x2B, 0x65, 0x70, 0x03, 0x21, 0x00]
    }

    /// The number of collections that a fleet may share.
    public static let maxCollections = 64
    /// The number of sources that a fleet may share. A site is one.
    public static let maxSources = 256
    public static let maxLeaders = 8
    /// The number of keys that a leader may have.
    public static let maxKeys = 2
    public static let pollRange = Duration.seconds(2)...Duration.seconds(30)
    public static let defaultPoll = Duration.seconds(5)
    /// The length of the longest name of a fleet, in bytes.
    public static let maxNameLength = 32

    public let name: String
    /// The names of the collections whose sources are shared, in the order of the file.
    public let collections: [String]
    /// The leaders, in the order in which they take over.
    public let leaders: [Leader]
    /// The time between two reads of an address.
    public let poll: Duration
    /// The database through which archive marks are shared; nil: they are each host's own.
    public let marks: FleetMarksDefinition?

    public init(
        name: String, collections: [String], leaders: [Leader], poll: Duration = Self.defaultPoll,
        marks: FleetMarksDefinition? = nil
    ) {
        self.name = name
        self.collections = collections
        self.leaders = leaders
        self.poll = poll
        self.marks = marks
    }

    /// The credential that holds the private key of a leader.
    public static let keyCredential = "fleet-key"

    /// The credentials that a host needs: the ones of the addresses and the marks, and on a leader its key.
    public func credentials(of host: String) -> [NamedCredential] {
        let named = leaders.flatMap { Definition.credentials($0.request.auth, $0.request.tls, "leaders") }
        let isLeader = leaders.contains { $0.host == host }
        let password = marks?.credential.map { NamedCredential(keyPath: "marks.credential", name: $0, use: .text) }
        return named + [password].compactMap(\.self)
            + (isLeader ? [NamedCredential(keyPath: "leaders", name: Self.keyCredential, use: .text)] : [])
    }

    /// Whether a text is the name of a fleet: `[a-z][a-z0-9-]{0,31}`.
    static func isName(_ text: String) -> Bool {
        let letters = UInt8(ascii: "a")...UInt8(ascii: "z")
        guard let first = text.utf8.first, letters.contains(first), text.utf8.count <= maxNameLength else {
            return false
        }
        return text.utf8.allSatisfy { byte in
            letters.contains(byte) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
                || byte == UInt8(ascii: "-")
        }
    }
}
