// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsClient
import ClaimsModel
import ClaimsPlatform
import ClaimsTerminal

/// A batch as a whole message (RFC 5322), with the line ends of SMTP. The same batch gives the same message.
struct MailMessage {
    /// The sender and the recipients.
    struct Addresses {
        let from: String
        let to: [String]

        /// Takes the first word as the sender, and the others as recipients.
        init(_ words: [String]) throws(CommandError) {
            guard words.count >= 2 else {
                throw .usage(
                    UsageError(
                        en: "--mail needs a sender and a recipient", pl: "--mail wymaga nadawcy i odbiorcy",
                        hint: TranslatedText(
                            en: "for example: claimsctl trigger text --mail claimsd@example.org clerk@example.org",
                            pl: "na przykład: claimsctl trigger text --mail claimsd@example.org clerk@example.org")))
            }
            for word in words where !Self.isAddress(word) {
                throw .usage(
                    UsageError(
                        en: "'\(word)' is no address: expected NAME@HOST", pl: "„\(word)” nie jest adresem: NAZWA@HOST")
                )
            }
            from = words[0]
            to = Array(words.dropFirst())
        }

        /// Whether a word can be in a header as it is: nothing in it ends the line or begins another address.
        private static func isAddress(_ word: String) -> Bool {
            let special = Array("<>(),;:\\\"[]".utf8)
            let parts = word.utf8.split(separator: UInt8(ascii: "@"), omittingEmptySubsequences: false)
            return parts.count == 2 && parts.allSatisfy { !$0.isEmpty }
                && word.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && !special.contains($0) }
        }

        /// The host of the sender.
        fileprivate var host: Substring { from.split(separator: "@").last ?? "localhost" }
    }

    private let addresses: Addresses
    private let batch: BatchSummary
    private let text: NoticeText
    private let time: LocalTime

    init(_ batch: BatchSummary, text: NoticeText, between addresses: Addresses, _ time: LocalTime) {
        self.addresses = addresses
        self.batch = batch
        self.text = text
        self.time = time
    }

    /// The characters of a line of base64, and the bytes of a word of a header (RFC 2045, RFC 2047).
    private static let lineLength = 76
    private static let wordSize = 42

    var bytes: [UInt8] {
        let at = (batch.heading[BatchHeader.at] as AnswerValue?)?.string.flatMap { Instant.parse($0)?.ms } ?? time.now
        let id = batch.heading[BatchHeader.batch] ?? ""
        let headers = [
            ("From", addresses.from), ("To", addresses.to.joined(separator: ",\r\n ")),
            ("Subject", Self.encoded(text.subject)), ("Date", date(at)),
            ("Message-ID", "<\(id)@\(addresses.host)>"), ("MIME-Version", "1.0"),
            ("Content-Type", "text/plain; charset=utf-8"), ("Content-Transfer-Encoding", "base64"),
            ("Auto-Submitted", "auto-generated"),
        ]
        var message = headers.map { "\($0): \($1)\r\n" }.joined() + "\r\n"
        let lines = text.body.split(separator: "\n", omittingEmptySubsequences: false).joined(separator: "\r\n")
        var rest = Base64.encode(Array(lines.utf8))[...]
        while !rest.isEmpty {
            message += rest.prefix(Self.lineLength) + "\r\n"
            rest = rest.dropFirst(Self.lineLength)
        }
        return Array(message.utf8)
    }

    /// A text as words of a header, each of whole characters.
    private static func encoded(_ text: String) -> String {
        if text.utf8.count < lineLength - 10, text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) { return text }
        var words: [[UInt8]] = [[]]
        for character in text.unicodeScalars {
            let bytes = Array(String(character).utf8)
            if words[words.count - 1].count + bytes.count > wordSize { words.append([]) }
            words[words.count - 1] += bytes
        }
        return words.map { "=?utf-8?B?\(Base64.encode($0))?=" }.joined(separator: "\r\n ")
    }

    /// The date as mail has it, in the user's zone: `Wed, 25 Nov 2026 08:00:00 +0100`.
    private func date(_ ms: Int64) -> String {
        let civil = time.zone.civil(ms)
        let days = GregorianCalendar.days(year: civil.year, month: civil.month, day: civil.day)
        // 1970-01-01 was a Thursday.
        let weekday = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"][((days % 7) + 7) % 7]
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let minutes = abs(civil.offset) / 60
        let offset = "\(civil.offset < 0 ? "-" : "+")\(two(minutes / 60))\(two(minutes % 60))"
        return
            "\(weekday), \(civil.day) \(months[civil.month - 1]) \(civil.year) \(two(civil.hour)):\(two(civil.minute)):"
            + "\(two(civil.second)) \(offset)"
    }
}
