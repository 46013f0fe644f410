// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsPlatform
import ClaimsStore
import ClaimsSystemd

extension Journal {
    /// The shortest time for which a host wants no requests that is worth a line.
    private static let minFloor = Duration.seconds(60)

    /// Writes that a host wants no requests, if that is for long.
    func log(_ floor: HostFloor) {
        guard floor.until - SystemClock.wall >= Self.minFloor.wholeMilliseconds - 1000 else { return }
        log.write(
            .notice, "\(floor.host) wants no requests until \(Instant(ms: floor.until).text)", event: .hostClosed,
            fields: [.source(floor.host)])
    }

    /// Writes that it is not known which hosts want no requests.
    func log(unknownFloors error: StoreError) {
        log.write(.warning, "the floors of hosts could not be read", fields: [.reason(error.message)])
    }

    /// Writes that a restart will forget the wish of a host.
    func log(_ error: StoreError, notKeeping floor: HostFloor) {
        log.write(
            .warning, "until when \(floor.host) wants no requests could not be stored",
            fields: [.source(floor.host), .reason(error.message)])
    }
}
