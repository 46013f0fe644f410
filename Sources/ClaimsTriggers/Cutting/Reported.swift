// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// The report of a trigger: the members of its set with a hash of each compared field, the clock that they belong to, and
/// the condition of the collection.
struct Reported: Sendable {
    /// The collection, the compared fields and the key of the hashes.
    struct Head: Sendable, Equatable {
        let collection: String
        /// The names of the compared fields, in the order of the hashes.
        let fields: [String]
        /// The key of the hashes.
        let key: Key
    }

    /// The key of ``ValueHash``.
    struct Key: Sendable, Equatable {
        let first: UInt64
        let last: UInt64

        /// A new random key.
        static var random: Key {
            Key(first: .random(in: .min ... .max), last: .random(in: .min ... .max))
        }
    }

    /// The moment that the members belong to.
    struct Moment: Sendable, Equatable {
        /// The clock of the feed; nil if no set was compared yet.
        var clock: String?
        /// The time of the last cut, in milliseconds since 1970.
        var at: Int64
        /// The condition of the collection; nil if it is not known.
        var condition: String?
        /// The time at which a command last ended with 0, in milliseconds since 1970; nil for never.
        var reportedAt: Int64?
    }

    private(set) var head: Head
    var moment: Moment
    private(set) var members: MemberTable

    init(_ head: Head, _ moment: Moment) {
        self.head = head
        self.moment = moment
        members = MemberTable(columns: head.fields.count)
    }

    /// The maximal number of members.
    static let maxMembers = 1_000_000

    /// A change of the reported state, as the log keeps it.
    enum Change: Sendable {
        /// All members are removed; the members with other fields follow.
        case begin(Head)
        /// A member with its hashes.
        case put([UInt8], [UInt64])
        case drop([UInt8])
        /// The changes before it count from here on. `hasForgotten`: an id among them must not stay in any file.
        case settle(Moment, hasForgotten: Bool)
    }

    /// Applies a change. A member whose hashes are not as many as the fields is passed over.
    mutating func apply(_ change: Change) {
        switch change {
        case .begin(let head): self = Reported(head, moment)
        case .put(let id, let hashes):
            guard hashes.count == members.columns, id.count <= MemberTable.maxLength else { return }
            let index = members.insert(id)
            for (column, hash) in hashes.enumerated() { members[index, column] = hash }
        case .drop(let id): members.remove(id)
        case .settle(let moment, _): self.moment = moment
        }
    }

    /// The hashes of the member at an index.
    func hashes(at index: Int) -> [UInt64] { (0..<members.columns).map { members[index, $0] } }
}
