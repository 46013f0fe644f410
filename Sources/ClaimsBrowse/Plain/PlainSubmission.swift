// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsModel
import ClaimsPlatform
import ClaimsProtocol
import ClaimsTerminal

/// An operation in the making: its form and files; pure.
struct PlainSubmission {
    let action: OfferedAction
    var form: PlainForm
    /// The files that were sent for it, each with a line about it.
    var files: [(upload: String, line: String)] = []
    /// The hashes of the files that leave the record.
    var detached: [String] = []
    /// The files that are taken away, a line for each.
    var detachedLines: [String] = []
    private let base: SubmitParameters

    /// - Parameter base: what the parameters have whatever is typed, the UUID of the operation among it: it is the same
    ///   however often an answer is lost.
    init(_ action: OfferedAction, _ form: PlainForm, base: SubmitParameters) {
        self.action = action
        self.form = form
        self.base = base
    }

    /// The id of the record that is changed; nil where one is made.
    var id: String? { base.id?.text }

    /// Whether nothing was given.
    var isEmpty: Bool { form.values.isEmpty && files.isEmpty && detached.isEmpty }

    /// The request as it stands.
    func parameters(isDryRun: Bool) -> SubmitParameters {
        var parameters = base
        let values = form.values
        parameters.isDryRun = isDryRun
        parameters.fields = values.isEmpty ? nil : FieldValues(values)
        parameters.expect = id == nil || values.isEmpty ? nil : FieldValues(form.expected)
        parameters.attach = files.isEmpty ? nil : NameList(files.map(\.upload))
        parameters.detach = detached.isEmpty ? nil : NameList(detached)
        return parameters
    }

    /// The indices of the fields that problems name.
    func fields(with problems: [FieldProblemText]) -> [Int] {
        form.fields.indices.filter { index in problems.contains { $0.field == form.fields[index].name } }
    }

    /// Whether a problem is one of the files.
    func hasFileProblem(_ problems: [FieldProblemText]) -> Bool {
        action.files.map { limits in problems.contains { $0.field == limits.field } } ?? false
    }
}
