// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// A block of a page, whose texts are in Markdown's inline forms.
///
/// The forms are `code`, **strong**, *emphasis*, [links](https://example.org) and `<doc:Page>`.
public enum Block: Equatable, Sendable {
    /// A heading; level 1 is the title of the page.
    case heading(level: Int, String)
    case paragraph(String)
    case code([String])
    case list([String], isNumbered: Bool)
    case table(header: [String], rows: [[String]])
    /// A part of the page that is made from the program's own tables, by the name of the part.
    case generated(String)
}

/// The reason why no manual could be made.
public struct ManualError: Error, CustomStringConvertible {
    /// The reason as one sentence for people.
    public let description: String

    /// Makes an error from its sentence.
    public init(_ description: String) {
        self.description = description
    }
}
