// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsModel

/// An instant with its text, as JSON.
struct WrittenInstant {
    let milliseconds: Int64
    private var text = InlineArray<32, UInt8>(repeating: 0)
    private var count = 0

    /// No instant.
    init() {
        milliseconds = .min
    }

    /// - Parameter milliseconds: since 1970.
    init(_ milliseconds: Int64) {
        self.milliseconds = milliseconds
        var writer = JSONWriter()
        writer.instant(milliseconds)
        count = writer.bytes.count
        for index in 0..<count { text[index] = writer.bytes[index] }
    }

    // Bytes have no padding, which is what makes `Span.bytes` unsafe in general.

    func write(to writer: inout JSONWriter) {
        writer.raw(unsafe text.span.bytes.extracting(0..<count))
    }

    func write(_ name: StaticString, to writer: inout JSONWriter) {
        writer.member(name, raw: unsafe text.span.bytes.extracting(0..<count))
    }
}
