// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsPlatform
import ClaimsTerminal

/// The person before the screen: language, clock, and how the terminal is to look.
struct BrowsePerson: Sendable {
    /// The language of texts and labels, such as `pl`; nil for the daemon's own.
    var language: String?
    var zone: TimeZoneRules
    /// The IANA name of the zone, which filters with days need.
    var zoneName: String
    /// Whether colours may be used.
    var isColored: Bool
    /// The characters of plots.
    var plots = PlotStyle.blocks

    init(language: String?, zone: TimeZoneRules, zoneName: String, isColored: Bool) {
        self.language = language
        self.zone = zone
        self.zoneName = zoneName
        self.isColored = isColored
    }
}
