// SPDX-License-Identifier: Apache-2.0

// The root issues leaves directly. An issuing CA would protect a root whose key is kept offline. Here both keys would
// be in one folder, and an issuing CA would only add a file that servers forget to send. A chain is therefore a single
// certificate, clients trust `root.pem`, and one CRL covers every path.

import Foundation
import PKIX
import ServerTrustTesting
@preconcurrency import X509

/// A small private certificate authority in a folder, for development and for private networks.
///
/// ```text
/// root.pem               the root's certificate, which clients trust
/// root.key               its private key, PKCS #8, unencrypted, mode 600
/// index.json             the issued and the revoked certificates
/// crl.pem                the last CRL
/// root.crl               the same in DER, as clients expect it at the address of a CRL
/// issued/NAME.pem        a certificate chain, leaf first; the root is not in it
/// issued/NAME.key        its private key, PKCS #8, unencrypted, mode 600
/// .lock                  locked (flock(2)) by a process that changes the folder
/// ```
///
/// NAME is the first name of the certificate, with `_wildcard` for `*` and `_` for `:`. Files are replaced atomically,
/// the index last. A process that is killed in between leaves files that end in `.partial`, or files that aren't in the
/// index. ``leftovers()`` returns them, and no operation uses them.
///
/// Serial numbers are random. The engine validates every certificate, as a client would, before it is written to a
/// file. Keys in hardware and passphrases aren't supported.
package struct AuthorityFolder: Sendable {
    /// The caller's path without trailing slashes.
    package let path: String
    package let root: PKIX.Certificate

    /// The accepted days of validity for a leaf. Apple's platforms refuse TLS server certificates with a longer
    /// validity, including those from private CAs (https://support.apple.com/en-us/103769).
    package static let leafDays = 1...825
    /// The accepted days of validity for a root.
    package static let rootDays = 1...7300

    package var rootPath: String { path + "/root.pem" }
    package var rootKeyPath: String { path + "/root.key" }
    var indexPath: String { path + "/index.json" }
    private var issuedPath: String { path + "/issued" }

    private init(path: String, root: PKIX.Certificate) {
        self.path = path
        self.root = root
    }

    /// Opens a folder that ``create(at:commonName:permitted:days:key:at:replacing:)`` created. It reads the root, but
    /// not its key.
    /// - Throws: ``AuthorityFolderError`` if there is no CA, or if its creation was interrupted.
    package init(opening path: String) throws(AuthorityFolderError) {
        let path = Self.trimmed(path)
        let rootPath = path + "/root.pem"
        guard FolderFile.exists(rootPath) else {
            // An empty folder and a path that isn't a folder are different errors.
            if !FolderFile.exists(path) || FolderFile.exists(path + "/") {
                throw AuthorityFolderError(path, .noAuthority)
            }
            throw AuthorityFolderError(path, .notReadable(String(cString: strerror(ENOTDIR))))
        }
        let root = try Self.certificate(in: rootPath)
        self.init(path: path, root: root)
        _ = try index()
    }

    private static func trimmed(_ path: String) -> String {
        var path = path
        while path.count > 1, path.hasSuffix("/") { path.removeLast() }
        return path
    }
}

// MARK: - Making a CA

extension AuthorityFolder {
    /// Creates a root in a folder. The folder is created if it doesn't exist.
    ///
    /// - Parameters:
    ///   - commonName: 1 to 64 characters. The default is `servertrust CA` with eight random digits, because trust
    ///     stores and verifiers confuse roots with the same name.
    ///   - permitted: the permitted subtrees, which become critical name constraints. If the list is empty, there are
    ///     no constraints. Otherwise, a kind of name (domains, IPv4, IPv6) without a permitted subtree is excluded as a
    ///     whole.
    ///   - days: the days of validity, in ``rootDays``.
    ///   - crlAddress: the address of the CRL for future certificates, if any.
    ///   - ocspAddress: the address of the OCSP responder for future certificates, if any.
    ///   - replacing: whether to replace an existing root. The files of its certificates remain, but aren't in any
    ///     index.
    /// - Throws: ``AuthorityFolderError``
    package static func create(
        at path: String, commonName: String? = nil, permitted: [PermittedSubtree] = [], days: Int = 3650,
        key kind: IssuedKeyKind = .p256, crlAddress: RevocationAddress? = nil, ocspAddress: RevocationAddress? = nil,
        at now: Time, replacing: Bool = false
    ) throws(AuthorityFolderError) -> AuthorityFolder {
        let path = trimmed(path)
        try AuthorityFolderError.check(days, rootDays)
        if let commonName {
            let isPlain = !commonName.unicodeScalars.contains { $0.properties.generalCategory == .control }
            guard (1...64).contains(commonName.unicodeScalars.count), isPlain else {
                throw AuthorityFolderError("", .badCommonName(commonName))
            }
        }
        try FolderFile.makeFolder(path)
        return try FolderFile.locked(path) { () throws(AuthorityFolderError) in
            for name in ["root.pem", "root.key", "index.json"] where !replacing && FolderFile.exists("\(path)/\(name)")
            {
                throw AuthorityFolderError("\(path)/\(name)", .exists)
            }
            try FolderFile.makeFolder(path + "/issued")
            let (root, pem) = try AuthorityFolderError.of(path, { .malformed("the root can't be created: \($0)") }) {
                let key = try kind.make()
                let root = try FolderCertificate.root(
                    commonName: commonName, permitted: permitted, days: days, key: key, at: now)
                return (root, try key.pemRepresentation() + "\n")
            }
            let folder = AuthorityFolder(path: path, root: root)
            let index = AuthorityIndex(
                root: Hex.encode(root.sha256), addresses: RevocationPointers(crl: crlAddress, ocsp: ocspAddress))
            try FolderFile.replace([
                (folder.rootKeyPath, Array(pem.utf8), .secret),
                (folder.rootPath, Array(PEM.encode(root.der, label: "CERTIFICATE").utf8), .open),
                (folder.indexPath, try index.encoded(path: folder.indexPath), .open),
            ])
            return folder
        }
    }
}

// MARK: - Issuing

/// A certificate that an ``AuthorityFolder`` just issued.
package struct IssuedCertificate: Sendable {
    package let certificate: PKIX.Certificate
    package let record: AuthorityRecord
    /// The path of the chain.
    package let chainPath: String
    /// The path of the private key, or nil if the key came from a request.
    package let keyPath: String?
}

extension AuthorityFolder {
    /// Issues a certificate for a new key.
    ///
    /// - Parameters:
    ///   - names: at least one name. The first determines the file names. It is also the common name if it has at most
    ///     64 characters.
    ///   - days: the days of validity, in ``leafDays``. They start an hour before `now` and must not end after the
    ///     root's last day.
    ///   - choice: the addresses of the CRL and the responder, and whether a staple is required. The default comes from
    ///     the replaced certificate, or else from the CA.
    ///   - replacing: whether to replace files with this name. The record of the replaced certificate remains.
    /// - Throws: ``AuthorityFolderError``
    package func issue(
        _ names: [CertifiedName], for purpose: IssuedPurpose = .serverAuth, days: Int = 90,
        key kind: IssuedKeyKind = .p256, revocation choice: RevocationPointerChoice = .init(), at now: Time,
        replacing: Bool = false
    ) throws(AuthorityFolderError) -> IssuedCertificate {
        // The key is generated before the lock because generating an RSA key takes time.
        let (key, pem) = try AuthorityFolderError.of("", { .malformed("the key can't be created: \($0)") }) {
            let key = try kind.make()
            return (key, try key.pemRepresentation() + "\n")
        }
        return try write(names, purpose, days, key.key.publicKey, choice, keyPEM: pem, at: now, replacing: replacing)
    }

    /// Issues a certificate for the key of a request. The request must be signed by that key.
    ///
    /// Only the key comes from the request. Names are an argument (see ``requestedNames(_:file:)``). Extensions are
    /// ignored, including a request for a CA certificate.
    /// - Parameter file: the request's name for errors.
    /// - Throws: ``AuthorityFolderError``
    package func sign(
        _ request: CertificateRequest, file: String, as names: [CertifiedName],
        for purpose: IssuedPurpose = .serverAuth, days: Int = 90, revocation choice: RevocationPointerChoice = .init(),
        at now: Time, replacing: Bool = false
    ) throws(AuthorityFolderError) -> IssuedCertificate {
        switch request.signatureStatus {
        case .valid: break
        case .invalid: throw AuthorityFolderError(file, .requestSignatureInvalid)
        case .notSupported: throw AuthorityFolderError(file, .requestSignatureNotSupported)
        }
        guard request.subjectPublicKeyInfo != root.subjectPublicKeyInfo else {
            throw AuthorityFolderError(file, .requestForRootKey)
        }
        let publicKey = try AuthorityFolderError.of(file, { _ in .requestSignatureNotSupported }) {
            try X509.CertificateSigningRequest(derEncoded: request.der).publicKey
        }
        return try write(names, purpose, days, publicKey, choice, keyPEM: nil, at: now, replacing: replacing)
    }

    /// Returns the DNS names and IP addresses in a request, and its names of other kinds, which aren't issued.
    /// - Throws: ``AuthorityFolderError``
    package static func requestedNames(
        _ request: CertificateRequest, file: String
    ) throws(AuthorityFolderError) -> (names: [CertifiedName], others: [String]) {
        let requested = try RequestedNames.read(request, file: file)
        guard !requested.names.isEmpty else { throw AuthorityFolderError(file, .requestWithoutNames) }
        return requested
    }

    private func write(
        _ given: [CertifiedName], _ purpose: IssuedPurpose, _ days: Int, _ publicKey: X509.Certificate.PublicKey,
        _ choice: RevocationPointerChoice, keyPEM: String?, at now: Time, replacing: Bool
    ) throws(AuthorityFolderError) -> IssuedCertificate {
        var seen: Set<CertifiedName> = []
        let names = given.filter { seen.insert($0).inserted }
        guard let first = names.first else { throw AuthorityFolderError("", .noNames) }
        try AuthorityFolderError.check(days, Self.leafDays)
        let chainPath = "\(issuedPath)/\(first.fileName).pem"
        let keyPath = "\(issuedPath)/\(first.fileName).key"
        return try FolderFile.locked(path) { () throws(AuthorityFolderError) in
            let current = try currentIndex()
            let root = current.root
            var index = current.index
            try checkLifetime(days, root, at: now)
            let isIndexed = index.records.contains { $0.file == "\(first.fileName).pem" }
            for path in [chainPath, keyPath] where FolderFile.exists(path) {
                guard keyPEM != nil || path == chainPath else { throw AuthorityFolderError(path, .keyOfAnother) }
                guard replacing else { throw AuthorityFolderError(path, isIndexed ? .exists : .leftover) }
            }
            let replaced = index.records.last { $0.file == "\(first.fileName).pem" && $0.purpose == purpose }
            let pointers = choice.pointers(index.addresses, replacing: replaced)
            let rootKey = try rootKey(of: root)
            let certificate = try AuthorityFolderError.of("", { .malformed("the certificate can't be created: \($0)") })
            {
                try FolderCertificate.leaf(
                    names, purpose, days: days, publicKey: publicKey, pointers, root: root, rootKey: rootKey, at: now)
            }
            try check(certificate, names, purpose, root, at: now)

            let leftOut = choice.leftOut(replacing: replaced)
            let record = AuthorityRecord(
                serialNumber: certificate.serialNumber.description, names: names.map(\.description), purpose: purpose,
                notBefore: certificate.notBefore, notAfter: certificate.notAfter,
                sha256: Hex.encode(certificate.sha256), file: "\(first.fileName).pem", revoked: nil, reason: nil,
                crlURL: pointers.crl?.url, ocspURL: pointers.ocsp?.url, mustStaple: pointers.mustStaple ? true : nil,
                withoutURLs: leftOut.isEmpty ? nil : leftOut.map(\.rawValue).sorted())
            for position in index.records.indices where index.records[position].file == record.file {
                index.records[position].file = nil
            }
            index.records.append(record)
            try FolderFile.makeFolder(issuedPath)
            var files: [(path: String, bytes: [UInt8], mode: FolderFile.Mode)] = []
            if let keyPEM { files.append((keyPath, Array(keyPEM.utf8), .secret)) }
            files.append((chainPath, Array(PEM.encode(certificate.der, label: "CERTIFICATE").utf8), .open))
            files.append((indexPath, try index.encoded(path: indexPath), .open))
            try FolderFile.replace(files)
            return IssuedCertificate(
                certificate: certificate, record: record, chainPath: chainPath, keyPath: keyPEM == nil ? nil : keyPath)
        }
    }

    private func checkLifetime(_ days: Int, _ root: PKIX.Certificate, at now: Time) throws(AuthorityFolderError) {
        guard now <= root.notAfter else { throw AuthorityFolderError(rootPath, .rootExpired(root.notAfter)) }
        let validity = FolderCertificate.validity(days, at: now, notBefore: root.notBefore)
        guard validity.notAfter > root.notAfter else { return }
        let left = Self.leafDays.last {
            FolderCertificate.validity($0, at: now, notBefore: nil).notAfter <= root.notAfter
        }
        throw AuthorityFolderError(
            "",
            .outlivesRoot(notAfter: validity.notAfter, rootNotAfter: root.notAfter, daysLeft: left ?? 0))
    }

    /// Validates the certificate as a client would, for each of its names.
    private func check(
        _ certificate: PKIX.Certificate, _ names: [CertifiedName], _ purpose: IssuedPurpose, _ root: PKIX.Certificate,
        at now: Time
    ) throws(AuthorityFolderError) {
        let policy = ValidationPolicy(profile: .webPKI, purpose: purpose == .serverAuth ? .serverAuth : .clientAuth)
        let validator = PathValidator(anchors: AnchorStore([root]), policy: policy)
        for host in [nil] + names.map({ Optional($0.example) }) {
            if let rejection = validator.validate(certificate, host: host, at: now).rejection {
                throw AuthorityFolderError("", .refused(rejection.failures))
            }
        }
    }
}

// MARK: - Reading

extension AuthorityFolder {
    /// Returns the records of all certificates that this root issued, in the order of issue.
    /// - Throws: ``AuthorityFolderError``
    package func records() throws(AuthorityFolderError) -> [AuthorityRecord] { try index().records }

    /// Returns the default addresses for new certificates.
    /// - Throws: ``AuthorityFolderError``
    package func addresses() throws(AuthorityFolderError) -> RevocationPointers { try index().addresses }

    /// Returns the files of interrupted operations, sorted.
    ///
    /// These are files that end in `.partial`. In `issued` they are also certificates that aren't in the index, and
    /// keys whose certificate isn't next to them.
    ///
    /// The method waits for operations in progress. It doesn't check keys without read permission.
    /// - Throws: ``AuthorityFolderError``
    package func leftovers() throws(AuthorityFolderError) -> [String] {
        try FolderFile.lockedForReading(path) { () throws(AuthorityFolderError) in
            let known = Set(try index().records.compactMap { record in record.file.map { "\($0) \(record.sha256)" } })
            var found = Self.entries(path).filter { $0.hasSuffix(FolderFile.partialSuffix) }.map { "\(path)/\($0)" }
            let issued = Self.entries(issuedPath)
            func isKnown(_ name: String) -> Bool {
                guard let certificate = try? Self.certificate(in: "\(issuedPath)/\(name)") else { return false }
                return known.contains("\(name) \(Hex.encode(certificate.sha256))")
            }
            for name in issued {
                let file = "\(issuedPath)/\(name)"
                let isLeftover =
                    if name.hasSuffix(".pem") {
                        !isKnown(name)
                    } else if name.hasSuffix(".key"), case let certificate = String(name.dropLast(4)) + ".pem" {
                        // A key is a leftover if its certificate isn't in the index.
                        !isKnown(certificate) || !Self.isKey(file, ofCertificateIn: "\(issuedPath)/\(certificate)")
                    } else {
                        name.hasSuffix(FolderFile.partialSuffix)
                    }
                if isLeftover { found.append(file) }
            }
            return found.sorted()
        }
    }

    /// Whether a key belongs to a certificate. Also true for a key without read permission.
    private static func isKey(_ keyPath: String, ofCertificateIn path: String) -> Bool {
        guard let certificate = try? certificate(in: path) else { return false }
        guard let pem = try? FolderFile.read(keyPath) else { return true }
        return (try? TestKey(pemRepresentation: String(decoding: pem, as: UTF8.self)))?.isKey(of: certificate) ?? false
    }

    /// The permissions of `root.key` if they give other users any access, otherwise nil.
    package var keyPermissionsOpenToOthers: Int? {
        var status = stat()
        guard stat(rootKeyPath, &status) == 0, status.st_mode & 0o077 != 0 else { return nil }
        return Int(status.st_mode & 0o777)
    }

    private static func entries(_ folder: String) -> [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    }

    private func index() throws(AuthorityFolderError) -> AuthorityIndex { try index(of: root) }

    /// Reads the root and the index again, because another process may have replaced the root since this folder was
    /// opened.
    func currentIndex() throws(AuthorityFolderError) -> (root: PKIX.Certificate, index: AuthorityIndex) {
        let root = try Self.certificate(in: rootPath)
        return (root, try index(of: root))
    }

    private func index(of root: PKIX.Certificate) throws(AuthorityFolderError) -> AuthorityIndex {
        guard FolderFile.exists(indexPath) else {
            throw AuthorityFolderError(indexPath, .malformed("is missing: the creation of the CA was interrupted"))
        }
        let index = try AuthorityIndex(path: indexPath)
        guard index.root == Hex.encode(root.sha256) else {
            throw AuthorityFolderError(
                indexPath, .malformed("belongs to another root: the creation of the CA was interrupted"))
        }
        return index
    }

    func rootKey(of root: PKIX.Certificate) throws(AuthorityFolderError) -> TestKey {
        let pem = String(decoding: try FolderFile.read(rootKeyPath), as: UTF8.self)
        guard let key = try? TestKey(pemRepresentation: pem) else {
            throw AuthorityFolderError(rootKeyPath, .malformed("isn't an unencrypted private key in PEM"))
        }
        guard key.isKey(of: root) else { throw AuthorityFolderError(rootKeyPath, .keyOfAnother) }
        return key
    }

    /// Reads the first certificate in a file.
    private static func certificate(in path: String) throws(AuthorityFolderError) -> PKIX.Certificate {
        let bytes = try FolderFile.read(path)
        guard let der = try? PEM.decode(bytes, labels: ["CERTIFICATE"]).first,
            let certificate = try? PKIX.Certificate(der: der)
        else { throw AuthorityFolderError(path, .malformed("isn't a certificate in PEM")) }
        return certificate
    }
}

extension TestKey {
    /// Whether `certificate` is for this key.
    fileprivate func isKey(of certificate: PKIX.Certificate) -> Bool {
        guard let parsed = try? X509.Certificate(derEncoded: certificate.der) else { return false }
        return parsed.publicKey == key.publicKey
    }
}
