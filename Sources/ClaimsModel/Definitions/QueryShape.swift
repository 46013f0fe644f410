// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsJSON

/// Hashes of the parts of a definition that filters and orders depend on. A cursor carries the hashes of its own query.
///
/// A page begins after the last record of the page before. If a definition changes the order of records, or which ones
/// match, that position has no meaning any more, and the cursor is refused. Labels, titles, lists and addresses are in
/// no hash.
public struct QueryShape: Sendable, Hashable {
    /// For each field a hash of its name, type and pointers, of its vocabulary, and of the join that fills it.
    public let fields: [UInt64]
    /// A hash of the fields that free text searches.
    public let searched: UInt64
    /// A hash of the groups in their order, and of the field that decides them.
    public let groups: UInt64
    /// A hash of all of that, of the orders, and of the filters of the views.
    public let whole: UInt64

    init(
        fields: [Field], vocabularies: [Vocabulary], groups: [RecordGroup], groupBy: Int?, orders: [RecordOrder],
        views: [NamedView], join: Join?
    ) {
        let hashes = fields.indices.map { index in
            Self.hash(of: fields[index], at: index, vocabularies: vocabularies, join: join)
        }
        self.fields = hashes
        searched = Self.hash { hash in
            for index in fields.indices where fields[index].isSearched { hash.add(hashes[index]) }
        }
        let grouping = Self.hash { hash in
            for group in groups { hash.add(group.key) }
            guard let groupBy else { return }
            hash.add(hashes[groupBy])
            let codes = fields[groupBy].vocabulary.map { vocabularies[$0].codes } ?? []
            for code in codes { hash.add(code.group ?? -1) }
        }
        self.groups = grouping
        let text = searched
        whole = Self.hash { hash in
            for field in hashes { hash.add(field) }
            hash.add(text)
            hash.add(grouping)
            for order in orders {
                hash.add(order.keys.count)
                for key in order.keys { hash.add(key.descending ? -1 - key.field : key.field) }
            }
            for view in views {
                hash.add(view.name)
                hash.add(view.filter)
            }
        }
    }

    private static func hash(of field: Field, at index: Int, vocabularies: [Vocabulary], join: Join?) -> UInt64 {
        hash { hash in
            hash.add(field.name)
            hash.add(field.type.rawValue)
            hash.add(field.from.count)
            for pointer in field.from { hash.add(pointer.text) }
            if let vocabulary = field.vocabulary.map({ vocabularies[$0] }) {
                for code in vocabulary.codes {
                    hash.add(code.code)
                    hash.add(code.rank)
                }
                hash.add(vocabulary.fallback)
                hash.add(vocabulary.absent ?? -1)
            }
            guard let join, let link = join.take.first(where: { $0.field == index }) else { return }
            hash.add(join.on.field)
            hash.add(join.on.pointer.text)
            hash.add(link.pointer.text)
        }
    }

    private static func hash(_ fill: (inout FNVHash) -> Void) -> UInt64 {
        var hash = FNVHash()
        fill(&hash)
        return hash.value
    }
}

extension FNVHash {
    /// Adds another hash.
    fileprivate mutating func add(_ other: UInt64) { add(Int(truncatingIfNeeded: other)) }
}
