// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import Synchronization

/// The head of this host: its entries, and the file that has them. Every call may be made on any thread.
final class HeadWriter: Sendable {
    private let folder: FleetFolder
    private let fleet: String
    private let issuer: Issuer
    /// Reads the private key. It is in memory while a head is signed.
    private let key: @Sendable () throws(FleetError) -> SigningKey
    private let state: Mutex<[SourceID: HeadEntry]>

    /// - Parameter earlier: the entries of this host's process before.
    init(
        _ folder: FleetFolder, fleet: String, issuer: Issuer, earlier: [SourceID: HeadEntry],
        key: @escaping @Sendable () throws(FleetError) -> SigningKey
    ) {
        self.folder = folder
        self.fleet = fleet
        self.issuer = issuer
        self.key = key
        state = Mutex(earlier)
    }

    var entries: [SourceID: HeadEntry] { state.withLock { $0 } }

    /// Changes entries, and writes the head that has them. After an error the next head has them.
    ///
    /// An entry that replaces another one must be issued later: otherwise the other hosts ignore it. Only `change` can
    /// check that, because two threads write.
    func write<Result>(_ change: (inout [SourceID: HeadEntry]) -> Result) throws(FleetError) -> Result {
        try state.withLock { entries throws(FleetError) in
            let result = change(&entries)
            let head = FleetHead(fleet: fleet, host: issuer.host, epoch: issuer.epoch, sources: entries)
            let file = try head.signed(by: try key())
            guard file.count <= FleetHead.maxSize else {
                throw FleetError("the head is over \(FleetHead.maxSize) bytes")
            }
            try folder.write(head: file)
            return result
        }
    }
}
