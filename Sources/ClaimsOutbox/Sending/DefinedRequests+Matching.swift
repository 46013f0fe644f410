// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsJSON
public import ClaimsModel
import ClaimsStore

extension DefinedRequests {
    public func finding(_ object: [UInt8], for operation: Operation, after earlier: [Operation]) -> MatchFinding {
        guard let definition = catalog.definition(of: operation.collection) else { return .changed([]) }
        var tape = JSONTape()
        do throws(JSONError) {
            _ = try tape.parse(object.rawSpan, depth: JSONValue.maximumDepth)
        } catch {
            return .failed(Message(.notJSON, MessageArgument.of(error)), retryAfter: nil)
        }
        var decoder = RecordDecoder(definition: definition)
        var record = DecodedRecord()
        guard case .accepted = decoder.decode(tape, object.rawSpan, into: &record),
            let fields = try? JSONValue.parse(record.document, depth: JSONValue.maximumDepth).object
        else {
            let kind = tape.count > 0 ? tape[0].kind : .null
            return .failed(Message(.rootNotArray, MessageArgument.of(kind)), retryAfter: nil)
        }
        var operation = operation
        operation.values.wasInSnapshot = true
        let view = LaneView(
            lane: earlier + [operation], index: earlier.count, record: RecordEvidence(fields: fields),
            evidence: RefreshEvidence(definition, began: 0, now: 0, isComplete: true))
        if view.isShown { return .shown }
        return .changed(view.changedFields)
    }
}
