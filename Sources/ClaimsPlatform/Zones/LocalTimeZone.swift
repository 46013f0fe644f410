// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// The time zone of this process's user.
public enum LocalTimeZone {
    /// The IANA name of the zone, from `TZ`, the link /etc/localtime or /etc/timezone; "UTC" if none of them has it.
    ///
    /// A `TZ` that is a POSIX rule has no name; ``rules(environment:root:directory:)`` follows it.
    public static func name(
        environment: String? = Environment["TZ"], root: String = "/", directory: String = TimeZoneRules.directory
    ) -> String {
        if let named = environment.map(stripped) {
            if named.isEmpty { return "UTC" }
            if let name = name(inPath: named), (try? TimeZoneRules.load(name, directory: directory)) != nil {
                return name
            }
        }
        if let link = Files.readLink(Paths.join(root, "etc/localtime")), let name = name(inPath: link) { return name }
        if let text = try? Files.readText(Paths.join(root, "etc/timezone"), cap: 256) {
            let name = text.prefix { $0 != "\n" }
            if TimeZoneRules.isName(String(name)) { return String(name) }
        }
        return "UTC"
    }

    /// The offsets of the zone, from `TZ` or the file of its name; those of UTC if they cannot be read.
    public static func rules(
        environment: String? = Environment["TZ"], root: String = "/", directory: String = TimeZoneRules.directory
    ) -> TimeZoneRules {
        let name = name(environment: environment, root: root, directory: directory)
        if let text = environment.map(stripped), !text.isEmpty, (try? TimeZoneRules.load(text)) == nil,
            let rule = PosixTimeZone(text.utf8)
        {
            return TimeZoneRules(name: text, rule: rule)
        }
        return (try? TimeZoneRules.load(name, directory: directory)) ?? .utc
    }

    /// Whether a value of `TZ` is the name of a zone, the path of its file, or a POSIX rule (tzset(3)).
    ///
    /// An empty value is UTC. For any other value ``rules(environment:root:directory:)`` uses another zone.
    public static func isKnown(environment: String, directory: String = TimeZoneRules.directory) -> Bool {
        let text = stripped(environment)
        let name = text.hasPrefix(directory + "/") ? String(text.dropFirst(directory.utf8.count + 1)) : text
        return text.isEmpty || (try? TimeZoneRules.load(name, directory: directory)) != nil
            || rules(environment: environment, directory: directory).name == text
    }

    private static func stripped(_ text: String) -> String {
        text.hasPrefix(":") ? String(text.dropFirst()) : text
    }

    /// The name of the zone whose file is at `path`, which may be a name already.
    private static func name(inPath path: String) -> String? {
        let parts = path.split(separator: "/")
        var name = path
        if let index = parts.lastIndex(of: "zoneinfo") { name = parts[(index + 1)...].joined(separator: "/") }
        return TimeZoneRules.isName(name) ? name : nil
    }
}
