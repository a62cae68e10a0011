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
        var certificates: [AuthorityRecord]
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
            self.records = contents.certificates
            for record in records { try Self.check(record, path) }
        } catch let error as AuthorityFolderError {
            throw error
        } catch DecodingError.dataCorrupted(let context) {
            throw AuthorityFolderError(path, .malformed("isn't an index of a CA: \(context.debugDescription)"))
        } catch {
            throw AuthorityFolderError(path, .malformed("isn't an index of a CA: \(error)"))
        }
    }

    func encoded(path: String) throws(AuthorityFolderError) -> [UInt8] {
        let contents = Contents(
            schemaVersion: schemaVersion, root: root, crlNumber: crlNumber, crlURL: addresses.crl?.url,
            ocspURL: addresses.ocsp?.url, certificates: records)
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

    private static func check(_ record: AuthorityRecord, _ path: String) throws(AuthorityFolderError) {
        let serialNumber = record.serialNumber
        guard serialNumber.count == 32, serialNumber.utf8.allSatisfy(isDigit) else {
            throw AuthorityFolderError(path, .malformed("\"\(serialNumber)\" isn't a serial number of this CA"))
        }
        _ = try address(record.crlURL, .crl, path, of: serialNumber)
        _ = try address(record.ocspURL, .ocsp, path, of: serialNumber)
        guard (record.withoutURLs ?? []).allSatisfy({ RevocationAddress.Kind(rawValue: $0) != nil }) else {
            throw AuthorityFolderError(
                path, .malformed("withoutURLs of certificate \(serialNumber): expected only crl and ocsp"))
        }
    }

    /// Whether a byte is a lowercase hexadecimal digit.
    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
    }
}
