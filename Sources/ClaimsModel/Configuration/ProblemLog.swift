// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// Collects the problems of one collection or of the settings while they are read. Everything is read to the end, so
/// that one look shows all that is wrong.
final class ProblemLog {
    private(set) var problems: [ConfigurationProblem] = []
    private let collection: String?

    init(collection: String?) {
        self.collection = collection
    }

    func add(_ message: String, at place: ConfigurationPlace) {
        problems.append(ConfigurationProblem(place: place, message: message, collection: collection))
    }

    /// The problems, file by file from the top down.
    var sorted: [ConfigurationProblem] {
        problems.sorted { left, right in
            if left.file != right.file { return left.file < right.file }
            return (left.line ?? 0, left.column ?? 0) < (right.line ?? 0, right.column ?? 0)
        }
    }
}
