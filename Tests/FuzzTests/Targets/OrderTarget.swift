// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsModel
import ClaimsQuery

/// An order as a text and as an array: it ends in the id, and names no field twice.
enum OrderTarget {
    static func check(_ input: [UInt8]) throws {
        let text = String(decoding: input, as: UTF8.self)
        try check(.string(text))
        if let tree = try? JSONValue.parse(input) { try check(tree) }
    }

    private static func check(_ value: JSONValue) throws {
        let definition = FuzzCollection.definition
        do {
            let order = try SortParser.parse(value, in: definition)
            let fields = order.keys.map(\.field)
            try FuzzFinding.unless(fields.last == definition.idField, "an order that is not total")
            try FuzzFinding.unless(Set(fields).count == fields.count, "an order with a field twice")
        } catch let error as FilterError {
            try FuzzFinding.unless(error.kind == .badSort && !error.message.isEmpty, "a refusal without a reason")
        }
    }
}
