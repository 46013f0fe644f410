// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// A text in Prometheus' exposition format 0.0.4: families of samples, each with its help and type.
///
/// ```swift
/// var text = ExpositionText()
/// text.add(.records) { $0.add(["collection": "books"], 12) }
/// print(text.text)
/// ```
/// A family without samples is left out.
struct ExpositionText {
    /// The samples of one family, each a line.
    struct Family {
        fileprivate let name: String
        fileprivate var lines = ""

        /// Adds a sample; without a value there is none.
        mutating func add(_ value: Int64?) { add([:], value) }

        /// Adds a sample with labels, whose values may have any characters; without a value there is none.
        mutating func add(_ labels: KeyValuePairs<String, String>, _ value: Int64?) {
            if let value { add(labels, text: String(value)) }
        }

        /// Adds a sample of a time or a span, which is given in milliseconds and reported in seconds.
        mutating func add(_ labels: KeyValuePairs<String, String> = [:], ms: Int64?) {
            if let ms { add(labels, text: ExpositionText.seconds(ms)) }
        }

        private mutating func add(_ labels: KeyValuePairs<String, String>, text: String) {
            lines += name
            if !labels.isEmpty {
                let all = labels.map { "\($0.key)=\"\(ExpositionText.escaped($0.value))\"" }
                lines += "{\(all.joined(separator: ","))}"
            }
            lines += " \(text)\n"
        }
    }

    private(set) var text = ""

    /// Adds a family, unless it has no samples.
    mutating func add(_ family: MetricFamily, _ samples: (inout Family) -> Void) {
        let name = family.name
        var lines = Family(name: name)
        samples(&lines)
        if lines.lines.isEmpty { return }
        text += "# HELP \(name) \(family.help)\n# TYPE \(name) \(family.kind.rawValue)\n\(lines.lines)"
    }

    /// Milliseconds as seconds, without zeros at the end: `1764109000.5`.
    static func seconds(_ ms: Int64) -> String {
        let (whole, rest) = (ms.magnitude / 1000, ms.magnitude % 1000)
        var text = (ms < 0 ? "-" : "") + String(whole)
        if rest > 0 {
            var digits = String(rest + 1000).dropFirst()
            while digits.hasSuffix("0") { digits.removeLast() }
            text += ".\(digits)"
        }
        return text
    }

    /// The value of a label: a backslash, a quote and a line break are escaped.
    fileprivate static func escaped(_ value: String) -> String {
        var text = ""
        for scalar in value.unicodeScalars {
            switch scalar {
            case "\\": text += "\\\\"
            case "\"": text += "\\\""
            case "\n": text += "\\n"
            default: text.unicodeScalars.append(scalar)
            }
        }
        return text
    }
}
