// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsProtocol

/// The words of the protocol for the fuzzer of requests, which finds no method and no parameter without them.
enum FuzzParts {
    /// - Throws: a `ManualError` for an unknown name.
    static func lines(of name: String) throws(ManualError) -> [String] {
        switch name {
        case "methods": return MethodTable.descriptions.map { "\"\\\"\($0.name)\\\"\"" }
        case "parameters":
            let names = Set(MethodTable.descriptions.flatMap(\.parameters).map(\.name))
            return names.sorted().map { "\"\\\"\($0)\\\":\"" }
        default: throw ManualError("there is no part called '\(name)'")
        }
    }
}
