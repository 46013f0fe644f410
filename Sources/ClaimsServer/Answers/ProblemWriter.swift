// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

package import ClaimsJSON
package import ClaimsModel
import ClaimsProtocol

/// Writes the mistakes of configuration files, as `status` and `try` list them.
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

/// Writes the values and members of an upstream that a definition does not know.
package enum DriftWriter {
    /// Writes `{"values":[…],"members":[…],"types":[…],"unlisted":N}`.
    ///
    /// - Parameter time: when the upstream last confirmed the data, in milliseconds since 1970.
    package static func write(_ drift: DriftReport, confirmedAt time: Int64?, to writer: inout JSONWriter) {
        writer.beginObject()
        writer.key(StatusResult.Drift.values)
        writer.beginArray()
        for entry in drift.newValues {
            writer.beginObject()
            writer.member(StatusResult.Drift.NewValue.field, entry.field)
            writer.member(StatusResult.Drift.NewValue.value, entry.value)
            writer.member(StatusResult.Drift.NewValue.count, entry.sight.count)
            write(entry.sight, confirmedAt: time, to: &writer)
            writer.endObject()
        }
        writer.endArray()
        writer.key(StatusResult.Drift.members)
        writer.beginArray()
        for entry in drift.newMembers {
            writer.beginObject()
            writer.member(StatusResult.Drift.NewMember.name, entry.name)
            writer.member(StatusResult.Drift.NewMember.count, entry.sight.count)
            write(entry.sight, confirmedAt: time, to: &writer)
            writer.endObject()
        }
        writer.endArray()
        writer.key(StatusResult.Drift.types)
        writer.beginArray()
        for entry in drift.typeChanges {
            writer.beginObject()
            writer.member(StatusResult.Drift.TypeChange.field, entry.field)
            writer.member(StatusResult.Drift.TypeChange.expected, entry.expected.rawValue)
            let found = entry.isAhead ? StatusResult.Drift.TypeChange.future : kind(entry.found)
            writer.member(StatusResult.Drift.TypeChange.found, found)
            writer.member(StatusResult.Drift.TypeChange.count, entry.sight.count)
            write(entry.sight, confirmedAt: time, to: &writer)
            writer.endObject()
        }
        writer.endArray()
        writer.member(StatusResult.Drift.unlisted, drift.unlisted)
        writer.endObject()
    }

    private static func write(_ sight: DriftSight, confirmedAt time: Int64?, to writer: inout JSONWriter) {
        writer.key(StatusResult.Drift.firstSeen)
        writer.instant(sight.firstSeen)
        writer.key(StatusResult.Drift.lastSeen)
        writer.instant(sight.lastSeen(confirmedAt: time))
        writer.member(StatusResult.Drift.example, sight.example)
    }

    /// The JSON type of a value, as JSON Schema names it.
    private static func kind(_ kind: JSONKind) -> String {
        switch kind {
        case .object: "object"
        case .array: "array"
        case .string: "string"
        case .number: "number"
        case .true, .false: "boolean"
        case .null: "null"
        }
    }
}
