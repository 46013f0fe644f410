// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsJSON
import ClaimsModel
import ClaimsStore

/// The state of another host that this one had taken when it asked the upstream itself. The deltas of a new leader
/// continue it, so that the other hosts need no base. It is kept in state.db until this host asks after another state.
struct ContinuedState: Equatable {
    var state: String
    /// The state of the joined values, and the SHA-256 of these; nil without a join.
    var join: String?
    var joinHash: String?
    /// The hash of the definition by which the other host decoded the records, and the version of its program.
    var definition: String
    var version: String
    /// The moment at which state.db had the records.
    var mark: ExportMark
    /// Whether state.db had all records: none was in quarantine. Otherwise a delta cannot remove the records that it
    /// lacks.
    var isWhole: Bool

    init(_ taken: FollowedState, joinHash: String?, mark: ExportMark, isWhole: Bool) {
        state = taken.state
        join = taken.join
        self.joinHash = taken.join == nil ? nil : joinHash
        definition = taken.definition
        version = taken.version
        self.mark = mark
        self.isWhole = isWhole
    }

    /// Whether a host with that definition and version may continue the state.
    func isGood(definition: String, version: String) -> Bool {
        isWhole && self.definition == definition && self.version == version
    }

    /// Whether joined values are the ones of the state.
    func hasJoin(_ values: [UInt8]) -> Bool { joinHash == Self.hash(values) }

    private static func hash(_ values: [UInt8]) -> String { SHA256.hexadecimal(of: values.rawSpan) }

    // MARK: - In state.db

    /// Keeps the state before this host asks the upstream. After an error the first publication is a base.
    static func keep(_ taken: FollowedState, of source: SourceID, _ known: SourceRow, in database: StateDatabase) {
        do throws(StoreError) {
            guard let view = try database.exportView(of: source), view.source.position == known.position else { return }
            let next = Self(
                taken, joinHash: hash(try view.joined()), mark: view.mark, isWhole: try view.quarantined() == 0)
            if try next != read(of: source, in: database) { try database.keep(.continued, next.stored, of: source) }
        } catch {}
    }

    /// The state that was kept last; nil if there was none.
    static func read(of source: SourceID, in database: StateDatabase) throws(StoreError) -> Self? {
        try database.fleetText(.continued, of: source).flatMap { Self(stored: $0) }
    }

    /// nil for a text of another kind.
    init?(stored text: String) {
        guard let value = try? JSONValue.parse(text), let state = value["state"]?.string,
            let definition = value["definition"]?.string, let version = value["version"]?.string,
            let mark = ExportMark(value), let isWhole = value["whole"]?.boolean
        else { return nil }
        (self.state, self.definition, self.version, self.mark) = (state, definition, version, mark)
        join = value["join"]?.string
        joinHash = value["join_hash"]?.string
        self.isWhole = isWhole
    }

    var stored: String {
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("state", state)
        writer.member("join", join)
        writer.member("join_hash", joinHash)
        writer.member("definition", definition)
        writer.member("version", version)
        mark.writeMembers(to: &writer)
        writer.member("whole", isWhole)
        writer.endObject()
        return String(decoding: writer.bytes, as: UTF8.self)
    }
}

extension FollowedState {
    /// The state that this host itself has published last, as if it had taken it: what another host has made of it since can
    /// come as a delta. nil where there is none, or state.db has other records by now. What is in the quarantine here was not
    /// published, so that no delta would remove it.
    ///
    /// - Parameter definition: the hash of the settings that decode the records here.
    init?(publishedOf source: SourceID, _ definition: String, _ services: FleetServices) {
        let database = services.store.database
        guard let text = (try? database.fleetText(.published, of: source)) ?? nil,
            let published = FleetPublisher.Published.records(stored: text),
            let view = (try? database.exportView(of: source)) ?? nil,
            (try? view.isUnchanged(since: published.mark)) == true, (try? view.quarantined()) == 0
        else { return nil }
        self.init(
            state: published.state, issuedAt: 0, host: services.host, join: nil, definition: definition,
            version: services.version)
    }
}

extension ExportMark {
    /// Reads the members that ``writeMembers(to:)`` writes.
    init?(_ value: JSONValue) {
        guard let number = value["number"]?.integer, let generation = value["generation"]?.integer,
            let seq = value["seq"]?.integer, let key = value["key"]?.integer
        else { return nil }
        self.init(number: number, generation: UInt64(bitPattern: generation), seq: UInt64(bitPattern: seq), key: key)
    }

    func writeMembers(to writer: inout JSONWriter) {
        writer.member("number", number)
        writer.member("generation", Int64(bitPattern: generation))
        writer.member("seq", Int64(bitPattern: seq))
        writer.member("key", key)
    }
}
