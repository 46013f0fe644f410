// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsModel
import ClaimsStore
import ClaimsUpstream

/// Fetches the values that the records of a collection are joined with, on the calling thread.
struct JoinFetch {
    let fetcher: SourceFetcher
    let definition: Definition
    /// nil: there is no join, or it is off.
    let target: FetchTarget?
    let known: SourceRow
    /// The answer is wanted even if it is as it was.
    let isForced: Bool
    let cancellation: HTTPCancellation
    let meter: RefreshMeter

    /// Makes the request, if there is one. A failure is no failure of the refresh: the values of the last good answer
    /// stay.
    func run() -> JoinOutcome {
        guard let target else { return known.joinHash == nil ? .none : .dropped }
        let isKnown = known.joinHash != nil && known.joinValidators.key == target.key
        do throws(FetchFailure) {
            let pages = try fetcher.fetch(
                target, validators: isKnown && !isForced ? known.joinValidators.http : nil, cancellation: cancellation,
                meter: meter, isMain: false)
            var answer = JoinOutcome.Answer(hash: known.joinHash, validators: known.joinValidators)
            if !pages.isNotModified { answer.hash = pages.hash(key: target.key) }
            if !pages.isNotModified || !pages.validators.isEmpty {
                answer.validators = SourceRow.Validators(pages.validators, key: target.key)
            }
            if answer.hash == known.joinHash { return .unchanged(answer) }
            return .changed(try table(pages.pages, target), answer)
        } catch {
            return .failed(error)
        }
    }

    private func table(_ pages: [FetchedBody], _ target: FetchTarget) throws(FetchFailure) -> JoinTable? {
        var table = JoinTable(definition: definition)
        var count = 0
        for page in pages {
            do throws(IntakeError) {
                try page.withBytes { bytes throws(IntakeError) in
                    count = try Self.read(bytes, target, after: count, into: &table)
                }
            } catch { throw FetchFailure(error, root: target.root) }
        }
        return table
    }

    /// Reads one page.
    ///
    /// - Parameter count: the records of the pages before.
    /// - Returns: the records so far.
    private static func read(
        _ bytes: RawSpan, _ target: FetchTarget, after count: Int, into table: inout JoinTable?
    ) throws(IntakeError) -> Int {
        var elements: JSONElements
        do throws(JSONRootError) { elements = try JSONElements(bytes, root: target.root) } catch {
            throw IntakeError(error)
        }
        var tape = JSONTape()
        var count = count
        while true {
            let element: JSONElements.Element?
            do throws(JSONError) { element = try elements.next(into: &tape) } catch { throw .notJSON(error) }
            guard let element else { return count }
            count += 1
            guard count <= target.limits.records else { throw .tooManyRecords(target.limits.records) }
            if case .value = element { _ = table?.add(tape, bytes) }
        }
    }
}
