// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsJSON

/// The codes that an enum field may hold. The type never changes, and any thread may read it.
public struct Vocabulary: Sendable {
    /// The name of the vocabulary in the definition.
    public let name: String
    /// The codes, sorted by rank and then by their bytes, so that a code's index is its order.
    public let codes: [Code]
    /// The index of the code for unknown values.
    public let fallback: Int
    /// The index of the code for a missing value; nil if a missing value is absent.
    public let absent: Int?
    private let table: CodeTable

    /// Makes a vocabulary of codes in any order.
    ///
    /// - Returns: Nil unless `fallback` and `absent` are among the codes and all codes differ. Codes are compared
    ///   without regard to letter case, and with space, `-` and `_` as equal.
    public init?(name: String, codes: [Code], fallback: String, absent: String? = nil) {
        let sorted = codes.sorted {
            $0.rank != $1.rank ? $0.rank < $1.rank : $0.code.utf8.lexicographicallyPrecedes($1.code.utf8)
        }
        guard let table = CodeTable(sorted.map(\.code)),
            let fallback = sorted.firstIndex(where: { $0.code == fallback })
        else { return nil }
        if let absent {
            guard let index = sorted.firstIndex(where: { $0.code == absent }) else { return nil }
            self.absent = index
        } else {
            self.absent = nil
        }
        self.name = name
        self.codes = sorted
        self.fallback = fallback
        self.table = table
    }

    /// The index of the code that `value` spells; nil if there is none.
    ///
    /// Letter case is ignored, and space, `-` and `_` are equal.
    public func index(matching value: RawSpan) -> Int? {
        table.index(of: value)
    }

    /// The index of the code that `value` spells; nil if there is none.
    public func index(matching value: String) -> Int? {
        table.index(of: Array(value.utf8).rawSpan)
    }
}

/// One code of a vocabulary.
public struct Code: Sendable, Hashable {
    /// The code as the definition spells it, and as records and answers carry it.
    public var code: String
    /// The rank of the code in the order of values. Equal ranks are ordered by code.
    public var rank: Int
    /// The index of the group for records with this code; nil if it has no group.
    public var group: Int?
    /// The text of a badge beside records with this code; nil for no badge.
    public var badge: LocalizedText?
    /// The name of the code for people.
    public var label: LocalizedText

    public init(
        _ code: String, rank: Int = 0, group: Int? = nil, badge: LocalizedText? = nil, label: LocalizedText? = nil
    ) {
        self.code = code
        self.rank = rank
        self.group = group
        self.badge = badge
        self.label = label ?? LocalizedText(LocalizedText.humanized(code))
    }
}

/// Finds codes by spelling: a hash table over their normal forms (lower case; space and `-` become `_`).
///
/// A class, because it is looked into for every record and a struct of arrays would be retained part by part.
final class CodeTable: Sendable {
    /// The codes as they are spelled, which is how most come.
    private let spellings: ByteTable
    /// Index plus one, 0 for a free place; the size is a power of two and at least twice the number of codes.
    private let slots: [UInt16]
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
        var slots = [UInt16](repeating: 0, count: size)
        for (index, form) in forms.enumerated() {
            var slot = Int(truncatingIfNeeded: Self.hash(form.rawSpan)) & (size - 1)
            while slots[slot] != 0 { slot = (slot + 1) & (size - 1) }
            slots[slot] = UInt16(index + 1)
        }
        (self.spellings, self.forms, self.slots) = (spellings, forms, slots)
    }

    /// The index of the code that `value` means.
    func index(of value: RawSpan) -> Int? {
        spellings.find(value) ?? indexByForm(of: value)
    }

    private func indexByForm(of value: RawSpan) -> Int? {
        let normal = Self.normal
        var hash = FNVHash()
        for offset in 0..<value.byteCount {
            let byte = value.byte(at: offset)
            if byte >= 0x80 { return foreignIndex(of: value) }
            hash.add(byte: normal[Int(byte)])
        }
        return lookUp(Self.finish(hash), value)
    }

    private func lookUp(_ hash: UInt64, _ value: RawSpan) -> Int? {
        var slot = Int(truncatingIfNeeded: hash) & (slots.count - 1)
        while slots[slot] != 0 {
            let index = Int(slots[slot]) - 1
            if matches(forms[index], value) { return index }
            slot = (slot + 1) & (slots.count - 1)
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
        return lookUp(Self.hash(form.rawSpan), form.rawSpan)
    }

    private static func hash(_ form: RawSpan) -> UInt64 {
        var hash = FNVHash()
        for offset in 0..<form.byteCount { hash.add(byte: form.byte(at: offset)) }
        return finish(hash)
    }

    /// The low bits choose the slot, so the high ones are folded into them.
    private static func finish(_ hash: FNVHash) -> UInt64 { hash.value ^ (hash.value >> 29) }

    /// The normal form of each byte; bytes beyond ASCII stay as they are.
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
