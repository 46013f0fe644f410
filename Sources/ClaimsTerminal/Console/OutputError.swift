// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import ClaimsPlatform

/// Why something could not be printed.
public enum OutputError: Error {
    /// Nobody reads any more: not worth a word.
    case closed
    case failed(SystemError)
}
