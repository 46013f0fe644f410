// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// Something that a key does. ``BrowseKeys`` says which key, and where.
public enum BrowseAction: String, CaseIterable, Sendable {
    case previousRecord, nextRecord, previousPage, nextPage, first, last, previousGroup, nextGroup
    case nextTab, previousTab
    /// Goes to the tab of the digit that was pressed: ``BrowseKeys/tabNumber(of:)``.
    case chooseTab
    case open, back, leave
    case search, filter, view, sort, archived
    case archive, undo
    case refresh, refreshAll, accept
    case copyID, copyRecord, openAddress
    case add, edit, actions, deal
    case followingRecord, precedingRecord, upstream
    case help, mouse, redraw, quit

    /// Whether it is about a row of the list, so that it waits while other rows are on their way.
    var needsRows: Bool {
        switch self {
        case .previousRecord, .nextRecord, .previousPage, .nextPage, .first, .last, .previousGroup, .nextGroup, .open,
            .archive, .copyID, .copyRecord, .openAddress, .edit, .actions, .followingRecord, .precedingRecord:
            true
        case .nextTab, .previousTab, .chooseTab, .back, .leave, .search, .filter, .view, .sort, .archived, .undo,
            .refresh,
            .refreshAll, .accept, .add, .deal, .upstream, .help, .mouse, .redraw, .quit:
            false
        }
    }
}

/// A part of the program in which keys have a meaning of their own.
///
/// Sheets, forms, input lines and questions read their keys themselves.
public enum BrowseArea: String, CaseIterable, Sendable {
    /// The records of a collection.
    case list
    /// Everything about one record.
    case detail
    /// The operations on their way to an upstream.
    case outbox
    /// The state of the daemon and its collections.
    case status
}

/// A tab of the screen.
public enum BrowseTab: Hashable, Sendable {
    /// A collection, by its name.
    case collection(String)
    case outbox
    case status
}
