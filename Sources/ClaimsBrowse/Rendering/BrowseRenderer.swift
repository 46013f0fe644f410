// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsScreen

/// The screen of a state; pure.
enum BrowseRenderer {
    static func frame(of state: BrowseState) -> Frame { Frame(state.size) }
}
