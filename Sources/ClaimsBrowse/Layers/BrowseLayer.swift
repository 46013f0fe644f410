// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient

/// A screen, sheet, input or question over a tab.
///
/// The states are types of their own in this folder.
enum BrowseLayer: Sendable {
    /// A record with all its fields; from 120 columns beside the list, else instead of it.
    case detail(DetailState)
    /// The table of keys.
    case help(HelpState)
    /// A choice among entries: orders, views, actions.
    case sheet(SheetState)
    /// A line of input: search, filter.
    case input(InputState)
    /// A question that y answers.
    case question(QuestionState)
    /// A form of an action.
    case form(FormState)
    /// A deal, which is celebrated for a second.
    case deal(DealState)
}
