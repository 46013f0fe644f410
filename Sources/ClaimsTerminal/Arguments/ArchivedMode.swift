// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// What `--archived` names, with the protocol's words.
public enum ArchivedMode: String, CaseIterable, Sendable {
    case exclude, only, include
}
