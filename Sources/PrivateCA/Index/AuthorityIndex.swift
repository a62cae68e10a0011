// SPDX-License-Identifier: Apache-2.0

import Foundation
import PKIX

/// The file `index.json` of an ``AuthorityFolder``: the records of all issued certificates, in the order of issue.
struct AuthorityIndex {
    /// The SHA-256 digest of the root's certificate: an index belongs to one root.
    var root: String
    /// The number of the last CRL; 0 if there was none.
    var crlNumber: UInt64 = 0
    var records: [AuthorityRecord] = []
}

extension AuthorityIndex {
    private struct Contents: Codable {
        var schemaVersion: Int
        var root: String
        var crlNumber: UInt64
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
        }
    }

    private static let schemaVersion = 1

    init(path: String) throws(AuthorityFolderError) {
        let bytes = try FolderFile.read(path)
        do {
            let contents = try JSONDecoder().decode(Contents.self, from: Data(bytes))
            guard contents.schemaVersion == Self.schemaVersion else {
                throw AuthorityFolderError(
                    path, .malformed("schemaVersion \(contents.schemaVersion), expected \(Self.schemaVersion)"))
            }
            self.root = contents.root
            self.crlNumber = contents.crlNumber
            self.records = try contents.certificates.map { row in
                guard row.serial.count == 32, row.serial.utf8.allSatisfy(Self.isDigit) else {
                    throw AuthorityFolderError(path, .malformed("\"\(row.serial)\" is no serial number of this CA"))
                }
                return AuthorityRecord(
                    serialNumber: row.serial, names: row.names, purpose: row.purpose,
                    notBefore: try Time(rfc3339: row.notBefore), notAfter: try Time(rfc3339: row.notAfter),
                    sha256: row.sha256, file: row.file,
                    revocation: try row.revoked.map {
                        AuthorityRevocation(time: try Time(rfc3339: $0), reason: row.reason ?? .unspecified)
                    })
            }
        } catch let error as AuthorityFolderError {
            throw error
        } catch {
            throw AuthorityFolderError(path, .malformed("is no index of a CA: \(error)"))
        }
    }

    func encoded(path: String) throws(AuthorityFolderError) -> [UInt8] {
        let contents = Contents(
            schemaVersion: Self.schemaVersion, root: root, crlNumber: crlNumber,
            certificates: records.map { record in
                Contents.Row(
                    serial: record.serialNumber, names: record.names, purpose: record.purpose,
                    notBefore: record.notBefore.description, notAfter: record.notAfter.description,
                    sha256: record.sha256, file: record.file, revoked: record.revocation?.time.description,
                    reason: record.revocation?.reason)
            })
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        do {
            return [UInt8](try encoder.encode(contents)) + [0x0a]
        } catch {
            throw AuthorityFolderError(path, .notWritable("\(error)"))
        }
    }

    /// Returns whether a byte is a hexadecimal digit in lower case.
    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
    }
}
