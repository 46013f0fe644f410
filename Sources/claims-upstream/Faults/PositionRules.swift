// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON

/// The way in which a request asks for changes only.
struct PositionRules: Sendable {
    static let members = ["parameter", "field", "token", "epoch", "deleted", "after"]

    /// The part of the request that has the position; without one the answer has all records.
    let carrier: ValueCarrier
    /// The member of a record that is compared with the position; nil if that is a token.
    private(set) var field: String?
    /// The pointer to the token for the next request in the page.
    private(set) var token: MemberPath?
    /// The beginning of every token. One with another beginning is too old: 410.
    private(set) var epoch = "a"
    /// The pointer to the gone ids in the page.
    private(set) var deleted: MemberPath?
    /// Whether a record whose field equals the position is left out.
    private(set) var isExclusive = false

    init(_ value: JSONValue) throws(UpstreamError) {
        carrier = try ValueCarrier(try StepValue.text("parameter", value["parameter"] ?? .null))
        for member in value.object?.members ?? [] {
            let (key, value) = (member.key, member.value)
            switch key {
            case "parameter": break
            case "field": field = try StepValue.text(key, value)
            case "token": token = try MemberPath(try StepValue.text(key, value))
            case "epoch": epoch = try StepValue.text(key, value)
            case "deleted": deleted = try MemberPath(try StepValue.text(key, value))
            case "after": isExclusive = value.boolean ?? false
            default: throw UpstreamError("unknown member \(key) of since")
            }
        }
    }

    /// The number in a token of this epoch; nil for another one.
    func number(of token: String) -> Int? {
        token.hasPrefix(epoch + ".") ? Int(token.dropFirst(epoch.count + 1)) : nil
    }

    /// The token for all changes up to `number`.
    func token(_ number: Int) -> JSONValue { .string("\(epoch).\(number)") }

    /// Whether `record` has a value in the field that is not before `position`. One without a value has not.
    func reaches(_ record: JSONValue, _ position: String) -> Bool {
        guard let field, let value = record[field] else { return false }
        if let number = value.integer, let other = Int64(position) {
            return isExclusive ? number > other : number >= other
        }
        guard let text = value.string.map(Self.comparable) else { return false }
        let other = Self.comparable(position)
        return isExclusive ? text > other : text >= other
    }

    /// An instant in UTC without its end, so that it compares as text, with and without a fraction.
    private static func comparable(_ instant: String) -> String {
        instant.hasSuffix("Z") ? String(instant.dropLast()) : instant
    }
}
