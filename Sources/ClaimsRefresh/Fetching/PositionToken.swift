// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsJSON
import ClaimsModel
import ClaimsStore
import ClaimsUpstream

/// The text or number by which an upstream names the state that its answer has brought us to.
enum PositionToken {
    /// Reads the token of the last page, as JSON.
    ///
    /// - Throws: `wrong_shape` where there is no text and no number, `protocol` where it is too long to be kept.
    static func read(_ page: FetchedBody, at pointer: JSONPointer, root: JSONPointer) throws(FetchFailure) -> String {
        try page.withBytes { bytes throws(FetchFailure) in try read(bytes, at: pointer, root: root) }
    }

    private static func read(
        _ bytes: RawSpan, at pointer: JSONPointer, root: JSONPointer
    ) throws(FetchFailure) -> String {
        let range: Range<Int>?
        do throws(JSONError) { range = try JSONElements.locate(pointer, in: bytes, elementsOf: root) } catch {
            throw FetchFailure(IntakeError.notJSON(error), root: root)
        }
        guard let range else { throw FetchFailure(.wrongShape, Message(.pointerMissing, pointer.text)) }
        let value = bytes.extracting(range)
        var tape = JSONTape()
        guard (try? tape.parse(value, depth: 0)) != nil, tape.count > 0,
            tape[0].kind == .string || tape[0].kind == .number
        else { throw FetchFailure(.wrongShape, Message(.pointerMissing, pointer.text)) }
        guard value.byteCount <= SourceRow.Position.maxSize else {
            throw FetchFailure(
                .protocol, Message(.positionTooLong, pointer.text, "\(SourceRow.Position.maxSize)"))
        }
        return value.text
    }
}
