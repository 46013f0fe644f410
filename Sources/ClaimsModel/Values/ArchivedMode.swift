// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// The treatment of archived records in a query. The raw value is the name in the protocol and on the command line.
public enum ArchivedMode: String, CaseIterable, Sendable {
    /// Archived records are left out.
    case exclude
    /// Only archived records are found.
    case only
    /// Archived records are found like others.
    case include
}
