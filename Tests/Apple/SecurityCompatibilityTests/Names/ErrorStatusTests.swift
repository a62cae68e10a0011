// SPDX-License-Identifier: Apache-2.0

import PKIX
import SecurityCompatibility
import ServerTrust
import Testing

/// The constants for the codes that an evaluation reports.
@Suite("Error constants")
struct ErrorStatusTests {
    /// The module's constants by name, from the list of signatures.
    private static let constants: [String: Int32] = Dictionary(
        uniqueKeysWithValues: signatures().compactMap { line in
            let parts = line.split(separator: " ")
            guard parts.count == 5, parts[0] == "let", parts[1].hasPrefix("errS"), let number = Int32(parts[4]) else {
                return nil
            }
            return (String(parts[1].dropLast()), number)
        })

    @Test("Each code that an evaluation can report has a constant with the same name", arguments: TrustFailure.Code.all)
    func named(code: TrustFailure.Code) {
        for numbers in [code.appleErrorNumbers, code.appleErrorNumbers.asReported] {
            #expect(Self.constants[numbers.securityName] == numbers.securityStatus)
            #expect(Self.constants[numbers.secureTransportName] == numbers.secureTransportStatus)
        }
    }

    @Test("Each error code has its own message")
    func texts() {
        let numbers = TrustFailure.Code.all.flatMap { code in
            [code.appleErrorNumbers.securityStatus, code.appleErrorNumbers.asReported.securityStatus]
        }
        let texts = Set(numbers).map { SecCopyErrorMessageString($0, nil) }
        #expect(texts.count > 20)
        #expect(texts.allSatisfy { $0?.isEmpty == false })
        #expect(Set(texts).count == texts.count)
        #expect(SecCopyErrorMessageString(1, nil) == nil)
    }
}
