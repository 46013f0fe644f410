// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsPlatform
import Glibc

/// The command line: the document to make, and its source.
enum ManualProgram {
    private static let usage = "usage: claims-manual REFERENCE FOLDER | claims-manual --update REFERENCE"

    /// Runs to the end, and returns the exit code.
    static func run(_ arguments: [String]) -> Int32 {
        guard arguments.count == 2, arguments[0] == "--update" || !arguments[0].hasPrefix("-") else {
            return complain(usage, code: 2)
        }
        do {
            if arguments[0] == "--update" {
                for page in try reference(arguments[1]).update() { print("\(page).md") }
                for file in GeneratedFile.all(root: root(of: arguments[1])) where try file.update() { print(file.path) }
            } else {
                try reference(arguments[0]).writeManual(to: arguments[1])
            }
            return 0
        } catch let error as SystemError {
            return complain(error.message, code: 1)
        } catch {
            return complain("\(error)", code: 1)
        }
    }

    /// The folder of the project, found from the folder of its reference.
    private static func root(of folder: String) -> String { Paths.join(folder, "../../..") }

    private static func reference(_ folder: String) throws -> Reference {
        let path = Paths.join(root(of: folder), "systemd/claimsd.catalog")
        let catalog = try MessageCatalog(Files.readText(path, cap: 1 << 20))
        return Reference(folder: folder, parts: GeneratedParts(catalog: catalog))
    }

    private static func complain(_ message: String, code: Int32) -> Int32 {
        let line = Array("claims-manual: \(message)\n".utf8)
        _ = unsafe line.withUnsafeBytes { unsafe write(2, $0.baseAddress, $0.count) }
        return code
    }
}
