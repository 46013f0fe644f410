// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsJSON
import ClaimsModel

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

    /// Decodes an element as an answer of the upstream would be.
    mutating func decode(_ entry: QuarantineEntry) -> Verdict {
        decoder.setSite(entry.site)
        guard !entry.isTruncated else {
            return .refused(reason: "only the first \(entry.keptSize) of \(entry.size) bytes are kept")
        }
        // An array of one element is read by the rules that answers are read by.
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
