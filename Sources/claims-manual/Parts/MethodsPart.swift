// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsProtocol

/// The methods of the protocol, from the table that `describe` answers from.
enum MethodsPart {
    /// The collection that the examples ask.
    private static let collection = "books"

    static var blocks: [Block] { MethodTable.byMethod.flatMap(blocks) }

    private static func blocks(_ method: MethodDescription) -> [Block] {
        var blocks: [Block] = [.heading(level: 3, "`\(method.method.rawValue)`"), .paragraph(summary(method))]
        if !method.parameters.isEmpty {
            blocks.append(
                .table(
                    header: ["Parameter", "Takes", "Meaning"],
                    rows: method.parameters.map { parameter in
                        let required = parameter.isRequired ? ", required" : ""
                        return ["`\(parameter.name)`", parameter.type.expectation + required, parameter.summary]
                    }))
        }
        if method.result.isEmpty {
            blocks.append(.paragraph("The result is an empty object."))
        } else {
            blocks.append(.paragraph("The result:"))
            blocks.append(
                .table(
                    header: ["Member", "Meaning"], rows: method.result.map { ["`\($0.name)`", $0.summary] }))
        }
        return blocks + [
            .paragraph("For example:"),
            .code([method.example.replacing(MethodDescription.placeholder, with: collection)]),
        ]
    }

    private static func summary(_ method: MethodDescription) -> String {
        method.role == .read ? method.summary : "\(method.summary) Needs the role `\(method.role.rawValue)`."
    }
}
