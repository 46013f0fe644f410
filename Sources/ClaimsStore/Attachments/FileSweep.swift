// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
public import ClaimsPlatform
import Synchronization

/// Has files removed soon after a record or an operation that had them may have let go of them.
///
/// A look for files that nothing has reads all records of this host, so that many changes share one. Safe on any thread.
public final class FileSweep: Sendable {
    /// The time for which changes are gathered.
    private static let delay: Duration = .seconds(2)

    private let loop: EventLoop
    private let attachments: AttachmentStore
    private let isDue = Atomic<Bool>(false)
    /// The number of files of unsettled operations.
    private let operationFiles = Atomic<Int>(0)
    private let action = Mutex<(@Sendable () -> Void)?>(nil)

    /// - Parameter loop: the event loop that waits for more changes.
    public init(_ loop: EventLoop, _ attachments: AttachmentStore) {
        self.loop = loop
        self.attachments = attachments
    }

    /// Sets what removes the files; it is called on the loop's thread.
    public func start(_ action: @escaping @Sendable () -> Void) { self.action.withLock { $0 = action } }

    /// Has files removed soon.
    public func ask() {
        guard attachments.keptBytes > 0, !isDue.exchange(true, ordering: .relaxed) else { return }
        loop.post { [self] in
            loop.schedule(after: Self.delay) { [self] in
                isDue.store(false, ordering: .relaxed)
                action.withLock { $0 }?()
            }
        }
    }

    /// Has files removed soon if operations with files are settled in `catalog`.
    public func inspect(_ catalog: Catalog) {
        let count = catalog.views.reduce(0) { count, view in
            view.condition.operations.reduce(count) { $0 + $1.operation.values.files.count }
        }
        if count < operationFiles.exchange(count, ordering: .relaxed) { ask() }
    }
}
