// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import CLinux

/// This process's memory, as the kernel counts it.
public enum ProcessMemory {
    /// Bytes that no file backs: heap, stacks, and what was written in private mappings.
    public static func anonymousBytes() -> Int? {
        guard let text = try? Files.readText("/proc/self/smaps_rollup", cap: 1 << 16) else { return nil }
        return kilobytes("Anonymous:", in: text)
    }

    /// Bytes in memory, mapped files included.
    public static func residentBytes() -> Int? {
        guard let text = try? Files.readText("/proc/self/smaps_rollup", cap: 1 << 16) else { return nil }
        return kilobytes("Rss:", in: text)
    }

    /// Hands free heap memory back to the system; for after large work, never on a serving loop.
    public static func trim() { linux_trim_heap() }

    /// Keeps glibc to so many heaps, instead of up to eight per core, and blocks of 256 KiB and more out of them: what
    /// a refresh took is given back when it ends, not kept for the next one. Call it before threads start.
    public static func limitArenas(_ count: Int32) { linux_limit_arenas(count) }

    private static func kilobytes(_ label: String, in text: String) -> Int? {
        for line in text.split(separator: "\n") where line.hasPrefix(label) {
            let words = line.split(separator: " ")
            return words.count >= 2 ? Int(words[1]).map { $0 * 1024 } : nil
        }
        return nil
    }
}
