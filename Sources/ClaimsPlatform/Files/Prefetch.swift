// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import CLinux

/// Hints for the processor's caches: bytes that will be read soon are fetched together, not one miss after another.
public enum Prefetch {
    /// Asks for `count` bytes from `offset` on, as far as the span has them.
    public static func read(_ bytes: RawSpan, at offset: Int, count: Int) {
        guard offset >= 0, offset < bytes.byteCount else { return }
        let end = min(bytes.byteCount, offset &+ count)
        unsafe bytes.extracting(offset..<end).withUnsafeBytes { unsafe linux_prefetch($0.baseAddress, $0.count) }
    }
}
