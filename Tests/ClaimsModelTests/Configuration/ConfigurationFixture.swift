// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsModel
import ClaimsPlatform
import ClaimsTestSupport

/// Configurations from files in memory: those of the vendor in /data, those of the site in /site.
enum ConfigurationFixture {
    /// - Parameter files: contents by path, such as `/data/collections.d/parcels.json5`.
    static func load(_ files: [String: String]) -> Configuration {
        Configuration.load(
            configDirectory: "/site", dataDirectory: "/data",
            files: ConfigurationFiles(
                read: { path in files[path].map { .bytes(Array($0.utf8)) } ?? .missing },
                list: { folder in
                    .names(
                        files.keys.filter { $0.hasPrefix(folder + "/") }.map { String($0.dropFirst(folder.count + 1)) })
                }))
    }

    /// The one collection of this vendor's file, with this site's over it.
    static func shipments(_ vendor: String, site: String? = nil) -> Configuration {
        var files = ["/data/collections.d/parcels.json5": vendor]
        files["/site/collections.d/parcels.json5"] = site
        return load(files)
    }

    /// The files that the project ships, with a site's over them.
    static func shipped(site: [String: String] = [:]) -> Configuration {
        let folder = Repository.data
        return Configuration.load(
            configDirectory: "/site", dataDirectory: folder,
            files: ConfigurationFiles(
                read: { path in
                    if let text = site[path] { return .bytes(Array(text.utf8)) }
                    do throws(SystemError) {
                        return .bytes(try Files.readAll(path, cap: 1 << 20))
                    } catch {
                        return .missing
                    }
                },
                list: { path in
                    let names = site.keys.filter { $0.hasPrefix(path + "/") }.map { $0.dropFirst(path.count + 1) }
                    do throws(SystemError) {
                        return .names(try Directory.list(path) + names.map(String.init))
                    } catch {
                        return .names(names.map(String.init))
                    }
                }))
    }
}

/// The files of two layers, which a test changes between one decision and the next.
struct ConfigurationDisk {
    var files: [String: String] = [:]
    /// The folders that are not as the files say.
    var folders: [String: ConfigurationFolder.Listing] = [:]
    var texts: [TextInForce] = []

    init(_ files: [String: String]) {
        self.files = files
    }

    /// Decides, and remembers what is in force from then on.
    mutating func decide() -> ConfigurationInForce {
        let force = ConfigurationInForce(read(), before: texts)
        texts = force.texts
        return force
    }

    func read() -> Configuration {
        Configuration.load(
            configDirectory: "/site", dataDirectory: "/data",
            files: ConfigurationFiles(
                read: { path in
                    for (folder, listing) in folders where path.hasPrefix(folder + "/") {
                        switch listing {
                        case .names: continue
                        case .missing: return .missing
                        case .unreadable(let reason): return .unreadable(reason)
                        }
                    }
                    return files[path].map { $0 == "unreadable" ? .unreadable("no") : .bytes(Array($0.utf8)) }
                        ?? .missing
                },
                list: { folder in
                    if let listing = folders[folder] { return listing }
                    let names = files.keys.filter { $0.hasPrefix(folder + "/") }
                    return .names(names.map { String($0.dropFirst(folder.count + 1)) })
                }))
    }
}
