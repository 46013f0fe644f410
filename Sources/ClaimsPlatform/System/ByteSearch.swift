// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import CLinux
import Glibc

/// The vectorised byte searches of the C library.
public enum ByteSearch {
    /// The offset of the first `needle` in `haystack`; nil if it does not occur, 0 for an empty needle (memmem(3)).
    public static func firstIndex(of needle: RawSpan, in haystack: RawSpan) -> Int? {
        let index = unsafe haystack.withUnsafeBytes { haystack in
            unsafe needle.withUnsafeBytes { needle in
                unsafe linux_find(haystack.baseAddress, haystack.count, needle.baseAddress, needle.count)
            }
        }
        return index < 0 ? nil : index
    }

    /// The offset of the first `byte` at or after `start`; nil if there is none or `start` is outside (memchr(3)).
    public static func firstIndex(of byte: UInt8, in bytes: RawSpan, from start: Int = 0) -> Int? {
        guard start >= 0, start < bytes.byteCount else { return nil }
        return unsafe bytes.withUnsafeBytes { buffer -> Int? in
            guard let base = buffer.baseAddress else { return nil }
            guard let found = unsafe memchr(base + start, Int32(byte), buffer.count - start) else { return nil }
            return unsafe UnsafeRawPointer(found) - base
        }
    }
}
