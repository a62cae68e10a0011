// SPDX-License-Identifier: Apache-2.0

import Foundation
import ServerTrust
import Testing

@Suite("Stored pins and patterns") struct PinCodingTests {
    private struct Record: Codable, Equatable {
        var pin: SPKIPin
        var hosts: HostPattern
    }

    @Test("A pin and a pattern are encoded as strings")
    func texts() throws {
        let json = #"{"hosts":"**.example.com","pin":"sha256\/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="}"#
        let record = try JSONDecoder().decode(Record.self, from: Data(json.utf8))
        #expect(record.pin.sha256 == [UInt8](repeating: 0, count: 32))
        #expect(try record.hosts == HostPattern("**.example.com"))
        #expect(try JSONDecoder().decode(Record.self, from: JSONEncoder().encode(record)) == record)
    }

    @Test(
        "Decoding throws for a string that isn't a pin or a pattern",
        arguments: [
            (#"{"hosts":"example.com","pin":"sha256/AAAA"}"#, "pinLengthWrong"),
            (
                #"{"hosts":"example.com:443","pin":"sha256/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="}"#,
                "hostPatternHasPort"
            ),
        ])
    func wrong(json: String, code: String) throws {
        let error = #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(Record.self, from: Data(json.utf8))
        }
        guard case .dataCorrupted(let context) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        let found = (context.underlyingError as? any TrustError).map { "\($0.code)" }
        #expect(found == code)
    }
}
