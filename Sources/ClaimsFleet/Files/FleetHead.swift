// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsJSON
import ClaimsModel
import ClaimsStore

/// A file as others name it.
struct FileReference: Sendable, Hashable {
    /// 64 hexadecimal digits.
    let sha256: String
    /// The size of the file as it is stored, in bytes.
    let size: Int
    /// The size of its contents, in bytes; 0 if it is not given.
    var bytes = 0

    /// The largest content, in bytes; a larger record has a file of its own.
    static let maxContent = 8 << 20
    /// The size of the largest file, in bytes: one record of the largest size, with the bytes that compression may add.
    static let maxSize = maxContent + IntakePlan.maxRecordSize + (1 << 20)

    static func isName(_ text: String) -> Bool {
        text.utf8.count == 64
            && text.utf8.allSatisfy {
                (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
                    || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains($0)
            }
    }
}

/// The state of one source, as the host that asks for all has signed it. Times are in milliseconds since 1970.
struct HeadEntry: Sendable, Equatable {
    /// The failure for which the data is not newer.
    struct Fault: Sendable, Equatable {
        var kind: String
        var reason: String?
        var status: Int?
        var at: Int64
        var failures: Int
    }

    var issuedAt: Int64
    var asOf: Int64
    var fullAsOf: Int64?
    /// 32 hexadecimal digits: new with each change of the records or of their joined values.
    var state: String
    var manifest: FileReference
    /// Hashes without secrets.
    var request: String
    var definition: String
    var access: String
    var version: String
    var error: Fault?
    var nextRefresh: Int64?
    var retryAfter: Int64?
}

/// The file `head`: a line with the signature of all bytes after it, and how the sources of a leader are.
struct FleetHead: Sendable, Equatable {
    static let fileName = "head"
    /// The maximal size in bytes.
    static let maxSize = 1 << 20
    static let format: Int64 = 1
    static let maxSources = FleetDefinition.maxSources

    var fleet: String
    var host: String
    /// Random, new with each start of the daemon.
    var epoch: String
    var sources: [SourceID: HeadEntry]

    private static func source(_ name: String) -> SourceID {
        let parts = name.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        return parts.count == 2 ? SourceID(parts[0], site: parts[1]) : SourceID(name)
    }

    /// The file.
    func signed(by key: SigningKey) throws(FleetError) -> [UInt8] {
        let content = json
        return Array(try key.signature(of: content).utf8) + [ASCII.newline] + content
    }

    private var json: [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("format", Self.format)
        writer.member("fleet", fleet)
        writer.member("host", host)
        writer.member("epoch", epoch)
        writer.key("sources")
        writer.beginObject()
        for (source, entry) in sources.sorted(by: { $0.key.text < $1.key.text }) {
            writer.key(source.text)
            entry.write(to: &writer)
        }
        writer.endObject()
        writer.endObject()
        return writer.bytes + [ASCII.newline]
    }

    /// Reads a head whose signature is one of the leader's.
    ///
    /// - Throws: the mistake in it; nothing is read before the signature is verified.
    init(_ file: [UInt8], of leader: FleetDefinition.Leader, in fleet: String) throws(FleetError) {
        guard file.count <= Self.maxSize, let end = file.firstIndex(of: ASCII.newline) else {
            throw FleetError("it is no head")
        }
        let content = Array(file[(end + 1)...])
        guard leader.keys.contains(where: { $0.verifies(file[..<end], of: content) }) else {
            throw FleetError("no key of \(leader.host) has signed it")
        }
        guard let value = try? JSONValue.parse(content), value["format"]?.integer == Self.format else {
            throw FleetError("it has another format than \(Self.format)")
        }
        guard value["fleet"]?.string == fleet, value["host"]?.string == leader.host else {
            throw FleetError("it is of another fleet or host")
        }
        guard let epoch = value["epoch"]?.string, let members = value["sources"]?.object?.members,
            members.count <= Self.maxSources
        else { throw FleetError("it lacks a member") }
        (self.fleet, host, self.epoch, sources) = (fleet, leader.host, epoch, [:])
        for member in members {
            guard let entry = HeadEntry(member.value) else { throw FleetError("'\(member.key)' lacks a member") }
            sources[Self.source(member.key)] = entry
        }
    }

    init(fleet: String, host: String, epoch: String, sources: [SourceID: HeadEntry]) {
        self.fleet = fleet
        self.host = host
        self.epoch = epoch
        self.sources = sources
    }
}

extension HeadEntry {
    fileprivate init?(_ value: JSONValue) {
        guard let issuedAt = FleetTime.read(value["issued_at"]), let asOf = FleetTime.read(value["as_of"]),
            let state = value["state"]?.string, let manifest = value["manifest"].flatMap({ FileReference($0) }),
            let request = value["request"]?.string, let definition = value["definition"]?.string,
            let access = value["access"]?.string, let version = value["version"]?.string
        else { return nil }
        self.init(
            issuedAt: issuedAt, asOf: asOf, fullAsOf: FleetTime.read(value["full_as_of"]), state: state,
            manifest: manifest,
            request: request, definition: definition, access: access, version: version,
            error: value["error"].flatMap { Fault($0) }, nextRefresh: FleetTime.read(value["next_refresh"]),
            retryAfter: FleetTime.read(value["retry_after"]))
    }

    fileprivate func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("issued_at", issuedAt)
        writer.member("as_of", asOf)
        writer.member("full_as_of", fullAsOf)
        writer.member("state", state)
        writer.key("manifest")
        manifest.write(to: &writer)
        writer.member("request", request)
        writer.member("definition", definition)
        writer.member("access", access)
        writer.member("version", version)
        writer.key("error")
        if let error {
            writer.beginObject()
            writer.member("kind", error.kind)
            writer.member("reason", error.reason)
            writer.member("status", error.status)
            writer.member("at", error.at)
            writer.member("failures", error.failures)
            writer.endObject()
        } else {
            writer.null()
        }
        writer.member("next_refresh", nextRefresh)
        writer.member("retry_after", retryAfter)
        writer.endObject()
    }
}

extension HeadEntry.Fault {
    fileprivate init?(_ value: JSONValue) {
        guard let kind = value["kind"]?.string, let at = FleetTime.read(value["at"]) else { return nil }
        self.init(
            kind: kind, reason: value["reason"]?.string, status: value["status"]?.integer.map(Int.init), at: at,
            failures: value["failures"]?.integer.map(Int.init) ?? 1)
    }
}

/// Reads times of other hosts, in milliseconds since 1970. Sums and differences of two of them cannot overflow.
enum FleetTime {
    /// The end of the year 9999.
    static let latest: Int64 = 253_402_300_799_999

    /// nil if there is none, or if no clock shows such a time.
    static func read(_ value: JSONValue?) -> Int64? {
        value?.integer.flatMap { (0...latest).contains($0) ? $0 : nil }
    }
}

extension FileReference {
    /// Reads `[sha256, size]` or `[sha256, size, bytes]`.
    init?(_ value: JSONValue) {
        guard let parts = value.array, parts.count >= 2, let name = parts[0].string, Self.isName(name),
            let size = parts[1].integer, (1...Int64(Self.maxSize)).contains(size)
        else { return nil }
        self.init(sha256: name, size: Int(size), bytes: parts.count > 2 ? Int(clamping: parts[2].integer ?? 0) : 0)
    }

    func write(to writer: inout JSONWriter) {
        writer.beginArray()
        writer.string(sha256)
        writer.integer(size)
        if bytes > 0 { writer.integer(bytes) }
        writer.endArray()
    }
}

/// The list of the files that lead to the state of a source: files with all records, and files with changes.
struct FleetManifest: Sendable, Equatable {
    struct Base: Sendable, Equatable {
        var state: String
        var records: Int
        var files: [FileReference]
    }

    struct Delta: Sendable, Equatable {
        var from: String
        var to: String
        var files: [FileReference]
    }

    struct Join: Sendable, Equatable {
        var state: String
        var files: [FileReference]
    }

    /// A record that was erased on the host that asks: the others erase it, too.
    struct Forgotten: Sendable, Hashable {
        /// The id of the record in the source.
        var id: String
        /// Milliseconds since 1970.
        var at: Int64
    }

    /// The time for which an erased id is listed, in milliseconds.
    static let keptForgotten: Int64 = 30 * 86_400_000
    /// The size of all erased ids as they are written, in bytes; the oldest go first.
    static let maxForgotten = 1 << 20

    /// The maximal size in bytes, decompressed.
    static let maxSize = 4 << 20
    /// The number of deltas that are kept.
    static let maxDeltas = 128

    var base: Base
    /// The oldest first.
    var deltas: [Delta] = []
    var join: Join?
    /// The oldest first.
    var forgotten: [Forgotten] = []

    /// All files that the manifest names.
    var files: [FileReference] { base.files + deltas.flatMap(\.files) + (join?.files ?? []) }

    /// The deltas that lead from one state to another, in their order; nil if there is no way.
    func way(from start: String, to end: String) -> [Delta]? {
        var way: [Delta] = []
        var state = end
        for delta in deltas.reversed() where delta.to == state {
            if state == start { break }
            way.append(delta)
            state = delta.from
        }
        return state == start ? way.reversed() : nil
    }

    var json: [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.key("base")
        writer.beginObject()
        writer.member("state", base.state)
        writer.member("records", base.records)
        Self.write(base.files, to: &writer)
        writer.endObject()
        writer.key("deltas")
        writer.beginArray()
        for delta in deltas {
            writer.beginObject()
            writer.member("from", delta.from)
            writer.member("to", delta.to)
            Self.write(delta.files, to: &writer)
            writer.endObject()
        }
        writer.endArray()
        if let join {
            writer.key("join")
            writer.beginObject()
            writer.member("state", join.state)
            Self.write(join.files, to: &writer)
            writer.endObject()
        }
        writer.key("forgotten")
        Self.write(forgotten, to: &writer)
        writer.endObject()
        return writer.bytes
    }

    private static func write(_ forgotten: some Sequence<Forgotten>, to writer: inout JSONWriter) {
        writer.beginArray()
        for erased in forgotten {
            writer.beginObject()
            writer.member("id", erased.id)
            writer.member("at", erased.at)
            writer.endObject()
        }
        writer.endArray()
    }

    /// Erased ids as state.db keeps them.
    static func stored(_ forgotten: [Forgotten]) -> String {
        var writer = JSONWriter()
        write(forgotten, to: &writer)
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    /// Reads a text that ``stored(_:)`` has written; empty for any other text.
    static func forgotten(stored text: String?) -> [Forgotten] {
        text.flatMap { try? JSONValue.parse($0) }.map { forgotten($0) } ?? []
    }

    private static func forgotten(_ value: JSONValue?) -> [Forgotten] {
        (value?.array ?? []).compactMap { element in
            guard let id = element["id"]?.string, let at = FleetTime.read(element["at"]) else { return nil }
            return Forgotten(id: id, at: at)
        }
    }

    private static func write(_ files: [FileReference], to writer: inout JSONWriter) {
        writer.key("files")
        writer.beginArray()
        for file in files { file.write(to: &writer) }
        writer.endArray()
    }

    init(base: Base) { self.base = base }

    init?(json: [UInt8]) {
        guard let value = try? JSONValue.parse(json), let base = value["base"], let state = base["state"]?.string,
            let records = base["records"]?.integer, records >= 0, let files = Self.files(base)
        else { return nil }
        self.base = Base(state: state, records: Int(records), files: files)
        guard value["deltas"]?.array?.count ?? 0 <= Self.maxDeltas else { return nil }
        for element in value["deltas"]?.array ?? [] {
            guard let from = element["from"]?.string, let to = element["to"]?.string, let files = Self.files(element)
            else { return nil }
            deltas.append(Delta(from: from, to: to, files: files))
        }
        if let element = value["join"], !element.isNull {
            guard let state = element["state"]?.string, let files = Self.files(element) else { return nil }
            join = Join(state: state, files: files)
        }
        forgotten = Self.forgotten(value["forgotten"])
    }

    /// Adds erased ids, and drops ids that were listed for long enough.
    ///
    /// The times rise even if a clock is set back: hosts remember the newest time that they have followed.
    mutating func forget(_ ids: [[UInt8]], at now: Int64) {
        forgotten.removeAll { now - $0.at > Self.keptForgotten }
        guard !ids.isEmpty else { return }
        let time = max(now, (forgotten.map(\.at).max() ?? 0) + 1)
        forgotten += ids.map { Forgotten(id: String(decoding: $0, as: UTF8.self), at: time) }
        var size = Self.stored(forgotten).utf8.count
        while size > Self.maxForgotten, !forgotten.isEmpty {
            size -= Self.stored([forgotten.removeFirst()]).utf8.count - 1
        }
    }

    private static func files(_ value: JSONValue) -> [FileReference]? {
        guard let array = value["files"]?.array else { return nil }
        let files = array.compactMap { FileReference($0) }
        return files.count == array.count ? files : nil
    }
}
