// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import ServerTrustCommand

/// Valid and malformed CSV files in CCADB's format.
@Suite struct CCADBAddressesTests {
    private static let header = "Owner,Full CRL Issued By This CA,JSON Array of Partitioned CRLs\n"

    private func addresses(_ text: String) throws -> [String] { try CCADBAddresses.all(in: Array(text.utf8)) }

    /// Returns the error for a string, or nil if the reader accepts it.
    private func error(_ bytes: [UInt8]) -> String? {
        do throws(CSVError) {
            _ = try CCADBAddresses.all(in: bytes)
            return nil
        } catch {
            return error.description
        }
    }

    @Test("The reader finds both columns at any position") func columns() throws {
        #expect(
            try addresses(Self.header + "x,http://a/1,\"[\"\"http://a/2\"\",\"\"http://a/3\"\"]\"\n") == [
                "http://a/1", "http://a/2", "http://a/3",
            ])
        let other = "JSON Array of Partitioned CRLs,Full CRL Issued By This CA\n[],http://a/1"
        #expect(try addresses(other) == ["http://a/1"])
    }

    @Test(
        "The reader accepts empty arrays, line breaks in fields, CRLF, a byte order mark and white space",
        arguments: [
            "x,http://a/1,[]\n", "x,http://a/1,\n", "x, http://a/1 ,\" \"\n", "x,\"http://a/1\n\",[ ]\r\n",
            "\"x\n\"\"y\"\",\",http://a/1,\"[]\"", "\r\n\nx,,\"[\n\"\"http://a/1\"\"\r\n]\"\n",
        ])
    func forms(record: String) throws {
        #expect(try addresses(Self.header + record) == ["http://a/1"])
        #expect(try addresses("\u{feff}" + Self.header.replacing("\n", with: "\r\n") + record) == ["http://a/1"])
    }

    @Test(
        "The reader rejects malformed files with the line and column",
        arguments: [
            ("", "1:1: no header"),
            ("Owner,JSON Array of Partitioned CRLs\n", "1:1: no column \"Full CRL Issued By This CA\""),
            (header.replacing("Owner", with: "Full CRL Issued By This CA"), "1:28: the column"),
            (header + "x,\"http://a\n", "2:3: the quote that opens this field is never closed"),
            (header + "x,\"a\"b,[]\n", "2:6: text after the closing quote"),
            (header + "x,a\"b,[]\n", "2:4: a quote inside a field"),
            (header + "x,\0,[]\n", "2:3: a zero byte"), (header + "x,\"\0\",[]\n", "2:4: a zero byte"),
            (header + "x,,[]\nx,\n", "3:1: 2 fields in this record, expected 3"),
            (header + "x,,[],y\n", "2:1: 4 fields in this record, expected 3"),
            (header + "\"x\ny\",,\"[\"\n", "3:5: isn't a JSON array of addresses"),
            (header + "x,,{}\n", "2:4: isn't a JSON array"),
            (header + "x,,[1]\n", "2:4: value 1 of the array isn't a string"),
            (header + "x,,http://a\n", "2:4: isn't a JSON array of addresses"),
            (header + "x,,[[]]\n", "2:4: value 1 of the array isn't a string"),
        ])
    func malformed(text: String, message: String) {
        #expect(error(Array(text.utf8))?.hasPrefix(message) == true)
    }

    @Test("The reader rejects invalid UTF-8 in the columns it uses") func notUTF8() {
        let header = Array(Self.header.utf8)
        #expect(error(header + [0x78, 0x2c, 0xff, 0x2c, 0x0a]) == "2:3: text isn't UTF-8")
        #expect(error(header + [0x78, 0x2c, 0x2c, 0xff, 0x0a]) == "2:4: text isn't UTF-8")
        #expect(error([0xff, 0x2c] + header) == "1:1: text isn't UTF-8")
    }

    @Test("The reader limits the sizes of fields, records and arrays") func limits() {
        let large = String(repeating: "x", count: CSVReader.maximumField + 1)
        #expect(error(Array((Self.header + "\"\(large)\",,\n").utf8)) == "2:1: a field larger than 4 MiB")
        #expect(error(Array((Self.header + "\(large),,\n").utf8)) == "2:1: a field larger than 4 MiB")
        let wide = String(repeating: ",", count: CSVReader.maximumFields)
        #expect(error(Array((Self.header + wide).utf8))?.contains("more than 1024 fields") == true)
        let many = Array(repeating: "\"\"a\"\"", count: CCADBAddresses.maximumShards + 1).joined(separator: ",")
        #expect(error(Array((Self.header + "x,,\"[\(many)]\"\n").utf8))?.hasPrefix("2:4: isn't a JSON array") == true)
        let deep = String(repeating: "[", count: 100_000)
        #expect(error(Array((Self.header + "x,,\(deep)\n").utf8))?.hasPrefix("2:4: isn't a JSON array") == true)
    }

    @Test("The reader distinguishes a CSV file from certificates by its contents") func kinds() {
        #expect(CCADBAddresses.isCSV(Array(Self.header.utf8)))
        #expect(CCADBAddresses.isCSV(Array("a,b\n".utf8)))
        #expect(!CCADBAddresses.isCSV(Array("-----BEGIN CERTIFICATE-----\n".utf8)))
        #expect(!CCADBAddresses.isCSV(Array("subject=CN=a, O=b\n-----BEGIN CERTIFICATE-----\n".utf8)))
        #expect(!CCADBAddresses.isCSV([0x30, 0x82, 0x01, 0x2c, 0x0a]))
        #expect(!CCADBAddresses.isCSV([]))
    }
}
