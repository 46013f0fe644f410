// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
public import ClaimsJSON

/// The field types that take a scalar as their value, as records are decoded.
///
///     let types = FittingTypes.of(.string, text: bytes)    // of "2026-11-20" date and text; nil of "  "
public struct FittingTypes: OptionSet, Sendable {
    public let rawValue: UInt8

    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// A number without fraction and exponent, as a number or as text.
    public static let integer = FittingTypes(rawValue: 1)
    /// Any number, as a number or as text.
    public static let decimal = FittingTypes(rawValue: 2)
    public static let instant = FittingTypes(rawValue: 4)
    public static let date = FittingTypes(rawValue: 8)
    public static let bool = FittingTypes(rawValue: 16)
    /// A text that begins as a web address does.
    public static let url = FittingTypes(rawValue: 32)
    public static let text = FittingTypes(rawValue: 64)
    public static let all = FittingTypes(rawValue: 127)

    /// The types that take a value. Of a container these are none: only json takes it, which takes everything.
    ///
    /// - Parameter text: the bytes of a number, the unescaped text of a string.
    /// - Returns: nil for a value that counts as absent.
    public static func of(_ kind: JSONKind, text: RawSpan) -> FittingTypes? {
        switch kind {
        case .null: return nil
        case .true, .false: return .bool
        case .object, .array: return []
        case .number: return numbers(text)
        case .string:
            guard !WhiteSpace.fills(text) else { return nil }
            let trimmed = WhiteSpace.trimmed(text)
            var types = numbers(trimmed).union(.text)
            if Instant.parse(trimmed) != nil { types.insert(.instant) }
            if CivilDate.parse(trimmed) != nil { types.insert(.date) }
            if trimmed.matches("https://", at: 0) || trimmed.matches("http://", at: 0) { types.insert(.url) }
            return types
        }
    }

    private static func numbers(_ text: RawSpan) -> FittingTypes {
        guard let number = NumberText(text) else { return [] }
        for offset in 0..<text.byteCount {
            // A value such as 1.0 is whole, but says that others need not be.
            switch text.byte(at: offset) {
            case UInt8(ascii: "."), UInt8(ascii: "e"), UInt8(ascii: "E"): return .decimal
            default: break
            }
        }
        return number.isWhole ? [.integer, .decimal] : .decimal
    }
}
