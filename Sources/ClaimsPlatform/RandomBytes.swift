// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import CLinux
import Glibc

/// The kernel's random numbers (getrandom(2)).
public enum RandomBytes {
    /// `count` random bytes.
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

    /// A random number of 64 bits.
    public static func integer() -> UInt64 {
        make(8).reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// `count` random bytes as lower-case hexadecimal digits, two for each.
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
