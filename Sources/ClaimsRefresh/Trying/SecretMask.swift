// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
public import ClaimsJSON

/// Puts `***` in place of secrets, wherever an upstream may have echoed them, and cuts what is long. Pure.
///
///     let mask = SecretMask(["hunter2"])
///     mask.text("the token hunter2 is wrong", upTo: 256)    // "the token *** is wrong"
public struct SecretMask: Sendable {
    /// The maximal length of a value that is shown, in bytes.
    public static let maxValue = 256
    private static let stars = Array("***".utf8)

    /// The forms of the secrets, those of many bytes first: as they are, in base64, in JSON, and percent-encoded.
    private let needles: [[UInt8]]

    public init(_ secrets: some Sequence<[UInt8]>) {
        var needles: Set<[UInt8]> = []
        for secret in secrets where !secret.isEmpty {
            needles.insert(secret)
            let base64 = Array(Base64.encode(secret).utf8)
            needles.insert(base64)
            needles.formUnion(Self.inJSON(secret) + Self.inJSON(base64))
            for encoded in [secret, base64] {
                for isUppercase in [true, false] {
                    needles.insert(Array(PercentEncoding.encode(encoded, isUppercase: isUppercase).utf8))
                    needles.insert(Self.formEncoded(encoded, isUppercase: isUppercase))
                }
            }
        }
        self.needles = needles.sorted {
            $0.count != $1.count ? $0.count > $1.count : $0.lexicographicallyPrecedes($1)
        }
    }

    /// A text without secrets, cut to a number of bytes. One that begins where the text was cut before is left out too.
    public func text(_ bytes: [UInt8], upTo count: Int = .max) -> String {
        var masked: [UInt8] = []
        var offset = 0
        while offset < bytes.count, masked.count <= count {
            if let needle = needles.first(where: { bytes[offset...].starts(with: $0) }) {
                masked += Self.stars
                offset += needle.count
            } else {
                masked.append(bytes[offset])
                offset += 1
            }
        }
        if offset >= bytes.count { hideBeginning(in: &masked) }
        guard masked.count > count else { return String(decoding: masked, as: UTF8.self) }
        var end = count
        while end > 0, masked[end] & 0xC0 == 0x80 { end -= 1 }
        return String(decoding: masked[..<end], as: UTF8.self) + "…"
    }

    public func text(_ text: String, upTo count: Int = .max) -> String { self.text(Array(text.utf8), upTo: count) }

    /// A value without secrets. Texts are cut, and an array or object that is long becomes a text.
    public func value(_ value: JSONValue) -> JSONValue {
        switch value {
        case .null, .bool: return value
        case .number: return masked(value)
        case .string(let string): return .string(text(string, upTo: Self.maxValue))
        case .array, .object:
            let masked = self.masked(value)
            var writer = JSONWriter()
            masked.write(to: &writer)
            if writer.bytes.count <= Self.maxValue { return masked }
            return .string(text(writer.bytes, upTo: Self.maxValue))
        }
    }

    private func masked(_ value: JSONValue) -> JSONValue {
        switch value {
        case .null, .bool: value
        case .number(let digits): text(digits) == digits ? value : .string(text(digits))
        case .string(let string): .string(text(string))
        case .array(let elements): .array(elements.map(masked))
        case .object(let members): .object(JSONObject(members.members.map { .init(text($0.key), masked($0.value)) }))
        }
    }

    /// Hides the beginning of a secret at the end of a text, whose rest may have been cut away.
    private func hideBeginning(in bytes: inout [UInt8]) {
        for needle in needles {
            for length in stride(from: min(needle.count - 1, bytes.count), through: Self.minBeginning, by: -1)
            where bytes.suffix(length).elementsEqual(needle.prefix(length)) {
                bytes.removeLast(length)
                bytes += Self.stars
                return
            }
        }
    }

    /// The shortest beginning of a secret that is hidden, in bytes.
    private static let minBeginning = 4

    /// The forms that a text has in JSON: some writers escape `/`.
    private static func inJSON(_ secret: [UInt8]) -> [[UInt8]] {
        let text = Array(JSONValue.string(String(decoding: secret, as: UTF8.self)).compactBytes.dropFirst().dropLast())
        return [text, text.flatMap { $0 == UInt8(ascii: "/") ? [UInt8(ascii: "\\"), $0] : [$0] }]
    }

    /// The form of application/x-www-form-urlencoded, where a space is a plus.
    private static func formEncoded(_ secret: [UInt8], isUppercase: Bool) -> [UInt8] {
        let parts = secret.split(separator: ASCII.space, omittingEmptySubsequences: false).map { part in
            Array(PercentEncoding.encode(Array(part), isUppercase: isUppercase).utf8)
        }
        return Array(parts.joined(separator: [ASCII.plus]))
    }
}
