// SPDX-License-Identifier: Apache-2.0

import ServerTrust

/// The addresses of CRLs in CCADB's reports of all certificate records (`AllCertificateRecordsCSVFormatv*`). Browsers
/// require CAs to disclose them there. Records of expired and revoked CAs are included.
enum CCADBAddresses {
    /// The name of the column with the address of a CA's full CRL.
    static let whole = "Full CRL Issued By This CA"
    /// The name of the column with the addresses of a CA's partitioned CRLs, as a JSON array.
    static let shards = "JSON Array of Partitioned CRLs"

    /// The maximum number of addresses in an array.
    static let maximumShards = 10_000

    /// Returns whether bytes are CSV. They are if the first line names one of the two columns. They also are if the
    /// first line contains a comma and the file contains no certificate.
    static func isCSV(_ bytes: [UInt8]) -> Bool {
        let line = String(decoding: bytes.prefix(64 << 10).prefix { $0 != 0x0a }, as: UTF8.self)
        if line.contains(whole) || line.contains(shards) { return true }
        guard let first = bytes.first, first != 0x30, line.contains(",") else { return false }
        return !bytes.contains(text: "-----BEGIN ")
    }

    /// Returns all addresses in order, with any scheme, including duplicates.
    /// - Throws: ``CSVError`` with the place of anything that doesn't match CCADB's format.
    static func all(in bytes: [UInt8]) throws(CSVError) -> [String] {
        var reader = CSVReader(bytes)
        guard let header = try reader.next() else { throw CSVError(place: TextPlace(), detail: "no header") }
        let (wholeColumn, shardColumn) = (try column(whole, header), try column(shards, header))
        var addresses: [String] = []
        while let record = try reader.next() {
            guard record.count == header.count else {
                throw CSVError(
                    place: record.first?.place ?? TextPlace(),
                    detail:
                        "\(counted(record.count, "field")) in this record, expected \(header.count) as in the header")
            }
            let one = try record[wholeColumn].text()[...].trimmed
            if !one.isEmpty { addresses.append(String(one)) }
            addresses += try array(record[shardColumn])
        }
        return addresses
    }

    private static func column(_ name: String, _ header: [CSVField]) throws(CSVError) -> Int {
        var found: Int?
        for (index, field) in header.enumerated() where try field.text()[...].trimmed == name {
            guard found == nil else {
                throw CSVError(place: field.place, detail: "the column \"\(name)\" occurs twice")
            }
            found = index
        }
        guard let found else {
            throw CSVError(
                place: TextPlace(), detail: "no column \"\(name)\", expected a CCADB report of all certificate records")
        }
        return found
    }

    /// Returns the addresses of a field that contains a JSON array of strings, or nothing.
    private static func array(_ field: CSVField) throws(CSVError) -> [String] {
        guard !(try field.text()[...].trimmed.isEmpty) else { return [] }
        let value: JSONValue
        do throws(JSONError) {
            value = try JSONValue(
                parsing: field.bytes, maximumDepth: 2, maximumCount: maximumShards + 1, repeatedKeys: .kept)
        } catch {
            let line = error.line.map { ", line \($0) of the field" } ?? ""
            throw CSVError(place: field.place, detail: "isn't a JSON array of addresses: \(error.detail)\(line)")
        }
        guard case .array(let values) = value.content else {
            throw CSVError(place: field.place, detail: "isn't a JSON array, expected an array of addresses")
        }
        var addresses: [String] = []
        for (index, value) in values.enumerated() {
            guard case .string(let address) = value.content else {
                throw CSVError(place: field.place, detail: "value \(index + 1) of the array isn't a string")
            }
            addresses.append(String(address[...].trimmed))
        }
        return addresses.filter { !$0.isEmpty }
    }
}
