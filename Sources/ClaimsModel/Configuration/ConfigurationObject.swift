// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON

/// An object of the configuration whose members are known.
struct ConfigurationObject {
    /// The object itself.
    let node: ConfigurationNode
    let members: [JSON5Member]

    /// The member called `key`; nil if it is not there or null, which both mean the default.
    subscript(key: String) -> ConfigurationNode? {
        guard let member = members.first(where: { $0.key == key }) else { return nil }
        if case .null = member.node.value { return nil }
        return node.child(key, member.node)
    }

    /// Notes that a member is missing.
    func complain(missing key: String, _ expected: String) {
        let place = node.place
        node.log.add(
            "missing; expected \(expected)",
            at: ConfigurationPlace(
                file: place.file, line: place.line, column: place.column,
                keyPath: ConfigurationNode.keyPath(place.keyPath, key)))
    }
}
