// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
import ClaimsProtocol

/// The mistakes in the daemon's configuration, and the commands that help.
enum ProblemText {
    private typealias Problem = StatusResult.Problem

    /// The lines under the table of `status`; empty without mistakes.
    ///
    /// - Parameters:
    ///   - answer: an answer to `status`.
    ///   - width: the width of a line in cells.
    ///   - files: the configuration to check and reload.
    static func text(
        _ answer: AnswerValue, _ messages: Messages, width: Int, isColored: Bool, files: DaemonFiles
    ) -> String {
        let problems = answer[StatusResult.problems]
        guard !problems.isEmpty else { return "" }
        let served = Set(answer[StatusResult.collections].compactMap { $0[StatusResult.Collection.name] })
        var text = ""
        for problem in problems {
            let isWarning = problem[Problem.warning] ?? false
            let whole = isWarning ? messages.configurationWarning : messages.configuration
            let subject = Escaping.line(problem[Problem.collection] ?? whole)
            let lines = Fitting.hang("\(subject): \(line(problem))", to: width, indent: 2)
            text += "\n\(Style.bold.apply(to: subject, isColored: isColored))\(lines.dropFirst(subject.count))\n"
            if let collection = problem[Problem.collection], !served.contains(collection) {
                let remark = messages.collectionLeftOut
                text += "  \(Fitting.hang(remark, to: max(20, width - 2), indent: 4))\n"
            }
        }
        let untold = told(answer) - problems.count
        if untold > 0 { text += "\n\(Fitting.hang(messages.moreMistakes(untold), to: width, indent: 2))\n" }
        let reload = files.reload ?? "systemctl reload claimsd"
        let commands = [messages.seeMistakes(files.check), messages.whenMended(reload)]
        return text + "\n" + commands.map { Fitting.hang($0, to: width, indent: 2) + "\n" }.joined()
    }

    /// The number of collections whose mistakes are listed one by one.
    private static let maxTold = 3

    /// The lines about collections whose new definitions have mistakes, so that those before are in force.
    ///
    /// - Parameter status: an answer to `status`; nil if there is none.
    static func notices(
        of collections: [String], _ status: AnswerValue?, _ messages: Messages, unit: DaemonUnit?
    ) -> [String] {
        let check = DaemonFiles(status, unit: unit).check
        guard collections.count <= maxTold else {
            return [messages.definitionsBefore(collections.count, toSee: check)]
        }
        let problems = status?[StatusResult.problems] ?? []
        return collections.map { name in
            let problem = problems.first { $0[Problem.collection] == name }
            return "\(Escaping.line(name)): " + messages.definitionBefore(problem.map(line), toSee: check)
        }
    }

    /// The number of mistakes, of which the answer has the first ones.
    static func total(_ answer: AnswerValue) -> Int { told(answer) - warnings(answer).count }

    /// The warnings, one a line: what is reported as a problem, and is no mistake.
    static func warnings(_ answer: AnswerValue, _ messages: Messages) -> [String] {
        warnings(answer).map { "\(messages.configurationWarning): \(line($0))" }
    }

    private static func warnings(_ answer: AnswerValue) -> [AnswerValue] {
        answer[StatusResult.problems].filter { $0[Problem.warning] ?? false }
    }

    private static func told(_ answer: AnswerValue) -> Int {
        let told: Int64? = answer[StatusResult.problemsTotal]
        return max(Int(clamping: told ?? 0), answer[StatusResult.problems].count)
    }

    /// `/etc/claimsd/collections.d/books.json5:3:5: source.url: expected an address`
    private static func line(_ problem: AnswerValue) -> String {
        var text = problem[Problem.file] ?? ""
        if let line = problem[Problem.line] { text += ":\(line)" }
        if let column = problem[Problem.column] { text += ":\(column)" }
        if let key = problem[Problem.key], !key.isEmpty { text += ": \(key)" }
        return Escaping.line("\(text): \(problem[Problem.message] ?? "")")
    }
}
