// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

extension BinaryInteger {
    /// The number in decimal digits, in groups of three: `1,234,567`, `-12,345`.
    ///
    /// - Parameter separator: the text between two groups.
    public func grouped(by separator: String = ",") -> String {
        let digits = String(magnitude)
        var text = self < 0 ? "-" : ""
        for (index, digit) in digits.enumerated() {
            if index > 0, (digits.count - index).isMultiple(of: 3) { text += separator }
            text.append(digit)
        }
        return text
    }
}
