// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsProtocol
import ClaimsStore

@testable import ClaimsServer

/// A cursor that a client sends: as text, and as bytes under a right tag, as if we had made them.
enum CursorTarget {
    private static let keys: (UInt64, UInt64) = (0x0123_4567_89AB_CDEF, 0xFEDC_BA98_7654_3210)

    static func check(_ input: [UInt8]) throws {
        let codec = CursorCodec(key0: keys.0, key1: keys.1)
        try check(String(decoding: input, as: UTF8.self), codec)
        if let bytes = Base64URL.decode(input) {
            try FuzzFinding.unless(Base64URL.encode(bytes) == input, "two texts for the same bytes")
        }
        try FuzzFinding.unless(Base64URL.decode(Base64URL.encode(input)) == input, "bytes change as text")
        let tag = SipHash(key0: keys.0, key1: keys.1).tag(input)
        let tagged = input + (0..<8).map { UInt8(truncatingIfNeeded: tag >> UInt64(8 * $0)) }
        try check(String(decoding: Base64URL.encode(tagged), as: UTF8.self), codec)
    }

    private static func check(_ text: String, _ codec: CursorCodec) throws {
        do {
            let cursor = try codec.decode(text)
            let again = try codec.decode(String(decoding: codec.encode(cursor), as: UTF8.self))
            try FuzzFinding.unless(again == cursor, "a cursor changes: \(cursor), \(again)")
        } catch let error as RequestError {
            try FuzzFinding.unless(error.kind == .badCursor, "refused as \(error.kind)")
        }
    }
}
