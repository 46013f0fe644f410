// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsStore
import ClaimsUpstream

/// The part of an attempt that sources have which tell what has changed.
extension RefreshAttempt {
    /// Whether the answer has only what has changed.
    var isIncremental: Bool { if case .changes = request { true } else { false } }

    /// The records that the answer speaks for.
    var scope: AnswerScope { AnswerScope(site: source.site, isIncremental: isIncremental) }

    /// Forgets the position, so that the source is asked again for all records, at once.
    func forgetPosition() {
        var row = known
        row.position = nil
        do throws(StoreError) { try context.store.note(row, of: source.collection) } catch {
            // The disk is full: until there is room it is known in memory.
            context.store.show(row, of: source.collection)
        }
    }

    /// The token in the last page of an answer; nil where the source has none.
    func token(of answer: FetchedPages) throws(Interruption) -> String? {
        guard case .token(let pointer) = view.definition.source.since?.position, let page = answer.pages.last else {
            return nil
        }
        do throws(FetchFailure) {
            return try PositionToken.read(page, at: pointer, root: requests.records.root)
        } catch { throw .failed(error) }
    }
}

extension ReceivedAnswer {
    /// Whether the source was asked for the same as last time, by the same definition.
    var isSameRequest: Bool { attempt.known.validators.key == attempt.requests.records.key }

    /// The position of the source once the answer is taken.
    ///
    /// - Parameter found: the largest value of the field that names it.
    /// - Returns: nil where all records are to be asked for next.
    func position(found: String?) -> SourceRow.Position? {
        let (key, known) = (attempt.requests.records.key, attempt.isIncremental ? attempt.known.position : nil)
        // Records may be behind a page that was not there for a moment: they are asked for again, all of them where there is
        // no earlier position.
        if walks.second == nil, walks.first.end == .missingAfterFull { return known?.key == key ? known : nil }
        return attempt.plan?.position(after: token ?? found, known: known, key: key, clock: clock)
    }
}

extension CollectionCondition {
    /// The ids of the records whose delete the upstream has accepted, and that is still to be seen.
    var ownDeletions: Set<[UInt8]> {
        Set(
            operations.map(\.operation).filter { $0.action == .delete && $0.state == .accepted }
                .map { Array($0.record.utf8) })
    }
}
