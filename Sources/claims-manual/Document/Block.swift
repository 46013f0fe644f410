// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// A piece of a page. Texts are Markdown's inline forms: `code`, **strong**, *emphasis*, [links](https://example.org)
/// and `<doc:Page>`.
public enum Block: Equatable, Sendable {
    /// The title of the page is level 1.
    case heading(level: Int, String)
    case paragraph(String)
    case code([String])
    case list([String], isNumbered: Bool)
    case table(header: [String], rows: [[String]])
    /// A part that is made from the program's own tables, by its name.
    case generated(String)
}
