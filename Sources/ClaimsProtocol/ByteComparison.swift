// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// Comparing bytes of a request with names that are known beforehand.
public enum ByteComparison {
    /// Whether the span holds exactly those bytes.
    @inline(__always)
    public static func areEqual(_ span: RawSpan, _ bytes: [UInt8]) -> Bool {
        guard span.byteCount == bytes.count else { return false }
        let known = bytes.span
        for index in known.indices where span.byte(at: index) != known[index] { return false }
        return true
    }
}

extension RawSpan {
    /// One byte; out of bounds is a trap, as everywhere with spans.
    @inline(__always)
    func byte(at offset: Int) -> UInt8 {
        // A byte has no invalid bit patterns, so that the load itself is safe; the span checks the offset.
        unsafe unsafeLoad(fromByteOffset: offset, as: UInt8.self)
    }
}
