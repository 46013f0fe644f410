// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON

/// Finds codes by spelling: a hash table over their normal forms (lower case; space and `-` become `_`).
///
/// A class, because it is looked into for every record and a struct of arrays would be retained part by part.
final class CodeTable: Sendable {
    /// The codes as they are spelled, which is how most come.
    private let spellings: ByteTable
    /// Index plus one, 0 for a free place; the size is a power of two and at least twice the number of codes.
    private let places: [UInt16]
    private let forms: [[UInt8]]

    /// - Returns: nil if two codes have one normal form, or there are more than 32,767.
    init?(_ codes: [String]) {
        guard codes.count < 1 << 15 else { return nil }
        let forms = codes.map { Self.normalForm(of: $0) }
        guard Set(forms).count == forms.count else { return nil }
        var spellings = ByteTable()
        for code in codes { _ = spellings.insert(Array(code.utf8)) }
        var size = 4
        while size < codes.count * 2 { size *= 2 }
        var places = [UInt16](repeating: 0, count: size)
        for (index, form) in forms.enumerated() {
            var place = Int(truncatingIfNeeded: Self.hash(form.rawSpan)) & (size - 1)
            while places[place] != 0 { place = (place + 1) & (size - 1) }
            places[place] = UInt16(index + 1)
        }
        (self.spellings, self.forms, self.places) = (spellings, forms, places)
    }

    /// The index of the code that `value` means.
    func index(of value: RawSpan) -> Int? {
        spellings.find(value) ?? indexByForm(of: value)
    }

    private func indexByForm(of value: RawSpan) -> Int? {
        let normal = Self.normal
        var hash = Self.seed
        for offset in 0..<value.byteCount {
            let byte = value.byte(at: offset)
            if byte >= 0x80 { return foreignIndex(of: value) }
            hash = Self.step(hash, normal[Int(byte)])
        }
        return lookUp(hash, value)
    }

    private func lookUp(_ hash: UInt64, _ value: RawSpan) -> Int? {
        var place = Int(truncatingIfNeeded: Self.finish(hash)) & (places.count - 1)
        while places[place] != 0 {
            let index = Int(places[place]) - 1
            if matches(forms[index], value) { return index }
            place = (place + 1) & (places.count - 1)
        }
        return nil
    }

    private func matches(_ form: [UInt8], _ value: RawSpan) -> Bool {
        guard form.count == value.byteCount else { return false }
        for offset in 0..<form.count where form[offset] != Self.normal[Int(value.byte(at: offset))] { return false }
        return true
    }

    /// The slow path: a value that is not ASCII.
    private func foreignIndex(of value: RawSpan) -> Int? {
        let form = Self.normalForm(of: value.text)
        return lookUp(form.reduce(Self.seed) { Self.step($0, $1) }, form.rawSpan)
    }

    private static let seed: UInt64 = 0xcbf2_9ce4_8422_2325

    private static func step(_ hash: UInt64, _ byte: UInt8) -> UInt64 { (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }

    private static func finish(_ hash: UInt64) -> UInt64 { hash ^ (hash >> 29) }

    private static func hash(_ form: RawSpan) -> UInt64 {
        var hash = seed
        for offset in 0..<form.byteCount { hash = step(hash, form.byte(at: offset)) }
        return finish(hash)
    }

    /// Each byte's normal form; those past ASCII stand for themselves.
    private static let normal: [UInt8] = (0...255).map { (byte: UInt8) in
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): byte | 0x20
        case UInt8(ascii: " "), UInt8(ascii: "-"): UInt8(ascii: "_")
        default: byte
        }
    }

    private static func normalForm(of code: String) -> [UInt8] {
        let bytes = Array(code.utf8)
        let isASCII = !bytes.contains { $0 >= 0x80 }
        return (isASCII ? bytes : UnicodeForm.caseFolded(bytes)).map { normal[Int($0)] }
    }
}
