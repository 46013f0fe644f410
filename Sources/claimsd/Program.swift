// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsPlatform
import ClaimsProtocol
import ClaimsSystemd
import Glibc

/// The program: what the command line asks for, and what its exit code says.
enum Program {
    /// The exit codes, as operations and the unit file know them.
    enum ExitCode {
        static let stopped: Int32 = 0
        static let failed: Int32 = 1
        static let usage: Int32 = 2
        static let configuration: Int32 = 78
        /// Never seen outside: nobody else starts the daemon again, so that it does.
        static let startAgain: Int32 = -1
    }

    /// Runs to the end.
    ///
    /// - Parameter arguments: what follows the program's name.
    /// - Returns: the exit code.
    static func run(_ arguments: [String]) -> Int32 {
        let options: Options
        do throws(Options.Mistake) {
            options = try Options(arguments)
        } catch {
            complain(error.message)
            return ExitCode.usage
        }
        let isSystem = getuid() == 0 || Environment["STATE_DIRECTORY"] != nil
        let folders = Folders(options, environment: { Environment.nonempty($0) }, isRoot: isSystem)
        switch options.task {
        case .showVersion: print("claimsd \(Product.version)")
        case .showHelp: print(Options.help)
        case .checkConfiguration: return checkConfiguration(folders)
        case .serve: return serve(folders)
        }
        return ExitCode.stopped
    }

    private static func serve(_ folders: Folders) -> Int32 {
        let code = Daemon.run(folders)
        guard code == ExitCode.startAgain else { return code }
        let error = ProcessImage.startAgain()
        complain(error.message)
        return ExitCode.failed
    }

    private static func checkConfiguration(_ folders: Folders) -> Int32 {
        let reading = ConfigurationReader.read(folders)
        for problem in reading.problems { complain(problem) }
        guard reading.problems.isEmpty else { return ExitCode.configuration }
        let names = reading.configuration.definitions.map(\.name)
        print("the configuration is good: " + names.joined(separator: ", "))
        return ExitCode.stopped
    }

    /// Writes a line for people to standard error.
    private static func complain(_ message: String) {
        let line = Array("claimsd: \(message)\n".utf8)
        _ = unsafe line.withUnsafeBytes { unsafe write(2, $0.baseAddress, $0.count) }
    }
}
