// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsPlatform
import Glibc

/// SQLite in this process, without journal and synchronisation, with an FTS5 trigram index over the folded text.
@safe
final class SQLitePeer {
    static let name = "sqlite"

    let path: String
    private let library: SQLiteLibrary
    private let connection: OpaquePointer
    private var statements: [String: SQLiteStatement] = [:]

    init?(home: String) throws {
        guard let library = SQLiteLibrary() else { return nil }
        self.library = library
        path = Paths.join(home, "peer.sqlite")
        var connection: OpaquePointer?
        let flags: Int32 = 0x2 | 0x4 | 0x8000  // read, write, create, one thread
        let code = unsafe library.open(path, &connection, flags, nil)
        guard code == 0, let connection = unsafe connection else { throw BenchError("sqlite: error \(code)") }
        unsafe self.connection = connection
        for pragma in [
            "journal_mode=OFF", "synchronous=OFF", "mmap_size=17179869184", "cache_size=-524288", "temp_store=MEMORY",
            "locking_mode=NORMAL",
        ] { try execute("PRAGMA \(pragma)") }
        try execute("CREATE TABLE items (row INTEGER PRIMARY KEY, document TEXT, body TEXT)")
        try execute(
            "CREATE VIRTUAL TABLE words USING fts5"
                + "(body, content='items', content_rowid='row', tokenize=\"trigram case_sensitive 1\")")
    }

    deinit {
        statements.removeAll()
        _ = unsafe library.close(connection)
    }

    /// Stores every record and builds the index; returns the time of both, without making the records.
    func load(_ generator: RecordGenerator) throws -> (rows: Duration, index: Duration) {
        var text = RecordGenerator.Text()
        var rows = Duration.zero
        try execute("BEGIN")
        for record in 0..<generator.shape.records {
            let document = generator.document(record, text: &text)
            let body = generator.foldedText(record, text: &text)
            let begin = ContinuousClock.now
            let insert = try statement("INSERT INTO items VALUES (?1, ?2, ?3)")
            insert.bind(1, RecordGenerator.id(record))
            insert.bind(2, document)
            insert.bind(3, body)
            let code = insert.step()
            insert.reset()
            rows += ContinuousClock.now - begin
            guard code == SQLiteStatement.done else { throw failure("insert") }
        }
        let begin = ContinuousClock.now
        try execute("COMMIT")
        rows += ContinuousClock.now - begin
        let indexing = ContinuousClock.now
        try interrupting(after: PeerService.maxLoad) { try execute("INSERT INTO words(words) VALUES ('rebuild')") }
        return (rows, ContinuousClock.now - indexing)
    }

    /// Searches `text`: the first 50 records in id order, and the total. Returns the total and the time.
    func search(_ text: String) throws -> (total: Int, duration: Duration) {
        let phrase = Array("\"\(text)\"".utf8)
        let begin = ContinuousClock.now
        let page = try statement(
            "SELECT document FROM items WHERE row IN "
                + "(SELECT rowid FROM words WHERE words MATCH ?1 ORDER BY rowid LIMIT 50) ORDER BY row")
        page.bind(1, phrase)
        var rows = 0
        var code = page.step()
        while code == SQLiteStatement.row {
            if page.hasText(0) { rows += 1 }
            code = page.step()
        }
        page.reset()
        let count = try statement("SELECT count(*) FROM words WHERE words MATCH ?1")
        count.bind(1, phrase)
        let counted = count.step()
        let total = count.integer(0)
        count.reset()
        guard code == SQLiteStatement.done, counted == SQLiteStatement.row, rows == min(50, total) else {
            throw failure("search for \(text)")
        }
        return (total, ContinuousClock.now - begin)
    }

    private func statement(_ text: String) throws -> SQLiteStatement {
        if let statement = statements[text] { return statement }
        guard let statement = unsafe SQLiteStatement(text, library, connection) else {
            throw failure("prepare \(text)")
        }
        statements[text] = statement
        return statement
    }

    private func execute(_ text: String) throws {
        guard unsafe library.execute(connection, text, nil, nil, nil) == 0 else { throw failure(text) }
    }

    /// Runs `work`; SQLite interrupts it after `limit`.
    private func interrupting(after limit: Duration, _ work: () throws -> Void) throws {
        let interrupt = unsafe library.interrupt
        let handle = unsafe Int(bitPattern: connection)
        let pipe = try FileDescriptor.pipe()
        let reading = pipe.reading.raw
        let thread = try NamedThread("sqlite limit") {
            var entry = pollfd(fd: reading, events: Int16(POLLIN), revents: 0)
            let isDone = unsafe poll(&entry, 1, Int32(limit.components.seconds * 1000)) == 1
            if !isDone, let connection = unsafe OpaquePointer(bitPattern: handle) { unsafe interrupt(connection) }
        }
        let result = Result { try work() }
        try pipe.writing.write([1])
        thread.join()
        try result.get()
    }

    private func failure(_ operation: String) -> BenchError {
        let text = unsafe library.message(connection).map { unsafe String(cString: $0) } ?? ""
        return BenchError("sqlite cannot \(operation): \(text)")
    }
}
