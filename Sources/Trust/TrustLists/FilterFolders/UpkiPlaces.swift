// SPDX-License-Identifier: Apache-2.0

import TrustSupport

/// The files of upki on a machine.
struct UpkiPlaces {
    /// The folder of the user's configuration; nil without a home.
    private let userConfiguration: String?
    /// The folder of the user's cache; nil without a home.
    private let userCache: String?

    private static let systemConfiguration = "/etc/upki"
    private static let systemCache = "/var/cache/upki"
    /// The largest configuration that is read, in bytes.
    private static let maximumSize = 1 << 16

    /// Finds the user's folders by the rules of XDG, which ignore a relative path.
    init(environment: [String: String]) {
        func folder(_ variable: String, _ usual: String) -> String? {
            if let named = environment[variable], named.hasPrefix("/") { return "\(named)/upki" }
            guard let home = environment["HOME"], home.hasPrefix("/") else { return nil }
            return "\(home)/\(usual)/upki"
        }
        userConfiguration = folder("XDG_CONFIG_HOME", ".config")
        userCache = folder("XDG_CACHE_HOME", ".cache")
    }

    /// Returns the folder of the filters; nil if upki isn't there.
    /// - Parameter configurationFile: the configuration; nil to search for it.
    /// - Throws: ``RevocationFilterFileError`` for a configuration that can't be read.
    func folder(configurationFile: String?) throws(RevocationFilterFileError) -> String? {
        let configured = [userConfiguration, Self.systemConfiguration].compactMap { $0.map { "\($0)/config.toml" } }
        if let file = configurationFile ?? configured.first(where: Self.exists) {
            return "\(try Self.cacheFolder(file))/revocation"
        }
        return [userCache, Self.systemCache].compactMap { $0.map { "\($0)/revocation" } }
            .first { Self.exists(RevocationFilterFolder.manifestPath($0)) }
    }

    /// Whether a file is there, or can't be seen for another reason than its absence, which its reader reports.
    private static func exists(_ path: String) -> Bool {
        do throws(SystemError) {
            _ = try FileStatus(ofFile: path)
            return true
        } catch {
            return !error.isAbsence
        }
    }

    private static func cacheFolder(_ file: String) throws(RevocationFilterFileError) -> String {
        let bytes: [UInt8]
        do throws(SystemError) {
            bytes = try FileContents(ofFile: file, maximumSize: maximumSize, onlyRegular: true).bytes
        } catch {
            throw RevocationFilterFileError(.filterFileUnreadable, path: file, problem: error.filterProblem)
        }
        guard bytes.count <= maximumSize else {
            throw RevocationFilterFileError(
                path: file, problem: "over \(maximumSize) bytes, expected a configuration of upki")
        }
        do throws(UpkiConfigurationError) { return try UpkiConfiguration.cacheFolder(bytes) } catch {
            throw RevocationFilterFileError(path: file, problem: error.description)
        }
    }
}
