// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
public import ClaimsModel

/// One field of a drafted definition.
struct DraftedField {
    var name: String
    let type: FieldType
    let pointer: JSONPointer
    /// The codes of an enum, in the order of first sight.
    var codes: [String] = []
    var isSearched = false
    var isEmphasized = false
    /// A remark behind the field, for the person who completes the definition.
    var remark: String?
    /// The mean length of its values, in bytes.
    let meanLength: Int
    /// The number of records that have a value.
    let values: Int
}

/// Makes the fields of a definition from the results of a survey.
struct FieldDrafting {
    /// The maximal number of fields, the id included.
    static let maxFields = 200
    /// The maximal number of fields that free text searches.
    static let maxSearched = 6
    /// The maximal number of columns of a list.
    static let maxListed = 6
    /// The maximal mean length of a field that a list shows, in bytes.
    private static let maxListedLength = 48
    /// The number of names from which on names that few objects share are data, such as languages or users.
    private static let minMapNames = 16

    let survey: MemberSurvey

    /// The fields in the order of the records' members, the id first. `isCut` is true if members were left out.
    func fields() throws(DraftError) -> (fields: [DraftedField], isCut: Bool) {
        let choice = IDChoice(survey)
        guard let id = choice.best else {
            guard let shared = choice.shared else { throw .noID(objects: survey.records) }
            throw .repeatedID(survey.pointer(to: shared), objects: survey.records)
        }
        var leaves: [Int] = []
        collect(0, into: &leaves)
        let isCut = survey.isCut || leaves.count > Self.maxFields
        if leaves.count > Self.maxFields {
            // The members that most records have stay, in their order.
            let kept = Set(leaves.sorted { members[$0].values > members[$1].values }.prefix(Self.maxFields))
            leaves.removeAll { !kept.contains($0) }
        }
        var taken: Set<String> = []
        var fields = [idField(id.member, isSure: id.isSure, shared: choice.shared)]
        for leaf in leaves where leaf != id.member {
            guard fields.count < Self.maxFields else { break }
            let field = field(leaf, taken: taken)
            taken.insert(field.name)
            fields.append(field)
        }
        mark(&fields)
        return (fields, isCut)
    }

    /// The names of the columns of a list.
    static func list(_ fields: [DraftedField]) -> [String] {
        let bold = fields.filter(\.isEmphasized)
        let enums = fields.filter { $0.type == .enum }.prefix(2)
        let others = fields.filter { field in
            switch field.type {
            case .id, .enum, .json, .url: false
            default: !field.isEmphasized && field.values > 0 && field.meanLength <= maxListedLength
            }
        }
        return (fields.prefix(1) + bold + enums + others).prefix(maxListed).map(\.name)
    }

    private var members: [SurveyedMember] { survey.members }

    /// Whether the values of a member are objects whose members become fields.
    private func isRecordPart(_ member: SurveyedMember) -> Bool {
        guard member.objects > 0, member.values == member.objects, !member.isOpaque, !member.children.isEmpty else {
            return false
        }
        guard member.children.count > Self.minMapNames else { return true }
        let uses = member.children.reduce(0) { $0 + members[$1].values }
        return uses * 4 >= member.children.count * member.objects
    }

    private func collect(_ member: Int, into leaves: inout [Int]) {
        for child in members[member].children {
            if isRecordPart(members[child]) { collect(child, into: &leaves) } else { leaves.append(child) }
        }
    }

    /// - Parameter shared: a member that has the name of an id, but is none.
    private func idField(_ member: Int, isSure: Bool, shared: Int?) -> DraftedField {
        var field = DraftedField(
            name: "id", type: .id, pointer: survey.pointer(to: member), meanLength: members[member].meanLength,
            values: members[member].values)
        let guess = isSure ? nil : "a guess: each record seen has a value of its own there"
        let reason = shared.map { member in
            "\(DraftText.visible(survey.pointer(to: member).text)) is no id: a value of it comes more than once"
        }
        let remarks = [reason, guess].compactMap(\.self)
        if !remarks.isEmpty { field.remark = remarks.joined(separator: "; ") }
        return field
    }

    private func field(_ index: Int, taken: Set<String>) -> DraftedField {
        let member = members[index]
        let pointer = survey.pointer(to: index)
        let (type, remark) = Self.type(of: member)
        var field = DraftedField(
            name: FieldName.of(pointer, taken: taken), type: type, pointer: pointer, meanLength: member.meanLength,
            values: member.values)
        if type == .enum { field.codes = member.codeOrder }
        field.remark = remark
        return field
    }

    /// The narrowest type that fits all values that were seen.
    private static func type(of member: SurveyedMember) -> (FieldType, remark: String?) {
        if member.values == 0 { return (.text, "no value was seen") }
        if member.values > member.scalars {
            return (
                .json, member.scalars > 0 || member.arrays > 0 && member.objects > 0 ? "values of several kinds" : nil
            )
        }
        if member.types.contains(.bool) { return (.bool, nil) }
        if member.strings == member.values {
            if member.types.contains(.instant) { return (.instant, nil) }
            if member.types.contains(.date) { return (.date, nil) }
            if member.types.contains(.url) { return (.url, nil) }
            if member.isEnum { return (.enum, nil) }
            if member.types.contains(.decimal) {
                return (.text, "numbers as text; the type decimal orders them by value")
            }
            return (.text, nil)
        }
        if member.types.contains(.integer) { return (.integer, nil) }
        if member.types.contains(.decimal) { return (.decimal, nil) }
        return (.json, "values of several kinds")
    }

    /// Chooses the fields that free text searches, and the field that a list shows in bold.
    private func mark(_ fields: inout [DraftedField]) {
        let texts = fields.indices.filter { fields[$0].type == .text && fields[$0].values > 0 }
        let titles = texts.filter { index in
            let words = fields[index].name.split(separator: "_")
            return words.contains { Self.titleWords.contains(String($0)) }
        }
        // The plainest name: `name` rather than `maker_name`.
        let title = titles.min { fields[$0].name.utf8.count < fields[$1].name.utf8.count }
        if let title { fields[title].isEmphasized = true }
        for index in (titles + texts.filter { !titles.contains($0) }).prefix(Self.maxSearched) {
            fields[index].isSearched = true
        }
    }

    private static let titleWords: Set<String> = [
        "title", "name", "label", "subject", "summary", "headline", "heading", "caption",
    ]
}

extension SurveyedMember {
    /// Words of names whose values are quoted nowhere, however often they come.
    private static let secretWords: Set<String> = [
        "token", "secret", "password", "passwd", "pin", "key", "credential", "credentials", "email", "mail", "phone",
    ]

    /// Whether the texts are codes: few, short, and each of them repeated.
    fileprivate var isEnum: Bool {
        guard let codes, codes.count >= 2, codes.values.allSatisfy({ $0 >= 2 }) else { return false }
        let words = (FieldName.of(String(decoding: name, as: UTF8.self)) ?? "").split(separator: "_")
        if words.contains(where: { Self.secretWords.contains(String($0)) }) { return false }
        let isPlain = codes.keys.allSatisfy { code in
            !code.allSatisfy(\.isWhitespace) && !code.contains("@")
                && !code.unicodeScalars.contains(where: TextSafety.isUnsafe)
        }
        return isPlain && DraftedVocabulary(codeOrder) != nil
    }
}

/// The codes of a drafted enum, and the code that other values become.
struct DraftedVocabulary {
    let codes: [String]
    let fallback: String
    /// Whether the fallback differs from all values that were seen.
    let isFallbackNew: Bool

    /// Nil if two codes are equal by the comparison of codes.
    init?(_ codes: [String]) {
        let isShouted = codes.allSatisfy { code in !code.unicodeScalars.contains { $0.properties.isLowercase } }
        let unknown = isShouted ? "UNKNOWN" : "unknown"
        let made = codes.map { Code($0, rank: 0, group: nil, label: nil) }
        guard let seen = codes.first, let known = Vocabulary(name: "", codes: made, fallback: seen) else { return nil }
        self.codes = codes
        isFallbackNew = known.index(matching: unknown) == nil
        fallback = known.index(matching: unknown).map { known.codes[$0].code } ?? unknown
    }
}

/// The names and singulars of existing collections, which a draft must not use.
public struct TakenNames: Sendable {
    /// The collections by their singulars.
    private var singulars: [String: String] = [:]
    private var names: Set<String> = []

    public init() {}

    /// Adds a collection.
    ///
    /// - Parameter singular: nil if it is not known.
    public mutating func insert(_ name: String, singular: String?) {
        names.insert(name)
        if let singular { singulars[singular] = name }
    }

    /// Adds the collections of a configuration, including collections with mistakes.
    public mutating func insert(_ configuration: Configuration) {
        for name in configuration.names { insert(name, singular: nil) }
        for definition in configuration.definitions { insert(definition.name, singular: definition.singular) }
    }

    /// Why a word cannot be the name of another collection, as a sentence; nil if it can.
    func objection(to word: String) -> TranslatedText? {
        if names.contains(word) {
            return TranslatedText(en: "there is a collection '\(word)' already", pl: "kolekcja „\(word)” już istnieje")
        }
        guard let name = singulars[word] else { return nil }
        return TranslatedText(
            en: "'\(word)' is what one record of '\(name)' is called",
            pl: "„\(word)” oznacza pojedynczy rekord kolekcji „\(name)”")
    }

    /// The word, or the word with the first number that makes it free.
    func free(_ word: String, isFit: (String) -> Bool = { _ in true }) -> String {
        if isFit(word), objection(to: word) == nil { return word }
        let stem = word.prefix(ReservedNames.maxNameLength - 8)
        var number = 2
        while objection(to: "\(stem)_\(number)") != nil { number += 1 }
        return "\(stem)_\(number)"
    }
}

/// Chooses the member that is the id: each record has a value there, and no two records the same.
struct IDChoice {
    /// The member, and whether its name is the name of an id; nil if no member can be the id.
    let best: (member: Int, isSure: Bool)?
    /// The member with the name of an id of which a value came more than once; nil if there is none.
    let shared: Int?

    init(_ survey: MemberSurvey) {
        let members = survey.members
        shared = members.indices.dropFirst().filter { members[$0].isShared && Self.rank(of: members[$0]) == 0 }
            .min { members[$0].depth < members[$1].depth }
        var best: (member: Int, rank: Int)?
        for index in members.indices.dropFirst() {
            let member = members[index]
            guard member.ids?.count == survey.records, survey.records > 0, !Self.isRepeated(index, members),
                !Self.isMeasure(member)
            else { continue }
            let rank = Self.rank(of: member) * (MemberSurvey.maxDepth + 1) + member.depth
            if rank < best?.rank ?? .max { best = (index, rank) }
        }
        self.best = best.map { ($0.member, $0.rank < Self.unsureRank * (MemberSurvey.maxDepth + 1)) }
    }

    /// The member, or one around it, came twice in one object: only the last of these is read.
    private static func isRepeated(_ index: Int, _ members: [SurveyedMember]) -> Bool {
        var index = index
        while let parent = members[index].parent {
            if members[index].isRepeated { return true }
            index = parent
        }
        return false
    }

    /// Whether the values are decimals, dates or times, which come once only by chance.
    private static func isMeasure(_ member: SurveyedMember) -> Bool {
        member.types.contains(.decimal) && !member.types.contains(.integer)
            || !member.types.isDisjoint(with: [.instant, .date])
    }

    /// The first rank of members whose name is not the name of an id.
    private static let unsureRank = 4

    /// The rank of a member as the id, lower for a more likely one: by its name first and then by its values.
    private static func rank(of member: SurveyedMember) -> Int {
        let words = (FieldName.of(String(decoding: member.name, as: UTF8.self)) ?? "").split(separator: "_")
        if words == ["id"] { return 0 }
        if words.count == 1, let word = words.first, ["uuid", "guid", "identifier", "oid", "uid"].contains(word) {
            return 1
        }
        if let last = words.last, ["id", "uuid", "guid"].contains(last) { return 2 }
        if let last = words.last, ["code", "key", "number", "no", "nr", "slug", "ref", "reference"].contains(last) {
            return 3
        }
        return member.hasSpaces ? 5 : unsureRank
    }
}
