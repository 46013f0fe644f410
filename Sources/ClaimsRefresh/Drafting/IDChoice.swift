// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel

/// Chooses the member that is the id: each record has a value there, and no two records the same.
struct IDChoice {
    /// The member, and whether its name says that it is an id; nil if none can be.
    let best: (member: Int, isSure: Bool)?
    /// The member that is called id, and of which a value came more than once; nil where there is none.
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

    /// The first rank of members whose name does not say that they are ids.
    private static let unsureRank = 4

    /// How unlikely it is that a member is the id, by its name first and then by its values.
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
