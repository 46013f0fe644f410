// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsJSON
import ClaimsPlatform
import ClaimsTestSupport
import Testing

@testable import ClaimsTerminal

@Suite struct SharingTests {
    /// The hash of 700000 letters x.
    private static let sum = "09f143a886696ba31189656dffc5d4cd14effc15ad33d00066ebe5d70b3649ff"
    /// The hash of three letters x.
    private static let other = "cd2eb0837c9b4c962c22d2ff8b5441b7b45805887f051d39bf133b583baf6860"

    /// A record with two files of one name, which is a trap.
    private static let detail = """
        {"record":{"id":"../7","title":"Old","scans":[
        {"name":"../scan.png","type":"image/png","size":700000,"sha256":"\(sum)"},
        {"name":"../scan.png","type":"image/png","size":3,"sha256":"\(other)"}]},"upstream":{},
        "provenance":{"source":"local"},"labels":{}}
        """.split(separator: "\n").joined()

    private func daemon(_ detail: String = SharingTests.detail) throws -> ScriptedDaemon {
        try WritingExample.daemon { request in
            switch request.method {
            case "detail":
                return request.params["id"]?.string == "9"
                    ? .lines([request.error("not_found", "no form '9'")]) : .lines([request.result(detail)])
            case "fetch_attachment":
                let size = request.params["sha256"]?.string == Self.sum ? 700_000 : 3
                let offset = Int(request.params["offset"]?.integer ?? 0)
                let count = min(512 << 10, size - offset)
                let data = Base64.encode([UInt8](repeating: UInt8(ascii: "x"), count: count))
                return .lines([
                    request.result(
                        #"{"data":"\#(data)","size":\#(size),"type":"image/png","name":"scan.png","eof":\#(offset + count == size)}"#
                    )
                ])
            default: return nil
            }
        }
    }

    @Test func `a record goes into a folder with its files, under safe names of which none is taken twice`() throws {
        let folder = try TemporaryFolder()
        let target = Paths.join(folder.path, "shared")
        let run = Run(["share", "--form", "../7", target], try daemon(), input: "")
        #expect(run.code == .done && run.output.isEmpty, "\(run)")
        #expect(try Directory.list(target) == ["_._7"])
        let made = Paths.join(target, "_._7")
        #expect(try Directory.list(made) == ["_._scan-2.png", "_._scan.png", "record.json"])
        #expect(Files.size(Paths.join(made, "_._scan.png")) == 700_000)
        #expect(Files.size(Paths.join(made, "_._scan-2.png")) == 3)
        #expect(Files.permissions(Paths.join(made, "record.json")) == 0o600)
        let record = try JSONValue.parse(try Files.readAll(Paths.join(made, "record.json"), cap: 10_000))
        #expect(record["record"]?["title"]?.string == "Old" && record["provenance"]?["source"]?.string == "local")
        #expect(record["schema_version"]?.integer == 1 && record["upstream"] == nil)
    }

    @Test func `a file ends as its content is, whatever its name says`() throws {
        let names = [
            "evil.html": "evil.html.pdf", "a.PDF": "a.PDF", ".pdf": "_pdf.pdf", "a": "a.pdf", "pdf": "pdf.pdf",
        ]
        for (name, made) in names {
            let folder = try TemporaryFolder()
            let file = #"{"name":"\#(name)","type":"application/pdf","size":3,"sha256":"\#(Self.other)"}"#
            let daemon = try daemon(#"{"record":{"id":"7","scans":[\#(file)]}}"#)
            let run = Run(["open", "--form", "7"], daemon, environment: ["XDG_RUNTIME_DIR": folder.path], input: "")
            #expect(run.output == Paths.join(folder.path, "claimsctl/\(Self.other.prefix(16))/\(made)") + "\n")
            let shared = Paths.join(folder.path, "shared")
            #expect(Run(["share", "--form", "7", shared], daemon, input: "").code == .done)
            #expect(Files.exists(Paths.join(shared, "7/\(made)")))
        }
        #expect(SafeName.make("a.jpeg", type: "image/jpeg") == "a.jpeg")
        #expect(SafeName.make("a.html", type: "text/html") == "a.html")
        let long = SafeName.make(String(repeating: "ą", count: 100) + ".html", type: "image/png")
        #expect(long.hasSuffix(".html.png") && long.utf8.count <= SafeName.maxBytes)
    }

    @Test func `nothing is overwritten`() throws {
        let folder = try TemporaryFolder()
        try Directory.create(Paths.join(folder.path, "_._7"))
        let run = Run(["share", "--form", "../7", folder.path], try daemon(), input: "")
        #expect(run.code == .conflict && run.errors.contains("nothing is overwritten"), "\(run)")
        #expect(try Directory.list(Paths.join(folder.path, "_._7")).isEmpty)
    }

    @Test func `a record whose files cannot be had leaves no half of it, and a person is told where it is`() throws {
        let folder = try TemporaryFolder()
        let whole = try daemon()
        let broken = try WritingExample.daemon { request in
            switch request.method {
            case "detail": .lines([request.result(Self.detail)])
            case "fetch_attachment": .lines([request.error("not_found", "the file is gone")])
            default: nil
            }
        }
        let lost = Run(["share", "--form", "../7", folder.path], broken, input: "")
        #expect(lost.code == .notFound && lost.errors == "claimsctl: ../7: the file '../scan.png' is missing\n")
        #expect(try Directory.list(folder.path).isEmpty)
        let archive = Run(["share", "--form", "../7", "8", "--tar"], broken, input: "")
        #expect(archive.code == .notFound && archive.errors == lost.errors && broken.requests.last?.method != "detail")
        let run = Run(["share", "--form", "../7", folder.path], whole, terminal: 1000, errorColumns: 1000, typed: [])
        #expect(run.code == .done && run.errors.hasSuffix("shared in \(Paths.join(folder.path, "_._7"))\n"), "\(run)")
    }

    /// Parts of a file of three letters x, each with whether it is the last one.
    @Test(arguments: [
        [("xxy", true)], [("xxx", false), ("xxx", true)], [("xxxx", true)], [("xx", true)],
        [("xx", false), ("y", true)],
        [("xxx", false), ("", false)],
    ])
    func `a file of another size or content than was told is an error, and nothing of it is kept`(
        _ parts: [(String, Bool)]
    ) throws {
        let folder = try TemporaryFolder()
        let detail =
            #"{"record":{"id":"7","scans":[{"name":"a.txt","type":"text/plain","size":3,"sha256":"\#(Self.other)"}]}}"#
        let daemon = try WritingExample.daemon { request in
            guard request.method == "fetch_attachment" else {
                return request.method == "detail" ? .lines([request.result(detail)]) : nil
            }
            let (text, isEnd) = request.params["offset"]?.integer ?? 0 == 0 ? parts[0] : parts[parts.count - 1]
            let data = Base64.encode(Array(text.utf8))
            return .lines([request.result(#"{"data":"\#(data)","size":3,"eof":\#(isEnd)}"#)])
        }
        let environment = ["XDG_RUNTIME_DIR": folder.path]
        let open = Run(["open", "--form", "7"], daemon, environment: environment, input: "")
        #expect(open.code == .failure && open.output.isEmpty, "\(open)")
        #expect(try Directory.list(Paths.join(folder.path, "claimsctl/\(Self.other.prefix(16))")).isEmpty)
        let shared = Paths.join(folder.path, "shared")
        #expect(Run(["share", "--form", "7", shared], daemon, input: "").code == .failure)
        #expect(try Directory.list(shared).isEmpty)
    }

    @Test func `an archive is one that tar reads, and never goes to a terminal`() throws {
        let folder = try TemporaryFolder()
        let path = Paths.join(folder.path, "forms.tar")
        let daemon = try daemon()
        let run = Run(["share", "--form", "../7", "9", "--tar"], daemon, input: "")
        #expect(run.code == .notFound && run.errors == "claimsctl: no such record: 9\n", "\(run.errors)")
        try Files.writeAtomically(path, Array(run.output.utf8))
        let listed = try ControlProgram.run("/bin/tar", ["-tvf", path])
        #expect(listed.code == 0 && listed.error.isEmpty, "\(listed.error)")
        let names = listed.output.split(separator: "\n").compactMap { $0.split(separator: " ").last }
        #expect(names == ["_._7/record.json", "_._7/_._scan.png", "_._7/_._scan-2.png"])
        #expect(listed.output.contains("-rw------- 0/0"))
        #expect(Run(["share", "--form", "7", "--tar"], daemon, terminal: 80).code == .usage)
        #expect(Run(["share", "--form", "7"], daemon, input: "").code == .usage)
    }

    @Test func `without a display the path of a private copy is printed`() throws {
        let folder = try TemporaryFolder()
        let daemon = try daemon()
        let run = Run(
            ["open", "--form", "7", "2"], daemon, environment: ["XDG_RUNTIME_DIR": folder.path], input: "")
        let path = Paths.join(folder.path, "claimsctl/\(Self.other.prefix(16))/_._scan.png")
        #expect(run.code == .done && run.output == path + "\n", "\(run)")
        #expect(Files.permissions(path) == 0o600 && Files.size(path) == 3)
        #expect(Files.permissions(Paths.parent(path)) == 0o700)
        #expect(try Directory.list(Paths.parent(path)) == ["_._scan.png"])
        let json = Run(
            ["open", "--form", "7", "2", "-o", "json"], daemon, environment: ["XDG_RUNTIME_DIR": folder.path], input: ""
        )
        #expect(try JSONValue.parse(json.output)["path"]?.string == path)
        let missing = Run(["open", "--form", "7", "3", "--lang", "pl"], daemon, input: "")
        #expect(missing.code == .notFound)
        #expect(missing.errors == "claimsctl: nie ma numeru 3: 7 ma 2 pliki\n", "\(missing.errors)")
        #expect(Run(["open", "--form", "7", "0"], daemon, input: "").code == .usage)
    }

    @Test func `where no file is kept here, an address in the field of the files is opened`() throws {
        let detail = #"{"record":{"id":"7","scans":["file:///etc/passwd","https://d.example/1","HTTP://d.example/2"]}}"#
        let run = Run(["open", "--form", "7", "2"], try daemon(detail), input: "")
        #expect(run.code == .done && run.output == "HTTP://d.example/2\n", "\(run)")
    }

    @Test(arguments: [
        ("scan.png", "scan.png"), ("a/b\\c", "a_b_c"), (".profile", "_profile"), ("-rf", "_rf"), ("  ", "_"),
        ("..", "_."), ("a\u{1B}[2Jb\n", "a_[2Jb"), ("\u{202E}gnp", "_gnp"),
    ]) func `a name from elsewhere is made safe`(name: String, safe: String) {
        #expect(SafeName.make(name) == safe)
    }

    @Test func `a long name keeps its end, and no scalar is cut`() {
        let name = SafeName.make(String(repeating: "ż", count: 200) + ".png")
        #expect(name.utf8.count <= SafeName.maxBytes && name.hasSuffix("ż.png"))
        var used: Set<String> = []
        let names = (0..<12).map { _ in SafeName.unused(name, among: &used) }
        #expect(Set(names).count == 12 && names.allSatisfy { $0.utf8.count <= SafeName.maxBytes })
        #expect(SafeName.unused("SCAN.png", among: &used) == "SCAN.png")
        #expect(SafeName.unused("scan.png", among: &used) == "scan-2.png")
    }

    @Test func `what does not fit an archive is refused, not cut`() {
        #expect(throws: TarWriter.Unfit.self) {
            _ = try TarWriter.header(path: String(repeating: "x", count: 101), size: 0, modified: 0)
        }
        #expect(throws: TarWriter.Unfit.self) {
            _ = try TarWriter.header(path: "x", size: TarWriter.maxSize + 1, modified: 0)
        }
        #expect(TarWriter.padding(after: 512).isEmpty && TarWriter.padding(after: 1).count == 511)
    }
}
