// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// The systemd unit a process belongs to, by its control group.
public enum ProcessUnit {
    /// The system's unit ("cron.service", "session-3.scope", "user@1000.service"); nil where none is known.
    ///
    /// The process may be gone, and its number in use again: good for telling people, not for deciding.
    public static func name(of pid: Int32) -> String? {
        guard let text = try? Files.readText("/proc/\(pid)/cgroup", cap: 1 << 16) else { return nil }
        return parse(text)
    }

    /// What /proc/PID/cgroup says: the first part of the path that is no slice.
    static func parse(_ text: String) -> String? {
        for line in text.split(separator: "\n") {
            let fields = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
            guard fields.count == 3, fields[1].isEmpty || fields[1] == "name=systemd" else { continue }
            for part in fields[2].split(separator: "/") where !part.hasSuffix(".slice") {
                let isUnit = part.hasSuffix(".service") || part.hasSuffix(".scope")
                if isUnit { return String(part.first == "_" ? part.dropFirst() : part) }
                break
            }
        }
        return nil
    }
}
