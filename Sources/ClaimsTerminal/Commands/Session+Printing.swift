// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient

extension Session {
    /// Prints text for people.
    func show(_ text: String) throws(CommandError) {
        do throws(OutputError) {
            try screen.show(text)
        } catch {
            throw .output(error)
        }
    }

    /// Prints data.
    func emit(_ append: (inout [UInt8]) -> Void) throws(CommandError) {
        do throws(OutputError) {
            try output.write(append)
        } catch {
            throw .output(error)
        }
    }

    /// Prints what has been gathered, so that what follows on standard error comes after it.
    func flush() throws(CommandError) {
        do throws(OutputError) {
            try screen.finish()
            try output.flush()
        } catch {
            throw .output(error)
        }
    }

    /// One line on standard error, unless `-q` was given. That nobody reads it is no reason to stop.
    func notice(_ text: String) {
        if !invocation.isQuiet { try? errors.write(Escaping.line(text) + "\n") }
    }

    /// Prints a JSON object with the schema's version; indented on a terminal.
    func emit(json object: [UInt8]) throws(CommandError) {
        try emit(document: JSONText.versioned(object))
    }

    /// Prints a whole JSON document.
    func emit(document: [UInt8]) throws(CommandError) {
        var json = document
        if isTerminal {
            json = JSONText.terminalSafe(json)
            if format == .json { json = JSONText.indented(json) }
        }
        try emit { $0 += json + [UInt8(ascii: "\n")] }
    }

    /// Prints the result of a method as it is.
    func emit(json result: AnswerValue) throws(CommandError) {
        var object: [UInt8] = []
        result.appendSource(to: &object)
        try emit(json: object)
    }

    /// Prints rows in whatever format was asked for, JSON excepted. `name` is the column of data that names a row.
    func emit(_ rows: RowSet, naming name: Int = 0) throws(CommandError) {
        switch format {
        case .table: try show(rows.text(width: width, isColored: isColored))
        case .wide: try show(rows.text(width: nil, isColored: isColored))
        case .tsv, .csv:
            let writer = SeparatedValues(isCSV: format == .csv, isForTerminal: isTerminal)
            try emit { bytes in
                writer.append(rows.names, to: &bytes)
                for row in rows.data { writer.append(row, to: &bytes) }
            }
        case .name, .json, .jsonl:
            for row in rows.data where row.indices.contains(name) {
                try emit { $0 += (isTerminal ? Escaping.line(row[name]) : row[name]).utf8 + [UInt8(ascii: "\n")] }
            }
        }
    }

    /// Says of each collection that is not fresh how it stands, and of those left out why.
    func noticeFreshness(_ value: AnswerValue?) {
        if !invocation.isQuiet { noticeFreshness(Meta.all(in: value), Meta.skipped(in: value)) }
    }

    func noticeFreshness(_ metas: [Meta], _ skipped: [(collection: String, reason: String)] = []) {
        for meta in metas {
            // The user's time zone is read only where there is something to say.
            if meta.freshness == "fresh" || meta.freshness == nil { continue }
            if let text = FreshnessLine.text(meta, time: time) { notice(text) }
        }
        if !skipped.isEmpty { notice("left out: " + skipped.map(\.reason).joined(separator: "; ")) }
    }

    /// Says what went wrong; nothing where nobody reads any more.
    func report(_ error: CommandError) -> ExitCode {
        guard let report = ErrorReport(error, selector: invocation.selector, filter: filter) else { return .done }
        try? flush()
        self.report(report)
        return report.code
    }

    func report(_ report: ErrorReport) {
        if format.isJSON {
            try? errors.write(report.json)
            return
        }
        let isTerminal = surroundings.isTerminal(2)
        let isColored = Self.wantsColor(invocation.color, isTerminal: isTerminal, surroundings)
        try? errors.write(report.text(isColored: isColored, width: isTerminal ? width : nil))
    }
}
