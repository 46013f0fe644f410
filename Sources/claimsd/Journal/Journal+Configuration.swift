// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsStore
import ClaimsSystemd

extension Journal {
    /// Writes that there is a mistake in the configuration, or that something is missing; once, until it is mended.
    func log(_ problem: ConfigurationProblem) {
        if problem.isWarning {
            return log.write(.warning, "the configuration lacks a folder", fields: fields(of: problem))
        }
        log.write(
            .error, "there is a mistake in the configuration", event: .configurationMistaken,
            fields: fields(of: problem))
    }

    /// Writes that a mistake in the configuration is there no longer.
    func logMended(_ problem: ConfigurationProblem) {
        if problem.isWarning {
            return log.write(.notice, "a folder of the configuration is there again", fields: [.path(problem.file)])
        }
        log.write(
            .notice, "a mistake in the configuration is mended", event: .configurationMended,
            fields: fields(of: problem))
    }

    /// Writes the obstacle to this host's part in the fleet.
    func log(fleet message: String) {
        log.write(.error, "this host does not do its part in the fleet", fields: [.reason(message)])
    }

    /// Writes the outcome of a reload.
    ///
    /// - Parameter problems: the number of mistakes that are left after it.
    func logReload(problems: Int) {
        if problems == 0 { return log.write(.notice, "the configuration was reloaded", event: .reloaded) }
        log.write(
            .warning, "the configuration is in force except for its mistakes", event: .reloadRejected,
            fields: [LogField("PROBLEMS", String(problems))])
    }

    /// Writes that the configuration in force could not be written to the state database.
    func logNotKept(_ error: StoreError) {
        if error.code == .storageFull { return logNoRoom(for: Self.configuration, error.message) }
        log.write(.error, "what is in force could not be kept", fields: [.reason(error.message)])
    }

    /// Records that the configuration in force is in the state database.
    func logKept() { logRoom(for: Self.configuration) }

    private func fields(of problem: ConfigurationProblem) -> [LogField] {
        (problem.collection.map { [.collection($0)] } ?? []) + [.path(problem.file), .reason(problem.description)]
    }

    /// The entry for the configuration in force in the set of subjects; no collection can have this name.
    private static let configuration = "/configuration"
}
