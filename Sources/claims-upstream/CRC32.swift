// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// The checksum of gzip (ISO 3309).
struct CRC32 {
    private var state: UInt32 = 0xffff_ffff

    var value: UInt32 { ~state }

    mutating func update(_ bytes: [UInt8]) {
        for byte in bytes { state = Self.next(state, byte) }
    }

    /// Takes in `byte` so many times, in time that grows with the logarithm of that.
    ///
    /// One step is an affine map of the 32 bits; maps that do 1, 2, 4 … steps come from doing each one twice.
    mutating func update(_ byte: UInt8, times: Int) {
        var map = (0...32).map { place in
            place == 32 ? Self.next(0, byte) : Self.next(1 << UInt32(place), byte) ^ Self.next(0, byte)
        }
        var left = times
        while left > 0 {
            if left & 1 == 1 { state = Self.apply(map, state, constant: true) }
            map = (0...32).map { place in Self.apply(map, map[place], constant: place == 32) }
            left >>= 1
        }
    }

    private static let table: [UInt32] = (0..<256).map { index in
        (0..<8).reduce(UInt32(index)) { value, _ in value & 1 == 1 ? value >> 1 ^ 0xedb8_8320 : value >> 1 }
    }

    private static func next(_ state: UInt32, _ byte: UInt8) -> UInt32 {
        table[Int(UInt8(truncatingIfNeeded: state) ^ byte)] ^ state >> 8
    }

    /// `map` holds the images of the bits, less that of 0, and at 32 the image of 0.
    private static func apply(_ map: [UInt32], _ value: UInt32, constant: Bool) -> UInt32 {
        (0..<32).reduce(constant ? map[32] : 0) { sum, place in
            value >> UInt32(place) & 1 == 1 ? sum ^ map[place] : sum
        }
    }
}
