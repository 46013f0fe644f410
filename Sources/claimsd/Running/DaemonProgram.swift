// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsPlatform
import ClaimsProtocol
import ClaimsStore
import ClaimsSystemd
import Glibc

/// The program: it performs the task of the command line, and returns the exit code.
enum DaemonProgram {
    /// Runs to the end.
    ///
    /// - Parameter arguments: the arguments after the program's name.
    /// - Returns: the exit code.
    static func run(_ arguments: [String]) -> Int32 {
        let options: DaemonOptions
        do throws(DaemonOptions.UsageError) {
            options = try DaemonOptions(arguments)
        } catch {
            ProgramOutput.complain(error.message)
            return DaemonExitCode.usage
        }
        let isSystem = getuid() == 0 || Environment["STATE_DIRECTORY"] != nil
        let folders = Folders(
            options, environment: { Environment.nonempty($0) }, isRoot: isSystem,
            workingDirectory: Files.readLink("/proc/self/cwd") ?? "/")
        switch options.task {
        case .showVersion: print("claimsd \(Product.version)")
        case .showStateVersion: print(StateDatabase.newestVersion)
        case .showHelp: print(DaemonOptions.help)
        case .checkConfiguration: return ConfigurationCheck.run(folders)
        case .define(let input): return DefineTask(options, folders).run(input)
        case .tryDefinition(let file): return TryTask(options).run(file)
        case .serve: return serve(folders)
        }
        return DaemonExitCode.stopped
    }

    private static func serve(_ folders: Folders) -> Int32 {
        // libpq reads these variables, and not all of them have a keyword to replace them (PGDATESTYLE, PGGEQO).
        Environment.remove(beginningWith: "PG")
        let code = Daemon.run(folders)
        guard code == DaemonExitCode.startAgain else { return code }
        let error = ProcessImage.startAgain()
        ProgramOutput.complain(error.message)
        return DaemonExitCode.failed
    }
}
