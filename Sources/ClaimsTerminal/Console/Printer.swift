// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

package import ClaimsClient

/// Prints what commands have to show in one output format.
///
/// A command gives the forms that any format needs, and the printer chooses among them:
/// ```swift
/// try printer.print(Presentation(answer, rows: rows))
/// ```
/// The output goes to a ``Console``, in the order of the calls.
protocol Printer: AnyObject {
    /// Whether the records of a list, or of `detail`, can be printed without a description of their collection.
    var need: DescriptionNeed { get }
    /// The only fields of a record that are printed; nil for those that were asked for.
    var onlyFields: [String]? { get }
    /// Whether the counts of a list's facets have a place beside its records.
    var canShowFacets: Bool { get }

    /// Prints the result of one command.
    func print(_ presentation: Presentation) throws(OutputError)

    /// Prints a part of the result of one command: rows that go on where those of the part before end.
    func printPart(_ presentation: Presentation, isFirst: Bool) throws(OutputError)

    /// Begins a list of records; its pages follow. A list that was begun before and not ended is forgotten.
    func begin(_ list: RecordList) throws(OutputError)
    /// Prints one page: the result of `search` or `sort`.
    func printPage(_ answer: AnswerValue) throws(OutputError)
    /// Ends the list: all pages have been printed.
    func endList() throws(OutputError)

    /// Prints one record with all there is to know of it: the result of `detail`.
    func printRecord(_ answer: AnswerValue, of collection: CollectionDescription?) throws(OutputError)
    /// Ends the records.
    ///
    /// - Parameter isAlone: one record was asked for, and no list of them.
    func endRecords(isAlone: Bool) throws(OutputError)
}

extension Printer {
    func printPart(_ presentation: Presentation, isFirst: Bool) throws(OutputError) { try print(presentation) }
}

/// When a printer needs to know what a collection holds.
enum DescriptionNeed {
    case always
    /// Only where no fields were named.
    case unlessNamed
    case never
}

/// The result of one command in all forms that formats need.
package struct Presentation {
    /// The results that JSON shows.
    let results: [AnswerValue]
    /// The result as rows; nil if it has no such form.
    var rows: TableRows?
    /// The column of the rows whose values name them.
    var nameColumn = 0
    /// The names themselves, where they are no column.
    var names: [String]?
    /// The text that people read; nil for the rows as a table.
    package var text: ((TextOptions) -> String)?
    /// Whether the result describes a change that was not made. Every format then says so.
    var isDryRun = false
    /// The bytes for a pipe where no format was asked for, and where there are no rows; nil for the rows.
    var plain: [UInt8]?

    init(_ results: [AnswerValue], rows: TableRows? = nil) {
        self.results = results
        self.rows = rows
    }

    package init(_ answer: AnswerValue, rows: TableRows? = nil) {
        self.init([answer], rows: rows)
    }
}

/// How text for people is laid out.
package struct TextOptions {
    /// The cells of a line; nil for lines as long as they need to be.
    package let width: Int?
    /// The cells of a line of running text.
    let lineWidth: Int
    package let isColored: Bool
    /// All there is, and nothing is cut.
    let isWide: Bool
    /// The table of its texts.
    let messages: Messages
    /// The characters of bars; nil if none are drawn.
    let plot: PlotStyle?
}

/// The facts about a list of records that its pages do not have.
struct RecordList {
    /// The descriptions of the collections; empty if the printer needs none.
    var collections: [CollectionDescription]
    /// The one collection that was asked for; nil for all of them.
    var single: CollectionDescription?
    /// Whether the records are from all collections.
    var isOverAll: Bool
    /// The fields that were named; empty for the list's own.
    var fields: [String]
    var isGrouped: Bool
    var showsArchived: Bool

    /// The columns beside fields: none if fields were named.
    var marks: RecordMarks { RecordMarks(fields.isEmpty ? single.map { [$0] } ?? collections : []) }

    /// The columns of data formats, without ``marks``: the fields of the list; over all collections those of any of them.
    var columns: [String] {
        let archived = showsArchived ? ["archived"] : []
        let prefix = isOverAll ? ["collection"] : []
        // Fields that were named are all that is wanted.
        if !fields.isEmpty { return prefix + fields.filter { !prefix.contains($0) } + archived }
        if let single { return single.list + archived }
        var names = prefix + ["id"]
        for name in collections.flatMap(\.list) where !names.contains(name) { names.append(name) }
        return names + archived
    }
}
