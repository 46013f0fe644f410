// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsJSON

/// Hashes what decides a snapshot's content. The value is kept on disk: equal definitions must have equal hashes in
/// every process and version, so `Hasher`, which is seeded at random, will not do.
enum ShapeHash {
    /// The version, which must be raised if decoding, folding or keys change the contents of a snapshot of the same
    /// records.
    static let version = 2

    static func of(
        fields: [Field], vocabularies: [Vocabulary], groups: [RecordGroup], groupBy: Int?, orders: [RecordOrder],
        join: Join?, siteField: Int? = nil
    ) -> UInt64 {
        var hash = FNVHash()
        hash.add(version)
        hash.add(fields.count)
        for field in fields {
            hash.add(field.name)
            hash.add(field.type.rawValue)
            hash.add(field.from.count)
            for pointer in field.from { hash.add(pointer.text) }
            hash.add(field.isSearched ? 1 : 0)
            hash.add(field.isRequired ? 1 : 0)
            hash.add(field.vocabulary ?? -1)
        }
        hash.add(vocabularies.count)
        for vocabulary in vocabularies {
            hash.add(vocabulary.codes.count)
            for code in vocabulary.codes {
                hash.add(code.code)
                hash.add(code.rank)
                hash.add(code.group ?? -1)
            }
            hash.add(vocabulary.fallback)
            hash.add(vocabulary.absent ?? -1)
        }
        hash.add(groups.count)
        for group in groups { hash.add(group.key) }
        hash.add(groupBy ?? -1)
        hash.add(orders.count)
        for order in orders {
            hash.add(order.keys.count)
            for key in order.keys { hash.add(key.descending ? -1 - key.field : key.field) }
        }
        if let join {
            for link in [join.on] + join.take {
                hash.add(link.field)
                hash.add(link.pointer.text)
            }
        }
        if let siteField {
            hash.add("sites")
            hash.add(siteField)
        }
        return hash.value
    }
}

/// Hashes what decides the values that are served of given upstream records, and which of their changes are sent. Like
/// the shape hash it is kept on disk. The order of fields and vocabularies does not count.
enum ValuesHash {
    /// The version, which must be raised if decoding changes the served values of the same records.
    static let version = 1

    static func of(
        fields: [Field], vocabularies: [Vocabulary], volatile: [JSONPointer], join: Join?, siteField: Int? = nil
    ) -> UInt64 {
        var hash = FNVHash()
        hash.add(version)
        for field in fields.sorted(by: { $0.name < $1.name }) {
            hash.add(field.name)
            hash.add(field.type.rawValue)
            hash.add(field.from.count)
            for pointer in field.from { hash.add(pointer.text) }
            hash.add(field.isSearched ? 1 : 0)
            hash.add(field.isRequired ? 1 : 0)
            if let vocabulary = field.vocabulary { add(vocabularies[vocabulary], to: &hash) }
        }
        for pointer in Set(volatile.map(\.text)).sorted() { hash.add(pointer) }
        if let join {
            hash.add("join")
            add(join.on, fields, to: &hash)
            for link in join.take.sorted(by: { fields[$0.field].name < fields[$1.field].name }) {
                add(link, fields, to: &hash)
            }
        }
        if let siteField {
            hash.add("sites")
            hash.add(fields[siteField].name)
        }
        // 0 means an unknown hash.
        return hash.value | 1
    }

    private static func add(_ vocabulary: Vocabulary, to hash: inout FNVHash) {
        hash.add(vocabulary.codes.count)
        for code in vocabulary.codes {
            hash.add(code.code)
            hash.add(code.rank)
        }
        hash.add(vocabulary.fallback)
        hash.add(vocabulary.absent ?? -1)
    }

    private static func add(_ link: Join.Link, _ fields: [Field], to hash: inout FNVHash) {
        hash.add(fields[link.field].name)
        hash.add(link.pointer.text)
    }
}
