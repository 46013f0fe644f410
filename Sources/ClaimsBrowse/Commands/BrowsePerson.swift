// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsPlatform
import ClaimsTerminal

/// The settings of the person at the screen: language, time zone and colours.
struct BrowsePerson: Sendable {
    /// The language of texts and labels, such as `pl`; nil for the daemon's own.
    var language: String?
    var zone: TimeZoneRules
    /// The IANA name of the zone, which filters with days need.
    var zoneName: String
    /// Whether colours may be used.
    var isColored: Bool
    /// The systemd unit of the daemon; nil where it is not known.
    var unit: DaemonUnit?
    /// The characters of plots.
    var plots = PlotStyle.blocks

    init(language: String?, zone: TimeZoneRules, zoneName: String, isColored: Bool) {
        self.language = language
        self.zone = zone
        self.zoneName = zoneName
        self.isColored = isColored
    }
}
