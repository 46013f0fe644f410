// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

package import ClaimsJSON

/// Fields that a second request fills.
package struct Join: Sendable, Hashable {
    /// A field of this collection beside a place in the other one's records.
    package struct Link: Sendable, Hashable {
        package let field: Int
        package let pointer: JSONPointer

        package init(field: Int, pointer: JSONPointer) {
            self.field = field
            self.pointer = pointer
        }
    }

    /// nil: the join is declared but off.
    package var url: String?
    /// Where the array of the other records is.
    package var root: JSONPointer
    package var headers: [Header]
    /// The name of a systemd credential.
    package var credential: String?
    /// The field here and the value there that must be equal, as texts.
    package var on: Link
    /// The fields to fill where a record has no value of its own, and the values to fill them with.
    package var take: [Link]

    package init(
        url: String? = nil, root: JSONPointer, headers: [Header] = [], credential: String? = nil, on: Link,
        take: [Link]
    ) {
        self.url = url
        self.root = root
        self.headers = headers
        self.credential = credential
        self.on = on
        self.take = take
    }
}
