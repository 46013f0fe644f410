// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// The sentences of failed refreshes. `{0}` and `{1}` are particulars; no sentence ends in a full stop, because most
/// are shown inside another one. The raw value is kept on disk.
public enum Sentence: String, Sendable, Hashable, CaseIterable {
    /// {0}: the address as configured or as the upstream gave it.
    case invalidURL = "invalid_url"
    /// {0}: why.
    case unreachable
    /// {0}: why.
    case tls
    /// {0}: seconds.
    case connectTimeout = "connect_timeout"
    case firstByteTimeout = "first_byte_timeout"
    case transferTimeout = "transfer_timeout"
    /// {0}: the status and its phrase, as in `404 Not Found`.
    case httpStatus = "http_status"
    /// {0}: the limit.
    case tooManyRedirects = "too_many_redirects"
    /// {0}: where to.
    case forbiddenRedirect = "forbidden_redirect"
    /// {0}: bytes.
    case bodyTooLarge = "body_too_large"
    /// {0}: records.
    case tooManyRecords = "too_many_records"
    /// {0}: times.
    case expandsTooMuch = "expands_too_much"
    /// {0}: bytes that came, {1}: bytes announced.
    case truncated
    /// {0}: what is wrong.
    case `protocol`
    case unaskedNotModified = "unasked_not_modified"
    /// {0}: what is wrong.
    case encoding
    /// {0}: what is wrong and where.
    case notJSON = "not_json"
    /// {0}: the kind of value found.
    case rootNotArray = "root_not_array"
    /// {0}: a JSON Pointer, {1}: the kind of value found.
    case pointerNotArray = "pointer_not_array"
    /// {0}: a JSON Pointer.
    case pointerMissing = "pointer_missing"
    /// {0}: the credential's name.
    case credentialMissing = "credential_missing"
    /// {0}: the credential's name, {1}: why.
    case credentialUnreadable = "credential_unreadable"
    /// {0}: the path, {1}: why.
    case file
    /// {0}: the sentence of what happened there.
    case join
    /// {0}: records now, {1}: records before.
    case heldShrunk = "held_shrunk"
    /// {0}: records before.
    case heldEmpty = "held_empty"
    /// {0}: records in quarantine, {1}: all records.
    case heldQuarantined = "held_quarantined"
    case storageFull = "storage_full"
    /// {0}: what happened.
    case other
}
