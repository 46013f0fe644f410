// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
import ClaimsModel
import ClaimsProtocol
import ClaimsTerminal

// The actions of a record.

extension PlainBrowser {
    /// Lists what can be done with a record and then what cannot, asks which, and does it.
    func actions(_ numbers: [Int], _ words: String) {
        withRecord(numbers, words) { id in
            let offered = (list.collection.writes?.actions ?? []).filter {
                $0.name != "create" && $0.name != "update"
            }
            let obstacles = offered.map { obstacle(to: $0, with: id) }
            let possible = offered.indices.filter { obstacles[$0] == nil }
            let impossible = offered.indices.filter { obstacles[$0] != nil }
            // Everybody may share what they can read.
            let titles =
                possible.map { Escaping.line(offered[$0].title) } + [messages.shareTitle]
                + impossible.map { "(\(Escaping.line(offered[$0].title)): \(obstacles[$0] ?? ""))" }
            guard let index = chosen(among: titles) else { return }
            guard index != possible.count else { return share(id) }
            guard index < possible.count else {
                return tell(obstacles[impossible[index - possible.count - 1]] ?? "")
            }
            let action = offered[possible[index]].name
            if action == "delete" {
                news.expect([id])
                verbs.run(["delete", "--collection", list.collection.name, "--", id])
            } else {
                submit(action, id: id)
            }
        }
    }

    /// The reason why an action cannot be done with a record; nil where it can, as far as the daemon says.
    private func obstacle(to action: OfferedAction, with id: String) -> String? {
        if let obstacle = messages.obstacle(to: action.name, in: list.collection) { return obstacle }
        guard let condition = RecordCondition(of: action, id: id, in: list.collection),
            let answer = try? verbs.call(.count, condition.parameters(zone: context.zoneParameter))
        else { return nil }
        return condition.obstacle(answer, messages)
    }

    /// Writes a record and its files into a folder, after asking which.
    private func share(_ id: String) {
        guard let answer = answer(to: "\(messages.shareQuestion): ") else { return }
        let path = FormFile(line: EditedLine(answer), state: .typed).path
        guard !path.isEmpty else { return }
        verbs.run(["share", "--collection", list.collection.name, "--", id, path])
    }

    /// Lists titles by numbers and asks for one; nil for none.
    func chosen(among titles: [String]) -> Int? {
        for (index, title) in titles.enumerated() { tell("\(index + 1). \(title)") }
        guard let answer = answer(to: "\(messages.choose): "), !answer.isEmpty else { return nil }
        guard let number = Int(answer), titles.indices.contains(number - 1) else {
            tell(messages.noNumber(Escaping.line(answer)))
            return nil
        }
        return number - 1
    }
}
