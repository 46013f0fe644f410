// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// What `--color` names.
public enum ColorMode: String, CaseIterable, Sendable {
    case auto, always, never
}
