// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsSnapshot

/// Compares the checksums of files, and replaces damaged ones.
struct SnapshotVerifier: Sendable {
    private let context: OpeningContext
    private let repair: LostFileRepair
    private let builder: SnapshotBuilder
    private let bundles: BundleReader

    init(_ context: OpeningContext, repair: LostFileRepair, builder: SnapshotBuilder, bundles: BundleReader) {
        self.context = context
        self.repair = repair
        self.builder = builder
        self.bundles = bundles
    }

    /// See ``CollectionOpener/verify(_:)``.
    @discardableResult
    func verify(_ name: String) -> Bool {
        guard let view = context.view(name), let files = view.committed?.files else { return false }
        if view.condition.isVerified { return true }
        for layer in files.layers {
            do throws(StoreError) { try layer.snapshot.verify() } catch {
                // A snapshot that was replaced meanwhile may have lost its file, and is served no more.
                guard let view = context.view(name) else { return false }
                guard view.committed?.files.snapshots.contains(where: { $0 === layer.snapshot }) == true else {
                    continue
                }
                if view.condition.row.isBundle { return bundles.serve(view, isForced: true) }
                if layer.role != .base, repair.replace(in: view, from: layer.snapshot, because: error) {
                    return verify(name)
                }
                return builder.rebuild(view.definition, because: error)
            }
        }
        // The others are files that came meanwhile; this process wrote them.
        return context.store.catalog.recordVerification(of: name)
    }

    /// Whether the files that a new one replaces are sound; otherwise they are mended. A start compares the checksums
    /// of small files only, and those of the others beside serving, so a damaged file might otherwise get good
    /// checksums in the new file.
    func areSound(_ files: FileStack, from role: StackRole, of view: CollectionView) -> Bool {
        if view.condition.isVerified || files.isSound(from: role) { return true }
        verify(view.definition.name)
        return false
    }
}
