// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsPlatform
import Glibc

/// The machine that was measured on.
enum Machine {
    /// "4 × Some Processor, 16 GiB, Linux 6.1"
    static var description: String {
        let information = (try? Files.readText("/proc/cpuinfo", cap: 1 << 22)) ?? ""
        let model = value(of: "model name", in: information) ?? "an unknown processor"
        let memory = value(of: "MemTotal", in: (try? Files.readText("/proc/meminfo", cap: 1 << 16)) ?? "")
        let kilobytes = memory.flatMap { $0.split(separator: " ").first }.flatMap { Double($0) } ?? 0
        let kernel = (try? Files.readText("/proc/sys/kernel/osrelease", cap: 4096)) ?? ""
        let cores = sysconf(Int32(_SC_NPROCESSORS_ONLN))
        return "\(cores) × \(model), \(Figures.three(kilobytes / 1_048_576)) GiB, Linux "
            + kernel.split(separator: "\n").joined()
    }

    private static func value(of name: String, in text: String) -> String? {
        for line in text.split(separator: "\n") where line.hasPrefix(name) {
            guard let colon = line.firstIndex(of: ":") else { continue }
            return String(line[line.index(after: colon)...].drop { $0 == " " })
        }
        return nil
    }
}
