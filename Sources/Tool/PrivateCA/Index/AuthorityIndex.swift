// SPDX-License-Identifier: Apache-2.0

import Foundation
import PKIX
import ServerTrust

/// The file `index.json` of an ``AuthorityFolder``: the records of all issued certificates, in the order of issue.
struct AuthorityIndex {
    /// The SHA-256 digest of the root's certificate. An index belongs to one root.
    var root: String
    /// The number of the last CRL, or 0 if there is no CRL.
    var crlNumber: UInt64 = 0
    /// The default addresses for new certificates. They never require a staple.
    var addresses = RevocationPointers()
    var records: [AuthorityRecord] = []
}

extension AuthorityIndex {
    private struct Contents: Codable {
        var schemaVersion: Int
        var root: String
        var crlNumber: UInt64
        var crlURL: String?
        var ocspURL: String?
        var certificates: [Row]

        struct Row: Codable {
            var serial: String
            var names: [String]
            var purpose: IssuedPurpose
            var notBefore: String
            var notAfter: String
            var sha256: String
            var file: String?
            var revoked: String?
            var reason: IssuedRevocationReason?
            var crlURL: String?
            var ocspURL: String?
            var mustStaple: Bool?
            var withoutURLs: [String]?
        }
    }

    /// The supported versions. A folder without addresses is written as version 1, one with addresses as version 2. A
    /// program that doesn't support addresses then refuses the folder instead of losing them.
    private static let schemaVersions = 1...2

    private var schemaVersion: Int {
        let isPlain = records.allSatisfy {
            $0.revocationPointers == RevocationPointers() && $0.addressesLeftOut.isEmpty
        }
        return isPlain && addresses == RevocationPointers() ? 1 : 2
    }

    init(path: String) throws(AuthorityFolderError) {
        let bytes = try FolderFile.read(path)
        do {
            let contents = try JSONDecoder().decode(Contents.self, from: Data(bytes))
            guard Self.schemaVersions.contains(contents.schemaVersion) else {
                throw AuthorityFolderError(
                    path, .malformed("schemaVersion \(contents.schemaVersion), expected \(Self.expectedVersions)"))
            }
            self.root = contents.root
            self.crlNumber = contents.crlNumber
            self.addresses = RevocationPointers(
                crl: try Self.address(contents.crlURL, .crl, path),
                ocsp: try Self.address(contents.ocspURL, .ocsp, path))
            self.records = try contents.certificates.map { row in
                guard row.serial.count == 32, row.serial.utf8.allSatisfy(Self.isDigit) else {
                    throw AuthorityFolderError(path, .malformed("\"\(row.serial)\" isn't a serial number of this CA"))
                }
                return AuthorityRecord(
                    serialNumber: row.serial, names: row.names, purpose: row.purpose,
                    notBefore: try Time(rfc3339: row.notBefore), notAfter: try Time(rfc3339: row.notAfter),
                    sha256: row.sha256, file: row.file,
                    revocation: try row.revoked.map {
                        AuthorityRevocation(time: try Time(rfc3339: $0), reason: row.reason ?? .unspecified)
                    },
                    revocationPointers: RevocationPointers(
                        crl: try Self.address(row.crlURL, .crl, path, of: row.serial),
                        ocsp: try Self.address(row.ocspURL, .ocsp, path, of: row.serial),
                        mustStaple: row.mustStaple ?? false),
                    addressesLeftOut: try Self.kinds(row.withoutURLs ?? [], path, of: row.serial))
            }
        } catch let error as AuthorityFolderError {
            throw error
        } catch {
            throw AuthorityFolderError(path, .malformed("isn't an index of a CA: \(error)"))
        }
    }

    func encoded(path: String) throws(AuthorityFolderError) -> [UInt8] {
        let contents = Contents(
            schemaVersion: schemaVersion, root: root, crlNumber: crlNumber, crlURL: addresses.crl?.url,
            ocspURL: addresses.ocsp?.url,
            certificates: records.map { record in
                Contents.Row(
                    serial: record.serialNumber, names: record.names, purpose: record.purpose,
                    notBefore: record.notBefore.description, notAfter: record.notAfter.description,
                    sha256: record.sha256, file: record.file, revoked: record.revocation?.time.description,
                    reason: record.revocation?.reason, crlURL: record.revocationPointers.crl?.url,
                    ocspURL: record.revocationPointers.ocsp?.url,
                    mustStaple: record.revocationPointers.mustStaple ? true : nil,
                    withoutURLs: record.addressesLeftOut.isEmpty
                        ? nil : record.addressesLeftOut.map(\.rawValue).sorted())
            })
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return try AuthorityFolderError.of(path, AuthorityFolderError.Reason.notWritable) {
            JSONWriter.escaping(try encoder.encode(contents)) + [0x0a]
        }
    }

    private static var expectedVersions: String { "\(schemaVersions.lowerBound) or \(schemaVersions.upperBound)" }

    /// Returns a stored address, or nil if there is no URL. The address is checked again because the file may have been
    /// edited.
    private static func address(
        _ url: String?, _ kind: RevocationAddress.Kind, _ path: String, of serialNumber: String? = nil
    ) throws(AuthorityFolderError) -> RevocationAddress? {
        guard let url else { return nil }
        do throws(RevocationAddressError) { return try RevocationAddress(url, kind: kind) } catch {
            let owner = serialNumber.map { " of certificate \($0)" } ?? ""
            throw AuthorityFolderError(path, .malformed("\(kind.rawValue)URL\(owner): \(error)"))
        }
    }

    private static func kinds(
        _ names: [String], _ path: String, of serialNumber: String
    ) throws(AuthorityFolderError) -> Set<RevocationAddress.Kind> {
        var kinds: Set<RevocationAddress.Kind> = []
        for name in names {
            guard let kind = RevocationAddress.Kind(rawValue: name) else {
                throw AuthorityFolderError(
                    path, .malformed("withoutURLs of certificate \(serialNumber): expected only crl and ocsp"))
            }
            kinds.insert(kind)
        }
        return kinds
    }

    /// Whether a byte is a lowercase hexadecimal digit.
    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
    }
}
