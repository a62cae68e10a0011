// SPDX-License-Identifier: Apache-2.0

import PinLint
import PinTestSupport
import ServerTrust
import ServerTrustPins
import ServerTrustTesting
import Testing

extension PinFixture {
    func configuration(_ text: String, _ format: PinFormat) throws -> PinConfiguration {
        try PinConfiguration(reading: Array(filled(text).utf8), as: format, file: "pins")
    }
}

/// A row in a format's table: a sentence with its source, a file, a host and the verdict.
struct SemanticsRow: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let file: String
    let host: String
    let outcome: PinOutcome
    let time: Time

    init(
        _ sentence: String, _ file: String, _ host: String, _ outcome: PinOutcome, at time: Time = TestAuthority.now
    ) {
        self.testDescription = sentence
        self.file = file
        self.host = host
        self.outcome = outcome
        self.time = time
    }

    func run(_ format: PinFormat) throws {
        let scene = try PinFixture.shared()
        let configuration = try scene.configuration(file, format)
        #expect(try scene.outcome(configuration, host: host, at: time) == outcome)
        // The package's own format can express all of it.
        let json = try configuration.written(as: .json)
        #expect(json.losses == [])
        let again = try PinConfiguration(reading: json.bytes, as: .json, file: "again")
        #expect(try scene.outcome(again, host: host, at: time) == outcome)
    }
}
