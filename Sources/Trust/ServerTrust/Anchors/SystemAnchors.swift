// SPDX-License-Identifier: Apache-2.0

import Foundation
import PKIX

/// The anchors of the operating system's certificate store, as shipped by the distribution and changed by the
/// administrator.
///
/// The reader looks for the store in this order:
///
/// 1. `SSL_CERT_FILE` (one file) and `SSL_CERT_DIR` (folders, separated by colons), as in OpenSSL. If either is set,
///    only the files and folders that they name are read: an administrator who narrows the store doesn't expect the
///    default anchors in it.
/// 2. The first existing one of the usual bundles, such as `/etc/ssl/certs/ca-certificates.crt` and
///    `/etc/pki/tls/certs/ca-bundle.crt`.
/// 3. If that bundle doesn't exist or contains no certificate, every file in the first of `/etc/ssl/certs`,
///    `/etc/pki/tls/certs` and `/system/etc/security/cacerts` that contains a certificate.
///
/// The store only adds trust. Files, folders and entries that can't be read are therefore skipped and listed in
/// ``warnings``, as in OpenSSL. A store without any anchor is an error.
///
/// A store contains only certificates. A root program's conditions for trusting them, and the roots it no longer
/// trusts, come from a list (`RootList`). Pass the list yourself or name its file in the variable
/// `SERVERTRUST_ROOTS_OVERLAY`.
package struct SystemAnchors: Sendable {
    /// The anchors, for path building.
    package let store: AnchorStore
    /// The files that were read.
    package let files: [String]
    /// The entries that were skipped.
    package let warnings: [CertificateFileError]
    /// The lists whose conditions apply to the anchors, such as `Mozilla, 2026-06-13`.
    let overlays: [String]

    /// The default paths of bundles, in the order they are tried.
    static let defaultFiles = [
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

    /// The default paths of folders with one certificate per file, in the order they are tried.
    static let defaultDirectories = [
        "/etc/ssl/certs",  // Debian, SUSE, Alpine
        "/etc/pki/tls/certs",  // Fedora, RHEL
        "/system/etc/security/cacerts",  // Android
    ]

    /// The lists behind ``overlays``.
    let lists: [RootList]
    /// The certificates below the folders that Debian and Fedora reserve for the administrator.
    package let administratorsOwn: Set<Certificate>

    /// Reads the store.
    /// - Parameter environment: the variables `SSL_CERT_FILE`, `SSL_CERT_DIR` and `SERVERTRUST_ROOTS_OVERLAY` (the file
    ///   of a list). The default is the process's environment.
    /// - Throws: ``SystemAnchorsError`` with every path that was tried if none contains an anchor. Also throws if the
    ///   list named by the environment can't be read.
    package init(
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) throws(SystemAnchorsError) {
        try self.init(
            overlay: nil, unlisted: .refuse, environment: environment,
            administratorsFolders: AdministratorsAnchors.folders)
    }

    /// Reads the store, with other folders for the administrator's certificates.
    /// - Parameters:
    ///   - overlay: a list whose conditions apply to the anchors, in addition to the list that the environment names.
    ///     It adds no anchor.
    ///   - unlisted: the treatment of roots that are missing from a complete list, except the administrator's.
    init(
        overlay: RootList?, unlisted: TrustAnchors.Unlisted, environment: [String: String],
        administratorsFolders: [String]
    ) throws(SystemAnchorsError) {
        let reader = try Self.readStore(environment)
        lists = [overlay, try Self.environmentOverlay(environment)].compactMap { $0 }
        let own = AdministratorsAnchors.certificates(below: administratorsFolders)
        let overlay = AnchorOverlay(lists, unlisted: unlisted)
        let anchors = reader.certificates.map { certificate in
            let isOwn = own.contains(certificate)
            return overlay.anchor(TrustAnchor(certificate, conditions: [], isPublic: !isOwn), isGiven: isOwn)
        }
        store = AnchorStore(anchors, distrusted: overlay.distrusted(among: anchors))
        files = reader.files
        warnings = reader.warnings
        overlays = lists.map(\.source)
        administratorsOwn = own
    }

    private static func readStore(_ environment: [String: String]) throws(SystemAnchorsError) -> SystemStoreReader {
        var reader = SystemStoreReader()
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
        let isFromEnvironment = file != nil || directories != nil
        guard !reader.certificates.isEmpty else {
            let places = reader.unusable.map { SystemAnchorsError.Place($0) }
            throw SystemAnchorsError(places: places, isFromEnvironment: isFromEnvironment)
        }
        // Default paths may be missing: no system has all of them.
        if isFromEnvironment { reader.warnings = reader.unusable }
        return reader
    }

    /// The variable that names the file of a list for the system's anchors.
    package static let overlayVariable = "SERVERTRUST_ROOTS_OVERLAY"

    /// Returns the path of the list that an environment names for the system's anchors, or nil if it names none. The
    /// default is the process's environment.
    package static func overlayFile(
        in environment: [String: String] = ProcessInfo.processInfo.environment
    ) -> String? {
        environment[overlayVariable].flatMap { $0.isEmpty ? nil : $0 }
    }

    private static func environmentOverlay(_ environment: [String: String]) throws(SystemAnchorsError) -> RootList? {
        guard let path = overlayFile(in: environment) else { return nil }
        do throws(RootListError) {
            return try RootList(contentsOfFile: path)
        } catch {
            throw SystemAnchorsError(error)
        }
    }

    /// Returns the store as it was when this process first called the function. The first call reads it.
    package static func shared() throws(SystemAnchorsError) -> SystemAnchors { try sharedResult.get() }

    /// Returns the certificates that the list named by the process's environment distrusts, or an empty array without
    /// such a list. The first call reads the list.
    /// - Throws: ``SystemAnchorsError`` if the list can't be read.
    static func sharedDistrust() throws(SystemAnchorsError) -> [DistrustedCertificates] {
        try sharedDistrustResult.get()
    }

    private static let sharedDistrustResult: Result<[DistrustedCertificates], SystemAnchorsError> = {
        // Without a list, there is no reason to read the store.
        guard overlayFile() != nil else { return .success([]) }
        if let system = try? shared() { return .success(system.store.distrusted) }
        // The list applies even if there is no store.
        do throws(SystemAnchorsError) {
            let list = try environmentOverlay(ProcessInfo.processInfo.environment)
            return .success([list?.distrustedCertificates(among: [])].compactMap(\.self))
        } catch {
            return .failure(error)
        }
    }()

    private static let sharedResult: Result<SystemAnchors, SystemAnchorsError> = {
        do throws(SystemAnchorsError) { return .success(try SystemAnchors()) } catch { return .failure(error) }
    }()
}

extension AnchorStore {
    /// Returns the operating system's anchors. See ``SystemAnchors``.
    /// - Throws: ``SystemAnchorsError`` if it has no anchors. A missing store doesn't count as an empty one and never
    ///   trusts a server.
    package static func system() throws(SystemAnchorsError) -> AnchorStore { try SystemAnchors.shared().store }

    /// Returns a store of only these certificates. With an empty list, no server is trusted.
    package static func only(_ certificates: [Certificate]) -> AnchorStore { AnchorStore(certificates) }
}
