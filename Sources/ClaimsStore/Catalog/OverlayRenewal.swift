// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsPlatform
import Synchronization

/// The numbers of changes after which the older part of an overlay is built anew.
struct OverlayBounds: Sendable {
    /// The number of changes at which another thread begins to build it.
    var maxNewer = 32
    /// The number of changes beyond which a commit waits for it.
    var maxWaiting = 128

    /// The bounds in force. For tests, the variable `CLAIMSD_TEST_OVERLAY` has others: two numbers with a comma between.
    static let standard: OverlayBounds = {
        let numbers = (Environment["CLAIMSD_TEST_OVERLAY"] ?? "").split(separator: ",").compactMap { Int($0) }
        guard numbers.count == 2 else { return OverlayBounds() }
        return OverlayBounds(maxNewer: numbers[0], maxWaiting: numbers[1])
    }()
}

/// The state of building the older part of an overlay and of its successors. All threads may use it.
///
/// One thread begins with a published overlay, whose changes cannot be taken back, and builds the part. The next commit
/// adopts it and lays the later changes over it.
final class OverlayRenewal: Sendable {
    /// An older part, and the number of the last change in it.
    struct Renewed: Sendable {
        /// nil: no entries were left.
        var part: OverlayPart?
        var end: UInt64
    }

    private enum State {
        case idle
        case running
        case finished(Renewed)
    }

    private let state = Monitor(State.idle)

    /// The part that was built last, if none is being built. A published overlay may already use it.
    var finished: Renewed? {
        state.read { if case .finished(let renewed) = $0 { renewed } else { nil } }
    }

    /// Waits until no part is being built, and returns the part that was built last.
    func wait() -> Renewed? {
        state.wait(waking: .none) { state -> Renewed?? in
            switch state {
            case .idle: .some(nil)
            case .running: nil
            case .finished(let renewed): renewed
            }
        } ?? nil
    }

    /// Begins to build the older part of a published overlay anew.
    ///
    /// - Returns: nil if one is being built, or waits for the next commit.
    static func begin(_ overlay: RecordOverlay) -> RenewalTask? {
        let isFree = overlay.renewal.state.update(waking: .none) { state in
            if case .running = state { return false }
            if case .finished(let renewed) = state, renewed.end > overlay.olderEnd { return false }
            state = .running
            return true
        }
        return isFree ? RenewalTask(overlay) : nil
    }

    fileprivate func end(_ renewed: Renewed?) {
        state.update { $0 = renewed.map { .finished($0) } ?? .idle }
    }
}

/// One build of an older part. Without a result, the next commit keeps the existing older part.
final class RenewalTask: Sendable {
    private let overlay: RecordOverlay
    private let isOver = Atomic<Bool>(false)

    fileprivate init(_ overlay: RecordOverlay) {
        self.overlay = overlay
    }

    deinit {
        if !isOver.load(ordering: .acquiring) { overlay.renewal.end(nil) }
    }

    /// Builds the part, once; the next commit finds it. It must not run on the store's thread, which may wait for it.
    func run() {
        guard !isOver.exchange(true, ordering: .acquiringAndReleasing) else { return }
        do throws(StoreError) {
            let part = try OverlayPart.uniting(overlay.older, with: overlay.changes, overlay.definition)
            overlay.renewal.end(OverlayRenewal.Renewed(part: part, end: overlay.end))
        } catch {
            // If memory lacks, the commit that needs the part builds it itself, and fails if it cannot either.
            overlay.renewal.end(nil)
        }
    }
}
