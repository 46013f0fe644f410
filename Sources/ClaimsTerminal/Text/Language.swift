// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// The user's language, from the environment variables of locale(7).
public enum Language {
    /// The language of messages: that of the first of LC_ALL, LC_MESSAGES and LANG that is set.
    ///
    /// - Returns: a code such as `pl`; `nil` for the locales C and POSIX, and if none is set.
    public static func ofMessages(_ environment: (String) -> String?) -> String? {
        for name in ["LC_ALL", "LC_MESSAGES", "LANG"] {
            if let value = environment(name), !value.isEmpty { return code(value) }
        }
        return nil
    }

    /// The language code of a locale's name, such as `pl` of `pl_PL.UTF-8`; `nil` if the name has none.
    public static func code(_ locale: String) -> String? {
        let letters = locale.utf8.prefix { byte in
            (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
                || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
        }
        let code = String(letters)?.lowercased() ?? ""
        return (2...3).contains(code.utf8.count) ? code : nil
    }
}
