// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// The members of a JSON object in the order they came in.
package struct JSONObject: Sendable, Equatable, ExpressibleByDictionaryLiteral {
    package struct Member: Sendable, Equatable {
        package var key: String
        package var value: JSONValue

        package init(_ key: String, _ value: JSONValue) {
            self.key = key
            self.value = value
        }
    }

    package var members: [Member]

    package init(_ members: [Member] = []) { self.members = members }

    package init(dictionaryLiteral elements: (String, JSONValue)...) {
        members = elements.map { Member($0.0, $0.1) }
    }

    package var isEmpty: Bool { members.isEmpty }
    package var count: Int { members.count }

    /// The value of the last member of that name. Setting replaces that one or appends; setting nil removes all.
    package subscript(key: String) -> JSONValue? {
        get { members.last { $0.key == key }?.value }
        set {
            guard let newValue else { return members.removeAll { $0.key == key } }
            if let index = members.lastIndex(where: { $0.key == key }) {
                members[index].value = newValue
            } else {
                members.append(Member(key, newValue))
            }
        }
    }
}
