// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON

/// A JSON Pointer (RFC 6901) through objects, whose target can be read and set.
struct MemberPath: Sendable, Hashable {
    private let names: [String]

    init(_ text: String) throws(UpstreamError) {
        do throws(JSONError) {
            names = try JSONPointer(text).tokens.map { token in String(decoding: token, as: UTF8.self) }
        } catch {
            throw UpstreamError("\(text) is not a JSON Pointer")
        }
    }

    private init(names: [String]) { self.names = names }

    /// The path to the whole value.
    static let root = MemberPath(names: [])

    /// The path to one member of the outer object.
    static func member(_ name: String) -> MemberPath { MemberPath(names: [name]) }

    /// The value that the path leads to in `value`; nil if there is none.
    func find(in value: JSONValue) -> JSONValue? {
        var value = value
        for name in names {
            guard let member = value[name] else { return nil }
            value = member
        }
        return value
    }

    /// Sets the value that the path leads to in `value`; objects on the way are made.
    func set(_ new: JSONValue, in value: inout JSONValue) {
        guard let name = names.first else {
            value = new
            return
        }
        var object = value.object ?? JSONObject()
        var member = object[name] ?? .object(JSONObject())
        MemberPath(names: Array(names.dropFirst())).set(new, in: &member)
        object[name] = member
        value = .object(object)
    }
}
