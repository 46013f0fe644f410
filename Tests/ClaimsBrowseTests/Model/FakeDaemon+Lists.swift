// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
import ClaimsJSON
import ClaimsModel
import ClaimsProtocol

@testable import ClaimsBrowse

// Lists: filtered, sorted and paged in the plainest way.

extension FakeDaemon {
    func question(
        _ collection: String?, _ selection: SelectionParameters, sort: SortValue?, isGrouped: Bool
    ) -> Question {
        var question = Question(collection: collection ?? "")
        let text = selection.filter?.json.string ?? ""
        for part in text.split(whereSeparator: { " ()".contains($0) }) {
            if part.hasPrefix("status=") {
                question.status = String(part.dropFirst(7))
            } else {
                question.words.append(part.filter { $0 != "\"" }.lowercased())
            }
        }
        question.archived = selection.archived
        let key = sort?.json.array?.first?.string ?? ""
        question.isReversed = key.hasPrefix("-")
        question.isByName = key.hasSuffix("name") || key.hasSuffix("named")
        question.isGrouped = isGrouped && collection == "units"
        return question
    }

    /// The records of a question, in its order.
    func list(_ question: Question, at state: Int? = nil) -> [Record] {
        let all = (state.flatMap { states[$0] } ?? records)[question.collection] ?? []
        return all.filter { record in
            switch question.archived {
            case .exclude: if record.isArchived { return false }
            case .only: if !record.isArchived { return false }
            case .include: break
            }
            guard question.status == nil || record.status == question.status else { return false }
            return question.words.allSatisfy { record.name.lowercased().contains($0) }
        }.sorted { precedes($0, $1, question) }
    }

    private func precedes(_ left: Record, _ right: Record, _ question: Question) -> Bool {
        if question.isGrouped, left.status != right.status { return left.status == "faulty" }
        if question.isByName, left.name != right.name { return (left.name < right.name) != question.isReversed }
        return left.id < right.id
    }

    mutating func answer(_ search: SearchParameters) -> Result<AnswerValue, Refusal> {
        let question = question(
            search.collection, search.selection, sort: search.sort, isGrouped: search.page.isGrouped)
        if question.words.contains(where: { $0.contains("statsu") }) {
            let data = #"{"kind":"bad_filter","position":0,"length":6,"hint":"did you mean 'status'?"}"#
            return .failure(
                Refusal(Self.value(#"{"code":1400,"message":"unknown field 'statsu'","data":\#(data)}"#)))
        }
        let all = list(question)
        let limit = Int(search.page.limit ?? 50)
        var start = 0
        var anchored: String?
        if let cursor = search.page.cursor {
            guard let record = cursors[cursor] else {
                return .failure(Refusal(Self.value(#"{"message":"old","data":{"kind":"bad_cursor"}}"#)))
            }
            if cursor.hasPrefix("n") {
                start = all.firstIndex { precedes(record, $0, question) } ?? all.count
            } else {
                let end = all.firstIndex { !precedes($0, record, question) } ?? all.count
                start = max(0, end - limit)
                return .success(page(all, start, end, question, anchored: nil))
            }
        } else {
            switch search.page.anchor {
            case .end: start = max(0, all.count - limit)
            case .rank(let rank): start = Int(rank) < all.count ? Int(rank) : max(0, all.count - limit)
            case .id(let id):
                let wanted = (records[question.collection] ?? []).first { String($0.id) == id }
                anchored = wanted == nil ? "gone" : all.contains { String($0.id) == id } ? "exact" : "after"
                if let wanted { start = all.firstIndex { !precedes($0, wanted, question) } ?? all.count }
            case .start, nil: break
            }
        }
        return .success(page(all, start, min(all.count, start + limit), question, anchored: anchored))
    }

    private mutating func page(
        _ all: [Record], _ start: Int, _ end: Int, _ question: Question, anchored: String?
    ) -> AnswerValue {
        var members = [#""records":[\#(all[start..<end].map(\.json).joined(separator: ","))]"#]
        members += [#""total":\#(all.count)"#, #""rank":\#(start)"#, #""meta":\#(meta(question.collection))"#]
        if let anchored { members.append(#""anchored":"\#(anchored)""#) }
        if end < all.count, end > start { members.append(#""next":"\#(cursor("n", all[end - 1]))""#) }
        if start > 0, start < all.count || start == end {
            // Before a page without records stands the end of the list.
            let before = start < all.count ? all[start] : Record(id: .max, name: "\u{10FFFF}")
            members.append(#""prev":"\#(cursor("p", before))""#)
        }
        if question.isGrouped {
            let groups = [("bad", "faulty"), ("good", "ok")].compactMap { key, status -> String? in
                let total = all.count { $0.status == status }
                return total == 0 ? nil : #"{"key":"\#(key)","label":"\#(key)","total":\#(total)}"#
            }
            members.append(#""groups":[\#(groups.joined(separator: ","))]"#)
        }
        return Self.value("{\(members.joined(separator: ","))}")
    }

    private mutating func cursor(_ kind: String, _ record: Record) -> String {
        let name = "\(kind)\(cursors.count)"
        cursors[name] = record
        return name
    }
}
