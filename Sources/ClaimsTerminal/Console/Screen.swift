// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// Where text for people goes: straight to standard output, or, where it is a terminal and the text is longer than
/// that, through a pager.
final class Screen {
    private let output: Output
    private let surroundings: Surroundings
    /// How many lines can be shown without a pager; `nil` where there is to be none.
    private let height: Int?
    private var pending = ""
    private var pendingLines = 0
    private var pager: Pager?
    private var isDecided = false

    init(_ output: Output, _ surroundings: Surroundings, isInteractive: Bool) {
        self.output = output
        self.surroundings = surroundings
        height = isInteractive ? surroundings.terminalSize().map { max(1, $0.rows - 2) } : nil
    }

    func show(_ text: String) throws(OutputError) {
        guard let height, !isDecided else { return try output.write(text) }
        pending += text
        pendingLines += text.utf8.count { $0 == UInt8(ascii: "\n") }
        guard pendingLines > height else { return }
        isDecided = true
        if let pager = Pager(surroundings) {
            try output.redirect(to: pager.descriptor)
            self.pager = consume pager
        }
        try output.write(pending)
        try output.flush()
        pending = ""
    }

    /// All has been shown; returns when it has been read.
    func finish() throws(OutputError) {
        if !isDecided, !pending.isEmpty { try output.write(pending) }
        pending = ""
        isDecided = true
        guard pager != nil else { return }
        let result = Result { () throws(OutputError) in try output.flush() }
        if let pager = pager.take() { pager.finish() }
        try result.get()
    }
}
