// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsTerminal

// The actions of a record.

extension PlainBrowser {
    /// Lists what can be done with a record, asks which, and does it.
    func actions(_ numbers: [Int], _ words: String) {
        withRecord(numbers, words) { id in
            let offered = (list.collection.writes?.actions ?? []).filter {
                $0.name != "create" && $0.name != "update"
            }
            let titles = offered.map { action in
                Escaping.line(action.title)
                    + (action.isGranted ? "" : " (\(messages.needsRole(Escaping.line(action.role))))")
            }
            // Everybody may share what they can read.
            guard let index = chosen(among: titles + [messages.shareTitle]) else { return }
            guard offered.indices.contains(index) else { return share(id) }
            if offered[index].name == "delete" {
                news.expect([id])
                verbs.run(["delete", "--collection", list.collection.name, "--", id])
            } else {
                submit(offered[index].name, id: id)
            }
        }
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
