// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// One thing that is wrong in the configuration, for the person who wrote it.
public struct ConfigurationProblem: Error, Sendable, Hashable, CustomStringConvertible {
    public let place: ConfigurationPlace
    /// What is wrong, what was expected, and if possible what was probably meant.
    public let message: String
    /// The collection that cannot be read because of it; nil: the daemon's settings.
    public let collection: String?

    public init(place: ConfigurationPlace, message: String, collection: String? = nil) {
        self.place = place
        self.message = message
        self.collection = collection
    }

    public var file: String { place.file }
    public var line: Int? { place.line }
    public var column: Int? { place.column }
    public var keyPath: String { place.keyPath }

    /// `FILE:LINE:COLUMN: KEY.PATH: MESSAGE`
    public var description: String {
        var text = place.file
        for number in [place.line, place.column] {
            guard let number else { break }
            text += ":\(number)"
        }
        if !place.keyPath.isEmpty { text += ": \(place.keyPath)" }
        return "\(text): \(message)"
    }
}
