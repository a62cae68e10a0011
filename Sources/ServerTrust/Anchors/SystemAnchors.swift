// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The anchors of the operating system's certificate store, as its distribution ships them and its administrator has changed them.
///
/// The store is found through the environment first, then at the default paths of the distributions:
///
/// 1. `SSL_CERT_FILE` (one file) and `SSL_CERT_DIR` (folders, separated by colons), as in OpenSSL. If either is set, the files and
///    folders that they name are the whole store: an administrator who narrows the store doesn't expect the default anchors in it.
///    A variable that names an unreadable file or folder is an error.
/// 2. The first existing one of the usual bundles, such as `/etc/ssl/certs/ca-certificates.crt` and `/etc/pki/tls/certs/ca-bundle.crt`.
/// 3. If none exists, every file in the first of `/etc/ssl/certs`, `/etc/pki/tls/certs` and
///    `/system/etc/security/cacerts` that yields a certificate.
///
/// Entries that can't be read are left out and listed in ``warnings``. A store without any anchor is an error.
/// Trust settings beside the certificates (Mozilla's distrust dates, OpenSSL's trusted format) are not read.
public struct SystemAnchors: Sendable {
    /// The anchors, for path building.
    public let store: AnchorStore
    /// The files that were read.
    public let files: [String]
    /// Entries that were left out.
    public let warnings: [CertificateFileError]

    /// The default paths of bundles, in the order in which they are tried.
    package static let defaultFiles = [
        "/etc/ssl/certs/ca-certificates.crt",  // Debian, Ubuntu, Gentoo, Arch
        "/etc/pki/tls/certs/ca-bundle.crt",  // Fedora, RHEL
        "/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem",  // CentOS, RHEL 7 and later, Amazon Linux
        "/etc/ssl/ca-bundle.pem",  // SUSE
        "/etc/ssl/cert.pem",  // Alpine, FreeBSD, macOS
        "/etc/ca-certificates/extracted/tls-ca-bundle.pem",  // Arch
        "/var/lib/ca-certificates/ca-bundle.pem",  // SUSE
        "/etc/pki/tls/cacert.pem",  // OpenELEC
        "/usr/share/ssl/certs/ca-bundle.crt",  // older Red Hat
        "/usr/local/share/certs/ca-root-nss.crt",  // FreeBSD
        "/etc/certs/ca-certificates.crt",  // Solaris
    ]

    /// The default paths of folders with one certificate a file, in the order in which they are tried.
    package static let defaultDirectories = [
        "/etc/ssl/certs",  // Debian, SUSE, Alpine
        "/etc/pki/tls/certs",  // Fedora, RHEL
        "/system/etc/security/cacerts",  // Android
    ]

    /// Reads the store.
    /// - Parameter environment: the variables `SSL_CERT_FILE` and `SSL_CERT_DIR`; the process's environment by default.
    /// - Throws: ``SystemAnchorsError`` with every path that was tried, if no anchor was found.
    public static func load(
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) throws(SystemAnchorsError) -> SystemAnchors {
        var reader = Reader()
        let file = environment["SSL_CERT_FILE"].flatMap { $0.isEmpty ? nil : $0 }
        let directories = environment["SSL_CERT_DIR"].flatMap { $0.isEmpty ? nil : $0 }
        if file != nil || directories != nil {
            if let file { reader.readFile(file) }
            for directory in directories?.split(separator: ":") ?? [] { reader.readDirectory(String(directory)) }
        } else {
            for path in defaultFiles where reader.readFile(path) { break }
            if reader.certificates.isEmpty {
                for path in defaultDirectories where reader.readDirectory(path) { break }
            }
        }
        // An unreadable path that the environment names is an error; some of the default paths never exist.
        if file != nil || directories != nil, !reader.unreadable.isEmpty {
            throw SystemAnchorsError(places: reader.unreadable, isFromEnvironment: true)
        }
        guard !reader.certificates.isEmpty else {
            throw SystemAnchorsError(places: reader.places, isFromEnvironment: file != nil || directories != nil)
        }
        return SystemAnchors(
            store: AnchorStore(reader.certificates), files: reader.files, warnings: reader.warnings)
    }

    /// Returns the store as it was at the first call in this process, which reads it.
    ///
    /// A long-running process that has to follow changes of the store calls ``load(environment:)`` from time to time.
    public static func shared() throws(SystemAnchorsError) -> SystemAnchors { try sharedResult.get() }

    private static let sharedResult: Result<SystemAnchors, SystemAnchorsError> = {
        do throws(SystemAnchorsError) { return .success(try load()) } catch { return .failure(error) }
    }()
}

/// The error of a system without anchors.
public struct SystemAnchorsError: Error, Sendable, Hashable, CustomStringConvertible {
    /// A path that was tried.
    package struct Place: Sendable, Hashable {
        /// The path.
        package let path: String
        /// The result: `missing`, `not readable` or `no certificate in it`.
        package let finding: String
    }
    /// The paths that were tried.
    package let places: [Place]
    /// Whether `SSL_CERT_FILE` or `SSL_CERT_DIR` named the paths.
    package let isFromEnvironment: Bool

    /// One line for people; its wording may change.
    public var description: String {
        let list = places.map { "\($0.path) (\($0.finding))" }.joined(separator: ", ")
        return isFromEnvironment
            ? "no system anchors: SSL_CERT_FILE or SSL_CERT_DIR names \(list)"
            : "no system anchors: tried \(list); install ca-certificates or set SSL_CERT_FILE"
    }
}

extension AnchorStore {
    /// Returns the operating system's anchors; see ``SystemAnchors``.
    /// - Throws: ``SystemAnchorsError`` if there are none: a missing store is neither empty nor permissive.
    package static func system() throws(SystemAnchorsError) -> AnchorStore { try SystemAnchors.shared().store }

    /// Returns the operating system's anchors and further certificates.
    package static func system(adding certificates: [Certificate]) throws(SystemAnchorsError) -> AnchorStore {
        AnchorStore(try SystemAnchors.shared().store.anchors + certificates.map(TrustAnchor.init))
    }

    /// Returns a store of these certificates alone. With an empty list no server is trusted.
    package static func only(_ certificates: [Certificate]) -> AnchorStore { AnchorStore(certificates) }
}

// MARK: - Reading

private struct Reader {
    var certificates: [Certificate] = []
    var files: [String] = []
    var warnings: [CertificateFileError] = []
    var places: [SystemAnchorsError.Place] = []
    var unreadable: [SystemAnchorsError.Place] = []

    /// Reads a file. Returns whether it exists and could be read, with or without certificates.
    @discardableResult
    mutating func readFile(_ path: String) -> Bool {
        guard FileManager.default.fileExists(atPath: path) else {
            note(path, "missing", isUnreadable: true)
            return false
        }
        guard let data = try? Data(contentsOf: URL(fileURLWithPath: path)) else {
            note(path, "not readable", isUnreadable: true)
            return false
        }
        let before = certificates.count
        take(CertificateFile.entries(in: [UInt8](data), name: path))
        if certificates.count > before {
            files.append(path)
        } else {
            note(path, "no certificate in it", isUnreadable: false)
        }
        return true
    }

    /// Reads every file of a folder. Returns whether it yielded a certificate.
    @discardableResult
    mutating func readDirectory(_ path: String) -> Bool {
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: path) else {
            note(path, "missing or not readable", isUnreadable: true)
            return false
        }
        let before = certificates.count
        for name in names.sorted() {
            let file = path + "/" + name
            var isDirectory = false
            guard FileManager.default.fileExists(atPath: file, isDirectory: &isDirectory), !isDirectory,
                let data = try? Data(contentsOf: URL(fileURLWithPath: file))
            else { continue }
            let count = certificates.count
            take(CertificateFile.entries(in: [UInt8](data), name: file))
            if certificates.count > count { files.append(file) }
        }
        if certificates.count == before { note(path, "no certificate in it", isUnreadable: false) }
        return certificates.count > before
    }

    private mutating func take(_ entries: [Result<Certificate, CertificateFileError>]) {
        for entry in entries {
            switch entry {
            case .success(let certificate): certificates.append(certificate)
            case .failure(let error): warnings.append(error)
            }
        }
    }

    private mutating func note(_ path: String, _ finding: String, isUnreadable: Bool) {
        let place = SystemAnchorsError.Place(path: path, finding: finding)
        places.append(place)
        if isUnreadable { unreadable.append(place) }
    }
}
