// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsHTTP
import ClaimsJSON
import ClaimsModel
import ClaimsStore

extension RefreshRun {
    /// Makes the second request, if there is one. Its failure is no failure of the refresh: the values of the last
    /// good one stay.
    func join(_ view: CollectionView) -> JoinResult {
        let known = view.condition.source
        var result = JoinResult()
        guard let target = FetchTarget.join(of: view.definition, limits: settings.transfer) else {
            // Switched off: what it had filled is to go.
            result.isDropped = known.joinHash != nil
            result.isChanged = result.isDropped
            result.isAnswered = true
            return result
        }
        let isKnown = known.joinHash != nil && known.joinValidators.key == target.key
        do throws(FetchFailure) {
            let answer = try context.fetcher.fetch(
                target, validators: isKnown && !options.force ? known.joinValidators.http : nil,
                cancellation: cancellation)
            result.isAnswered = true
            result.hash = answer.isNotModified ? known.joinHash : answer.hash(key: target.key)
            result.validators = SourceRow.Validators(answer, key: target.key, known: known.joinValidators)
            guard !answer.isNotModified, result.hash != known.joinHash else { return result }
            result.table = try table(answer, target, view.definition)
            result.isChanged = true
        } catch {
            result.isAnswered = false
            result.failure = error
        }
        return result
    }

    private func table(
        _ answer: FetchedPages, _ target: FetchTarget, _ definition: Definition
    ) throws(FetchFailure) -> JoinTable? {
        var table = JoinTable(definition: definition)
        for page in answer.pages {
            do throws(IntakeError) {
                try page.withBytes { bytes throws(IntakeError) in
                    try Self.read(bytes, target, into: &table)
                }
            } catch { throw FetchFailure(error, root: target.root) }
        }
        return table
    }

    private static func read(_ bytes: RawSpan, _ target: FetchTarget, into table: inout JoinTable?) throws(IntakeError)
    {
        var elements: JSONElements
        do throws(JSONRootError) { elements = try JSONElements(bytes, root: target.root) } catch {
            throw IntakeError(error)
        }
        var tape = JSONTape()
        var count = 0
        while true {
            let element: JSONElements.Element?
            do throws(JSONError) { element = try elements.next(into: &tape) } catch { throw .notJSON(error) }
            guard let element else { return }
            count += 1
            guard count <= target.limits.records else { throw .tooManyRecords(target.limits.records) }
            if case .value = element { _ = table?.add(tape, bytes) }
        }
    }
}
