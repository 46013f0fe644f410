// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// The text for counts and sizes.
public enum Numbers {
    /// The number with a comma between groups of three digits: `1,234,567`.
    public static func grouped(_ number: Int64) -> String {
        let digits = Array(String(number.magnitude))
        var text = number < 0 ? "-" : ""
        for (index, digit) in digits.enumerated() {
            if index > 0, (digits.count - index) % 3 == 0 { text += "," }
            text.append(digit)
        }
        return text
    }

    /// The number with its noun: `1 record`, `22 books`. Every number but 1 takes the plural.
    public static func count(_ number: Int64, _ singular: String, _ plural: String) -> String {
        "\(grouped(number)) \(number == 1 ? singular : plural)"
    }

    /// A size in bytes in the largest binary unit up to TiB, with one decimal below 100: `1.4 MiB`. A negative size
    /// counts as 0.
    public static func bytes(_ number: Int64) -> String {
        var size = Double(max(0, number))
        var power = 0
        let names = ["B", "KiB", "MiB", "GiB", "TiB"]
        while size >= 1024, power < names.count - 1 {
            size /= 1024
            power += 1
        }
        if power == 0 || size >= 100 { return "\(Int64(size.rounded())) \(names[power])" }
        let tenths = Int64((size * 10).rounded())
        return "\(tenths / 10).\(tenths % 10) \(names[power])"
    }
}
