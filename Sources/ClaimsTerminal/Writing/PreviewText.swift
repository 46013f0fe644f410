// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
import ClaimsModel
import ClaimsProtocol

/// The text about an operation before it is submitted: the record as it would be, and where the operation goes.
struct PreviewText {
    private let answer: AnswerValue
    private let description: CollectionDescription?
    private let time: LocalTime

    /// - Parameter answer: the result of `submit` with `dry_run`.
    init(_ answer: AnswerValue, _ description: CollectionDescription?, time: LocalTime) {
        self.answer = answer
        self.description = description
        self.time = time
    }

    /// The whole text, a newline after it.
    ///
    /// - Parameters:
    ///   - fileLines: the files that are attached, a line for each.
    ///   - takenLines: the files that are taken away, a line for each.
    func text(width: Int, isColored: Bool, fileLines: [String], takenLines: [String] = []) -> String {
        guard let description else { return "" }
        let maker = CellMaker(collection: description, time: time)
        var facts: [(name: String, cell: Cell)] = []
        if let record = answer[SubmitResult.record] {
            for field in description.fields where field.name != description.writes?.fileField {
                guard field.type != .id, let cell = maker.detail(field, of: record) else { continue }
                facts.append((Escaping.line(field.heading), cell))
            }
        }
        // If the record lists them itself, all that it would have are listed.
        let isChanged = !fileLines.isEmpty || !takenLines.isEmpty
        let listed = isChanged ? RecordAttachments(answer[SubmitResult.record], description).files : []
        let lines = listed.isEmpty ? fileLines : listed.map { $0.line(time.messages) }
        for (heading, lines) in [(time.messages.files, lines), (time.messages.filesTaken, takenLines)] {
            for (index, line) in lines.enumerated() {
                facts.append((index == 0 ? heading : "", Cell(Escaping.line(line))))
            }
        }
        let changed = answer[SubmitResult.changed].map { description.column($0.text).heading }
        if answer[SubmitResult.action] != "create", !changed.isEmpty {
            facts.append((time.messages.changedFields, Cell(Escaping.line(changed.joined(separator: ", ")))))
        }
        facts.append((time.messages.goesTo, Cell(Escaping.line(destination))))
        return FactLayout(width: width, isColored: isColored).text(facts)
    }

    private var destination: String {
        guard let request = answer[SubmitResult.request] else { return time.messages.thisHost }
        return "\(request[SubmitResult.Request.method] ?? "") \(request[SubmitResult.Request.url] ?? "")"
    }
}
