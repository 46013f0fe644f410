// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsPlatform
import Glibc

/// Finds programs that may be installed, and runs them from start to end.
enum InstalledProgram {
    /// The path of a program: beside this one, or in one of the system's folders; nil if it is not installed.
    static func path(_ name: String) -> String? {
        let beside = Paths.join(Paths.parent(Files.executable ?? "."), name)
        let versions = "/usr/lib/postgresql"
        let postgres = (try? Directory.list(versions))?.last.map { "\(versions)/\($0)/bin/\(name)" }
        return [beside, "/usr/bin/\(name)", "/usr/local/bin/\(name)", "/bin/\(name)", "/usr/sbin/\(name)", postgres]
            .compactMap { $0 }
            .first { unsafe access($0, X_OK) == 0 }
    }

    /// The outcome of one run.
    struct Run {
        let status: ExitStatus
        /// From before the start until the process was reaped.
        let duration: Duration
        let output: [UInt8]
    }

    /// Runs a program to its end; its output goes to `/dev/null`, or to the file `capture` that is read afterwards.
    static func run(
        _ program: String, _ arguments: [String], environment: [String] = [], input: String = "/dev/null",
        capture: String? = nil, within limit: Duration = .seconds(30)
    ) throws(BenchError) -> Run {
        do {
            let input = try FileDescriptor.open(input, .read)
            let mode = capture == nil ? FileDescriptor.Mode.update : .replace(permissions: 0o600)
            let output = try FileDescriptor.open(capture ?? "/dev/null", mode)
            let start = ContinuousClock.now
            let child = try ChildProcess(
                program, arguments, environment: BackgroundProcess.environment + environment, input: input.raw,
                output: output.raw, error: output.raw)
            guard try child.hasEnded(within: limit) else { throw BenchError("\(program) took longer than \(limit)") }
            let status = child.wait()
            let duration = ContinuousClock.now - start
            let bytes = try capture.map { path throws(SystemError) in try Files.readAll(path, cap: 1 << 30) } ?? []
            return Run(status: status, duration: duration, output: bytes)
        } catch let error as SystemError {
            throw BenchError(error.message)
        } catch let error as BenchError {
            throw error
        } catch {
            throw BenchError("\(error)")
        }
    }

    /// As `run`; throws if the program fails.
    @discardableResult
    static func mustRun(
        _ program: String, _ arguments: [String], environment: [String] = [], log: String, within limit: Duration
    ) throws(BenchError) -> Run {
        let run = try run(program, arguments, environment: environment, capture: log, within: limit)
        guard run.status == .exited(0) else {
            throw BenchError("\(program) \(run.status): \(String(decoding: run.output.suffix(400), as: UTF8.self))")
        }
        return run
    }
}
