// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// The size of a terminal in cells.
public struct ScreenSize: Hashable, Sendable {
    public var columns: Int
    public var rows: Int

    /// The bounds of a screen; a larger terminal is used in part.
    public static let maxColumns = 1000
    public static let maxRows = 500

    public init(columns: Int, rows: Int) {
        self.columns = columns
        self.rows = rows
    }

    /// The size of a terminal that does not tell its own: 80 by 24.
    public static let standard = ScreenSize(columns: 80, rows: 24)

    /// The size that a terminal tells, within the bounds; 80 by 24 where it tells none.
    public init(told: (columns: Int, rows: Int)?) {
        guard let told, told.columns > 0, told.rows > 0 else {
            self = .standard
            return
        }
        self.init(columns: min(told.columns, Self.maxColumns), rows: min(told.rows, Self.maxRows))
    }
}
