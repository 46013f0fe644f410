// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

package import ClaimsJSON
package import ClaimsModel
import ClaimsProtocol

/// Writes the mistakes of configuration files, as `status` and `try` tell them.
package enum ProblemWriter {
    /// Writes an array of the first mistakes, at most `StatusResult.maxProblems`.
    package static func write(_ problems: [ConfigurationProblem], to writer: inout JSONWriter) {
        typealias Problem = StatusResult.Problem
        writer.beginArray()
        for problem in problems.prefix(StatusResult.maxProblems) {
            writer.beginObject()
            if let collection = problem.collection { writer.member(Problem.collection, collection) }
            writer.member(Problem.file, problem.file)
            writer.member(Problem.line, problem.line.map { Int64($0) })
            writer.member(Problem.column, problem.column.map { Int64($0) })
            writer.member(Problem.key, problem.keyPath)
            writer.member(Problem.message, problem.message)
            if problem.isWarning { writer.member(Problem.warning, true) }
            writer.endObject()
        }
        writer.endArray()
    }
}
