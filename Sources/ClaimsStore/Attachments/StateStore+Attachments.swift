// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel

/// Submissions that bring files.
extension StateStore {
    /// As ``submit(_:completion:)``, with the files of the submission's uploads.
    ///
    /// The uploads are the submission's until it is decided. They end with the commit; otherwise they can be submitted
    /// again.
    public func submit(
        _ submission: Submission, with attachments: AttachmentStore,
        completion: @escaping @Sendable (Result<SubmitOutcome, SubmitRefusal>) -> Void
    ) {
        let uploads = submission.uploads
        guard !uploads.isEmpty else { return submit(submission, completion: completion) }
        var claimed = submission
        do throws(AttachmentError) {
            claimed.files = try attachments.claim(uploads, uid: submission.uid, collection: submission.collection)
        } catch {
            return refuse(submission, completion: completion)
        }
        submit(claimed) { result in
            if case .success(let outcome) = result, outcome.hasCommitted, !submission.isDryRun {
                attachments.consume(uploads)
            } else {
                attachments.release(uploads)
            }
            completion(result)
        }
    }

    /// Refuses a submission with an upload that cannot be used, and tells its other problems too.
    ///
    /// A known operation is answered all the same: its uploads ended when it was first submitted.
    private func refuse(
        _ submission: Submission, completion: @escaping @Sendable (Result<SubmitOutcome, SubmitRefusal>) -> Void
    ) {
        let definition = catalog.current()[submission.collection]?.definition
        let index = definition?.writes?.attachments?.field
        let field = index.flatMap { definition?.fields[$0].name } ?? "attachments"
        var trial = submission
        trial.isDryRun = true
        submit(trial) { result in
            switch result {
            case .success(let outcome) where outcome.isRepeated: completion(result)
            case .failure(.noCollection), .failure(.notOffered), .failure(.knownOperation), .failure(.store):
                completion(result)
            case .failure(.invalid(let problems)):
                // How many files there are is not known without the upload.
                let others = problems.filter { $0.field != field || $0.kind != .count }
                completion(.failure(.invalid(others + [Self.unusableUpload(field)])))
            default: completion(.failure(.invalid([Self.unusableUpload(field)])))
            }
        }
    }

    private static func unusableUpload(_ field: String) -> FieldProblem {
        FieldProblem(
            field, .unknown,
            ErrorText(
                en: "there is no such upload, or it is not whole",
                pl: "nie ma takiego przesłanego pliku lub nie jest cały"),
            hint: ErrorText(
                en: "an upload ends with its connection until it is whole, when it is submitted, and after an hour",
                pl: "niedokończone przesyłanie kończy się wraz z połączeniem, a każde po użyciu pliku i po godzinie"))
    }
}

extension SubmitOutcome {
    /// Whether there is a commit that has the files: not where nothing changed.
    fileprivate var hasCommitted: Bool { isRepeated || state != .done || !changed.isEmpty }
}
