// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsPlatform
import ClaimsSnapshot

/// A collection of state.db whose files are mapped, or that has none and the reason, while its overlay is being made.
struct MappedCollection {
    private let definition: Definition
    private let marks: [ArchiveMarkChange]
    private var condition: CollectionCondition
    private var committed: CommittedRecords?
    /// The records that were written here.
    private var overlay: RecordOverlay?
    /// The overlay of the operations that wait for the upstream.
    private var starting: StartingOverlay?

    /// Maps the files of a collection, and begins to make its overlay.
    ///
    /// - Parameter now: in milliseconds since 1970.
    init(_ definition: Definition, _ loaded: LoadedState.Collection, _ stack: StackReader, at now: Int64) {
        self.definition = definition
        marks = loaded.marks
        condition = CollectionCondition(loaded, of: definition, at: now)
        if loaded.row.hasData {
            do throws(StoreError) {
                let (files, lost) = try stack.open(loaded.row, definition)
                condition.opened(
                    isVerified: files.snapshots.allSatisfy { $0.fileSize <= Snapshot.verifiedWhenOpened },
                    lostFile: lost)
                if loaded.row.isLocal {
                    overlay = try stack.written(loaded.row, over: files, definition)
                    committed = CommittedRecords(files)
                } else {
                    committed = CommittedRecords(files, recent: try stack.recent(loaded.row, over: files, definition))
                }
            } catch { condition.failed(error) }
        }
        if !loaded.operations.isEmpty, !loaded.row.isLocal {
            do throws(StoreError) {
                starting = StartingOverlay(
                    loaded.operations, over: committed, definition, joined: try stack.joined(of: loaded.row, definition)
                )
            } catch { condition.failed(error) }
        }
    }

    /// The view of the collection, once its overlay is there.
    func view() -> CollectionView {
        let marks = ArchiveOverlay.build(over: committed?.files, marks: marks)
        var (condition, overlay) = (condition, overlay)
        if let starting {
            do throws(StoreError) { overlay = try starting.finish() } catch { condition.failed(error) }
        }
        return CollectionView(
            definition: definition, committed: committed, archive: marks, condition: condition, overlay: overlay)
    }
}
