// SPDX-License-Identifier: Apache-2.0

import Foundation
import PKIX

/// The certificates that the administrator added to the distribution's, on Debian and on Fedora.
///
/// The reader opens every file below the folders, whatever its name. It accepts PEM, DER, p11-kit's format and
/// OpenSSL's `TRUSTED CERTIFICATE`. It skips files without certificates, folders of distrusted certificates, and links
/// to the distribution's own files.
struct AdministratorsAnchors {
    /// The folders that Debian and Fedora use.
    static let folders = ["/usr/local/share/ca-certificates", "/etc/pki/ca-trust/source"]

    /// The folders of distrusted certificates on Fedora.
    private static let distrustedNames: Set<String> = ["blocklist", "blacklist"]

    /// The folder of the distribution's files. Fedora links these files into the administrator's folders.
    private static let distributionFolder = "/usr/share/pki/"

    private static let maximumDepth = 8
    private static let maximumFiles = 4096

    private var certificates: Set<Certificate> = []
    private var visited: Set<String> = []
    private var files = 0

    /// Returns the certificates below some folders. The folders don't have to exist.
    ///
    /// Reads at most 4,096 files and 8 levels of folders. A certificate that isn't found counts as one of the
    /// distribution's.
    static func certificates(below folders: [String]) -> Set<Certificate> {
        var reader = AdministratorsAnchors()
        for folder in folders { reader.readFolder(folder, depth: 0) }
        return reader.certificates
    }

    private mutating func readFolder(_ path: String, depth: Int) {
        guard depth < Self.maximumDepth, visited.insert(realPath(path)).inserted,
            let names = try? FileManager.default.contentsOfDirectory(atPath: path)
        else { return }
        for name in names.sorted() where files < Self.maximumFiles {
            let item = path + "/" + name
            var isFolder = false
            guard FileManager.default.fileExists(atPath: item, isDirectory: &isFolder) else { continue }
            if isFolder {
                if !Self.distrustedNames.contains(name) { readFolder(item, depth: depth + 1) }
            } else {
                files += 1
                readFile(item)
            }
        }
    }

    private mutating func readFile(_ path: String) {
        // Opening a pipe would block until a writer opens it.
        let limit = CertificateFolder.maximumFileSize
        guard !realPath(path).hasPrefix(Self.distributionFolder),
            let bytes = try? FileContents(ofFile: path, maximumSize: limit, onlyRegular: true).bytes,
            bytes.count <= limit
        else { return }
        guard PEM.isPEM(bytes) else {
            if let certificate = try? Certificate(der: bytes) { certificates.insert(certificate) }
            return
        }
        // If a file here distrusts a certificate, it isn't one of the administrator's anchors.
        let attributes = P11KitReader.recognizes(bytes) ? try? P11KitReader.read(bytes, date: nil) : nil
        for case .success(let block) in PEM.blocks(in: bytes) {
            guard let (certificate, settings) = try? TrustedCertificateSettings.parse(block.der),
                settings?.purposes.contains(.serverAuth) != false,
                attributes?.entries[certificate.sha256]?.alternatives.isEmpty != true
            else { continue }
            certificates.insert(certificate)
        }
    }

    private func realPath(_ path: String) -> String { URL(fileURLWithPath: path).resolvingSymlinksInPath().path }
}
