// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsJSON
import ClaimsStore

/// The state of a source that a host has taken. It is kept as the source's position, and so committed with the records.
struct FollowedState: Equatable {
    var state: String
    var issuedAt: Int64
    var host: String
    var join: String?
    /// The hash of the definition by which that host decoded the records, and the version of its program; empty if an
    /// older version has not stored them.
    var definition: String
    var version: String

    init(state: String, issuedAt: Int64, host: String, join: String?, definition: String = "", version: String = "") {
        self.state = state
        self.issuedAt = issuedAt
        self.host = host
        self.join = join
        self.definition = definition
        self.version = version
    }

    /// nil if the data of a source was not taken from this fleet.
    init?(_ position: SourceRow.Position?, fleet: String) {
        guard let position, position.key == Self.key(fleet), let value = try? JSONValue.parse(position.value),
            let state = value["state"]?.string, let issuedAt = value["issued_at"]?.integer,
            let host = value["host"]?.string
        else { return nil }
        self.init(
            state: state, issuedAt: issuedAt, host: host, join: value["join"]?.string,
            definition: value["definition"]?.string ?? "", version: value["version"]?.string ?? "")
    }

    /// The place of the head entry that had the state.
    var order: HeadOrder { HeadOrder(issuedAt: issuedAt, host: host) }

    func position(in fleet: String) -> SourceRow.Position {
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("state", state)
        writer.member("issued_at", issuedAt)
        writer.member("host", host)
        writer.member("join", join)
        writer.member("definition", definition)
        writer.member("version", version)
        writer.endObject()
        return SourceRow.Position(key: Self.key(fleet), value: String(decoding: writer.bytes, as: UTF8.self))
    }

    private static func key(_ fleet: String) -> UInt64 {
        var hash = FNVHash()
        for byte in "fleet \(fleet)".utf8 { hash.add(byte: byte) }
        return hash.value | 1
    }
}
