// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsPlatform

/// A file, or the records of a store, and the validators (RFC 9110, section 8.8).
struct ServedFile {
    let bytes: [UInt8]
    /// Seconds since 1970; nil if that is not known.
    var modified: Int64?
    /// The form of the entity tag.
    var tag = Tag.strong

    /// The forms of an entity tag.
    enum Tag: String, CaseIterable {
        case strong, weak, none
    }

    /// The entity tag, with the hash of the bytes; nil if it has none.
    var etag: String? {
        guard tag != .none else { return nil }
        let digest = ContentHash.digest(of: bytes.rawSpan)
        let prefix = tag == .weak ? "W/" : ""
        return "\(prefix)\"\(String(digest.high, radix: 36))\(String(digest.low, radix: 36))\""
    }

    var lastModified: String? { modified.map(Self.date) }

    /// Formats an HTTP date (RFC 9110, section 5.6.7): "Sun, 06 Nov 1994 08:49:37 GMT".
    /// - Parameter seconds: since 1970; not negative.
    static func date(_ seconds: Int64) -> String {
        let days = Int(seconds / 86400)
        let second = Int(seconds % 86400)
        let (year, month, dayOfMonth) = GregorianCalendar.date(days: days)
        let weekdays = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        let two = { (number: Int) in (number < 10 ? "0" : "") + String(number) }
        let day = two(dayOfMonth)
        let time = "\(two(second / 3600)):\(two(second / 60 % 60)):\(two(second % 60))"
        return "\(weekdays[days % 7]), \(day) \(months[month - 1]) \(year) \(time) GMT"
    }
}
