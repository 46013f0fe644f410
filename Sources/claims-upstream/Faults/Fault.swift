// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// The faults of an upstream, and some unusual answers that are correct.
enum Fault: String, CaseIterable {
    /// The file, as it should be.
    case none
    /// Answers `status` and nothing else.
    case status
    // Time
    /// Reads the request and never answers.
    case hang
    /// Sends all headers and then nothing.
    case hangAfterHeaders = "hang_after_headers"
    /// One byte of the headers each `delay_ms`.
    case slowHeaders = "slow_headers"
    /// `bytes` of the body each `delay_ms`.
    case drip
    // Connections
    /// Closes without an answer.
    case close
    /// Resets without an answer.
    case reset
    case closeMidHeaders = "close_mid_headers"
    case closeMidBody = "close_mid_body"
    case resetMidBody = "reset_mid_body"
    // Lengths
    /// Promises more than it sends.
    case lengthLong = "length_long"
    /// Promises less than it sends.
    case lengthShort = "length_short"
    case lengthInvalid = "length_invalid"
    /// Two that differ.
    case lengthTwice = "length_twice"
    /// None: the body ends with the connection. Correct.
    case noLength = "no_length"
    /// Correct.
    case chunked
    case chunkedBroken = "chunked_broken"
    case chunkedCut = "chunked_cut"
    // Headers
    case endlessHeaders = "endless_headers"
    /// One header of `bytes`.
    case hugeHeader = "huge_header"
    /// 103 after 103.
    case endlessInterim = "endless_interim"
    case notHTTP = "not_http"
    // Bodies
    case html
    case empty
    case noContent = "no_content"
    case truncatedJSON = "truncated_json"
    /// `bytes` of noise.
    case garbage
    case nan
    /// `depth` arrays, one in the other.
    case deep
    /// A record with a string of `bytes`.
    case longString = "long_string"
    case duplicateKeys = "duplicate_keys"
    /// `count` records.
    case manyRecords = "many_records"
    case endlessBody = "endless_body"
    // Encodings
    /// Correct.
    case gzip
    /// A body that is not gzip, though the header declares it.
    case gzipWrong = "gzip_wrong"
    case gzipCut = "gzip_cut"
    /// `bytes` of white space in an array, a thousandth of that on the wire.
    case gzipBomb = "gzip_bomb"
    case unknownEncoding = "unknown_encoding"
    // Redirects and validators
    /// To `location`; without one to itself, `count` times, or for ever.
    case redirect
    /// 304, for any request.
    case notModified = "not_modified"
    /// Another ETag for each answer, and never a 304.
    case etagChanges = "etag_changes"
    /// The records in pages of `size`.
    case paged

    /// Whether a write is done although its answer is wrong, unless the step sets the number of times.
    var commits: Bool {
        switch self {
        case .status, .hang, .close, .reset, .redirect, .notModified: false
        default: true
        }
    }

    /// Whether 304 may be answered; a fault of the body needs a body.
    var respectsConditions: Bool {
        switch self {
        case .etagChanges, .hangAfterHeaders, .slowHeaders, .drip, .closeMidHeaders, .closeMidBody, .resetMidBody,
            .lengthLong, .lengthShort, .lengthInvalid, .lengthTwice, .chunkedBroken, .chunkedCut, .endlessBody:
            false
        default: true
        }
    }
}
