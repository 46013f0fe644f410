// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// The lines of the uppermost layer, or of a tab without a list, as far as they do not fit on the screen.
struct LayerGeometry {
    /// The maximum first line that is shown, so that nothing scrolls past its end.
    let maxScroll: Int

    init(_ state: BrowseState) { maxScroll = 10_000 }
}
