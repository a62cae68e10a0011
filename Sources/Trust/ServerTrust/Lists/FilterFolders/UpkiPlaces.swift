// SPDX-License-Identifier: Apache-2.0

/// The locations of upki's files on a machine.
struct UpkiPlaces {
    /// The folder of the user's configuration, or nil without a home folder.
    private let userConfiguration: String?
    /// The folder of the user's cache, or nil without a home folder.
    private let userCache: String?

    private static let systemConfiguration = "/etc/upki"
    private static let systemCache = "/var/cache/upki"
    /// The maximum size of a configuration in bytes.
    private static let maximumSize = 1 << 16

    /// Finds the user's folders by the XDG rules, which ignore relative paths.
    init(environment: [String: String]) {
        func folder(_ variable: String, _ usual: String) -> String? {
            if let named = environment[variable], named.hasPrefix("/") { return "\(named)/upki" }
            guard let home = environment["HOME"], home.hasPrefix("/") else { return nil }
            return "\(home)/\(usual)/upki"
        }
        userConfiguration = folder("XDG_CONFIG_HOME", ".config")
        userCache = folder("XDG_CACHE_HOME", ".cache")
    }

    /// Returns the folder of the filters, or nil if upki isn't installed.
    /// - Parameter configurationFile: the configuration, or nil to search for it.
    /// - Throws: ``RevocationFilterFileError`` if the configuration can't be read.
    func folder(configurationFile: String?) throws(RevocationFilterFileError) -> String? {
        let configured = [userConfiguration, Self.systemConfiguration].compactMap { $0.map { "\($0)/config.toml" } }
        if let file = configurationFile ?? configured.first(where: Self.exists) {
            return "\(try Self.cacheFolder(file))/revocation"
        }
        return [userCache, Self.systemCache].compactMap { $0.map { "\($0)/revocation" } }
            .first { Self.exists(RevocationFilterFolder.manifestPath($0)) }
    }

    /// Whether a file exists, or can't be checked for a reason other than its absence. Its reader reports that reason.
    private static func exists(_ path: String) -> Bool {
        do throws(SystemError) {
            _ = try FileStatus(ofFile: path)
            return true
        } catch {
            return !error.isAbsence
        }
    }

    private static func cacheFolder(_ file: String) throws(RevocationFilterFileError) -> String {
        let bytes = try RevocationFilterFileError.reading(file) { () throws(SystemError) in
            try FileContents(ofFile: file, maximumSize: maximumSize, onlyRegular: true).bytes
        }
        guard bytes.count <= maximumSize else {
            throw RevocationFilterFileError(
                path: file, problem: "over \(maximumSize) bytes, expected an upki configuration")
        }
        do throws(UpkiConfigurationError) { return try UpkiConfiguration.cacheFolder(bytes) } catch {
            throw RevocationFilterFileError(path: file, problem: error.description)
        }
    }
}
