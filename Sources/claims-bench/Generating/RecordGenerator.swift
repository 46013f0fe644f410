// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON

/// The shape of a generated collection. The same shape gives the same bytes on every machine.
struct CollectionShape: Hashable {
    var records: Int
    /// True if each record also has a unique term, as serial numbers and references are.
    var hasUniqueTerms = false
    /// One record in `changedOneIn` has another price; 0 for none.
    var changedOneIn = 0

    /// The name of the collection at claimsd.
    static let collection = "items"
    static let firstID = 10_000_000
    static let seed: UInt64 = 0xC1A1_3D5E_ED00_2026

    /// "100 k", "1 M unique".
    var name: String { Self.name(of: records) + (hasUniqueTerms ? " unique" : "") }

    static func name(of records: Int) -> String {
        switch records {
        case _ where records >= 1_000_000 && records % 1_000_000 == 0: "\(records / 1_000_000) M"
        case _ where records >= 1000 && records % 1000 == 0: "\(records / 1000) k"
        default: "\(records)"
        }
    }
}

/// Makes records of about 350 bytes of JSON, any of them at any time: a heading of some 6 words, a remark of some 25,
/// a phase, a price, a moment, a party, and an id.
struct RecordGenerator {
    /// A term at its position in a text.
    struct Token {
        let rank: UInt16
        /// The comma or full stop that follows.
        let mark: UInt8?
        let isCapital: Bool
    }

    /// The terms of one record's two texts.
    struct Text {
        var tokens: [Token] = []
        /// The number of tokens of the heading; the rest is the remark.
        var headingCount = 0
    }

    static let phases = ["queued", "active", "waiting", "settled", "closed"]
    /// The number of records in each phase, of 100.
    private static let phaseShares = [8, 25, 12, 35, 20]

    let shape: CollectionShape
    let lexicon: Lexicon

    static func id(_ record: Int) -> Int { CollectionShape.firstID + record }

    private func randomness(_ record: Int) -> Randomness {
        var random = Randomness(seed: CollectionShape.seed ^ UInt64(record) &* 0xD6E8_FEB8_6659_FD93)
        _ = random.next()
        return random
    }

    /// Draws the terms of a record; the same terms each time.
    func text(of record: Int, into text: inout Text) {
        var random = randomness(record)
        text.tokens.removeAll(keepingCapacity: true)
        text.headingCount = 4 + random.below(5)
        let count = text.headingCount + 15 + random.below(21)
        for index in 0..<count {
            let isLast = index == count - 1
            let isHeading = index < text.headingCount
            let mark: UInt8? = isLast ? 0x2E : !isHeading && random.below(9) == 0 ? 0x2C : nil
            let isFirst = index == 0 || index == text.headingCount
            text.tokens.append(Token(rank: lexicon.draw(&random), mark: mark, isCapital: isFirst))
        }
    }

    /// The unique term of a record. It is made of digits, so that no other term is part of it.
    static func uniqueTerm(_ record: Int) -> String {
        var random = Randomness(seed: UInt64(record) ^ 0x5EED)
        return "\(firstSerial + record)/\(1000 + random.below(9000))"
    }

    private static let firstSerial = 20_000_000

    /// A pseudo-random number for a field of a record; `salt` is the field.
    private func value(_ record: Int, _ salt: UInt64, below bound: Int) -> Int {
        var random = Randomness(seed: CollectionShape.seed &* 31 &+ UInt64(record) ^ salt << 40)
        return random.below(bound)
    }

    func phase(_ record: Int) -> Int {
        var rest = value(record, 1, below: 100)
        for (index, share) in Self.phaseShares.enumerated() {
            if rest < share { return index }
            rest -= share
        }
        return 0
    }

    /// The price in hundredths.
    func price(_ record: Int) -> Int {
        let isChanged = shape.changedOneIn > 0 && value(record, 2, below: shape.changedOneIn) == 0
        return value(record, 3, below: 200_000) + (isChanged ? 1 : 0)
    }

    /// Appends the record's JSON object.
    ///
    /// - Parameter party: another party than its own.
    func append(_ record: Int, party: String? = nil, text: inout Text, to out: inout JSONWriter) {
        self.text(of: record, into: &text)
        out.beginObject()
        out.member("id", String(Self.id(record)))
        out.member("heading", raw: quoted(text.tokens[..<text.headingCount], with: nil))
        let unique = shape.hasUniqueTerms ? Self.uniqueTerm(record) : nil
        out.member("remark", raw: quoted(text.tokens[text.headingCount...], with: unique))
        out.member("phase", Self.phases[phase(record)])
        let price = price(record)
        out.member("price", raw: Array("\(price / 100).\(price / 10 % 10)\(price % 10)".utf8))
        out.member("moment", moment(record))
        out.member("party", party ?? "p\(value(record, 5, below: 50_000))")
        out.endObject()
    }

    private func quoted(_ tokens: ArraySlice<Token>, with unique: String?) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(300)
        bytes.append(0x22)
        for token in tokens {
            if bytes.count > 1 { bytes.append(0x20) }
            let start = bytes.count
            bytes += lexicon.written[Int(token.rank)]
            if token.isCapital && bytes[start] < 0x80 { bytes[start] -= 0x20 }
            if let mark = token.mark { bytes.append(mark) }
        }
        if let unique { bytes += [0x20] + Array(unique.utf8) }
        bytes.append(0x22)
        return bytes
    }

    private func moment(_ record: Int) -> String {
        let second = value(record, 4, below: 365 * 86_400)
        let day = second / 86_400
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return "2025-\(two(day / 31 + 1))-\(two(day % 31 % 28 + 1))T\(two(second / 3600 % 24)):"
            + "\(two(second / 60 % 60)):\(two(second % 60))Z"
    }
}

/// The forms in which peers get records.
extension RecordGenerator {
    /// The record's JSON object.
    func document(_ record: Int, party: String? = nil, text: inout Text) -> [UInt8] {
        var writer = JSONWriter()
        writer.reserve(512)
        append(record, party: party, text: &text, to: &writer)
        return writer.bytes
    }

    /// The record's searched text as it is after folding, a line each for heading and remark.
    ///
    /// Engines that cannot fold search this text, so that they find the same records as claimsd.
    func foldedText(_ record: Int, text: inout Text) -> [UInt8] {
        self.text(of: record, into: &text)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(300)
        for (index, token) in text.tokens.enumerated() {
            if index > 0 { bytes.append(index == text.headingCount ? 0x0A : 0x20) }
            bytes += lexicon.foldedBytes[Int(token.rank)]
            if let mark = token.mark { bytes.append(mark) }
        }
        if shape.hasUniqueTerms { bytes += Array(" \(Self.uniqueTerm(record))".utf8) }
        return bytes
    }
}
