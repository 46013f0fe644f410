// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import ClaimsJSON

/// Fields that a second request fills.
public struct Join: Sendable, Hashable {
    /// A field of this collection beside a place in the other one's records.
    public struct Link: Sendable, Hashable {
        public let field: Int
        public let pointer: JSONPointer

        public init(field: Int, pointer: JSONPointer) {
            self.field = field
            self.pointer = pointer
        }
    }

    /// nil: the join is declared but off.
    public var url: String?
    /// Where the array of the other records is.
    public var root: JSONPointer
    public var headers: [Header]
    /// The name of a systemd credential.
    public var credential: String?
    /// The field here and the value there that must be equal, as texts.
    public var on: Link
    /// The fields to fill where a record has no value of its own, and the values to fill them with.
    public var take: [Link]

    public init(
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
