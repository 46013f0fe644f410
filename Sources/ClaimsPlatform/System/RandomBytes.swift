// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import CLinux
import Glibc

/// Random numbers from the kernel, fit for secrets (getrandom(2)).
public enum RandomBytes {
    /// Makes `count` random bytes. Interrupted calls are repeated, so it cannot fail.
    public static func make(_ count: Int) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        var done = 0
        while done < count {
            let part = unsafe bytes.withUnsafeMutableBytes { buffer in
                unsafe buffer.baseAddress.map { unsafe linux_random($0 + done, count - done) } ?? 0
            }
            // The only errors with valid arguments are interruptions.
            if part > 0 { done += part }
        }
        return bytes
    }

    /// Makes a random number over the whole range of 64 bits.
    public static func integer() -> UInt64 {
        make(8).reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// Makes `count` random bytes and returns them as lower-case hexadecimal digits, two for each byte.
    public static func hexadecimal(_ count: Int) -> String {
        let digits = Array("0123456789abcdef".utf8)
        var text: [UInt8] = []
        for byte in make(count) {
            text.append(digits[Int(byte >> 4)])
            text.append(digits[Int(byte & 15)])
        }
        return String(decoding: text, as: UTF8.self)
    }
}
