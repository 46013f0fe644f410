// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// Whether archived records take part in a query.
public enum ArchivedMode: String, Sendable {
    case exclude, only, include
}
