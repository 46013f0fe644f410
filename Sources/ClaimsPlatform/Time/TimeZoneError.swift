// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// Why a time zone cannot be used.
public enum TimeZoneError: Error, Equatable, Sendable {
    /// Not a name as IANA gives them, or one that points out of the folder.
    case badName
    /// No such zone on this machine.
    case unknown
    /// The file is not TZif (RFC 8536), is damaged, or counts leap seconds.
    case unreadable
}
