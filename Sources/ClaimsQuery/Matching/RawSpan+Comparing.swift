// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import Glibc

extension RawSpan {
    /// Byte by byte, unsigned, the shorter of two equal beginnings first: negative, 0 or positive.
    func order(comparedTo other: RawSpan) -> Int {
        let common = Swift.min(byteCount, other.byteCount)
        let order = unsafe withUnsafeBytes { left in
            unsafe other.withUnsafeBytes { right in
                // Both have `common` bytes; an empty one may have no address, which memcmp must not be given.
                guard common > 0, let first = left.baseAddress, let second = right.baseAddress else { return CInt(0) }
                return unsafe memcmp(first, second, common)
            }
        }
        return order != 0 ? Int(order) : byteCount - other.byteCount
    }

    func starts(with prefix: RawSpan) -> Bool {
        byteCount >= prefix.byteCount && extracting(first: prefix.byteCount).order(comparedTo: prefix) == 0
    }
}
