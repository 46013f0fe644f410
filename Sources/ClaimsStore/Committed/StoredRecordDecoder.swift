// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsJSON
import ClaimsModel

/// Decodes records of state.db again and keeps their ids: ids of a site begin with its name, which the upstream's
/// object does not have.
struct StoredRecordDecoder {
    private var decoder: RecordDecoder
    private let sites: Set<String>
    /// The site of the record that was decoded last; nil for a record of the only source.
    private(set) var site: String?

    init(_ definition: Definition, joined: JoinTable?) {
        decoder = RecordDecoder(definition: definition, joined: joined)
        sites = Set(definition.source.sites?.sites.map(\.name) ?? [])
    }

    mutating func decode(
        _ tape: JSONTape, _ stored: borrowing StoredRecord, into record: inout DecodedRecord
    ) -> DecodeOutcome {
        let id = stored.id
        let upstream = stored.upstream
        let prefix = Self.site(of: id)
        select(prefix.flatMap { sites.contains($0) ? $0 : nil })
        let outcome = decoder.decode(tape, upstream.rawSpan, into: &record)
        if record.id == id { return outcome }
        // The records of an earlier source keep their ids until records of the new source replace them.
        let other = site == nil ? prefix : nil
        guard id == Self.id(of: record.id, from: site, to: other) else { return outcome }
        select(other)
        return decoder.decode(tape, upstream.rawSpan, into: &record)
    }

    /// The id that a record of a site would have at another site.
    private static func id(of id: [UInt8], from site: String?, to other: String?) -> [UInt8] {
        let bare = id.dropFirst(site.map { $0.utf8.count + 1 } ?? 0)
        return (other.map { Array("\($0):".utf8) } ?? []) + bare
    }

    private mutating func select(_ name: String?) {
        guard name != site else { return }
        site = name
        decoder.setSite(name)
    }

    /// The beginning of the id, if it can be the name of a site.
    private static func site(of id: [UInt8]) -> String? {
        guard let colon = id.firstIndex(of: UInt8(ascii: ":")), colon > 0, colon <= Site.maxNameLength else {
            return nil
        }
        return String(decoding: id[..<colon], as: UTF8.self)
    }
}

/// Decodes quarantined elements again, by the definition and the join that are in force.
struct QuarantineTrial {
    /// The outcome for one element.
    enum Verdict {
        /// The decoded record is in ``QuarantineTrial/record``.
        case accepted
        case refused(reason: String)
    }

    private var decoder: RecordDecoder
    private var tape = JSONTape()
    /// The record that was decoded last.
    private(set) var record = DecodedRecord()

    init(_ definition: Definition, joined: JoinTable?) {
        decoder = RecordDecoder(definition: definition, joined: joined)
    }

    /// Decodes an element like an answer of the upstream.
    mutating func decode(_ entry: QuarantineEntry) -> Verdict {
        decoder.setSite(entry.site)
        guard !entry.isTruncated else {
            return .refused(reason: "only the first \(entry.keptSize) of \(entry.size) bytes are kept")
        }
        // An array of one element is read by the rules for answers.
        let body = [UInt8(ascii: "[")] + entry.bytes + [UInt8(ascii: "]")]
        let bytes = body.rawSpan
        guard var elements = try? JSONElements(bytes, root: JSONPointer(tokens: [])) else {
            return .refused(reason: "not JSON")
        }
        let element: JSONElements.Element?
        do throws(JSONError) { element = try elements.next(into: &tape) } catch {
            return .refused(reason: error.message)
        }
        guard let element else { return .refused(reason: "not JSON") }
        if let objection = element.objection(in: bytes) { return .refused(reason: objection.reason) }
        switch decoder.decode(tape, bytes, into: &record) {
        case .accepted: return .accepted
        case .quarantined(let reason, _): return .refused(reason: reason)
        }
    }
}
