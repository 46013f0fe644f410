// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// One thing that is wrong in the configuration, for the person who wrote it.
package struct ConfigurationProblem: Error, Sendable, Hashable, CustomStringConvertible {
    package let place: ConfigurationPlace
    /// What is wrong, what was expected, and if possible what was probably meant.
    package let message: String
    /// The collection that cannot be read because of it; nil: the daemon's settings.
    package let collection: String?

    package init(place: ConfigurationPlace, message: String, collection: String? = nil) {
        self.place = place
        self.message = message
        self.collection = collection
    }

    package var file: String { place.file }
    package var line: Int? { place.line }
    package var column: Int? { place.column }
    package var keyPath: String { place.keyPath }

    /// `FILE:LINE:COLUMN: KEY.PATH: MESSAGE`
    package var description: String {
        var text = place.file
        for number in [place.line, place.column] {
            guard let number else { break }
            text += ":\(number)"
        }
        if !place.keyPath.isEmpty { text += ": \(place.keyPath)" }
        return "\(text): \(message)"
    }
}
