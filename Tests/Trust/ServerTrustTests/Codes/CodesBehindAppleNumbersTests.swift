// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import PKIX
@testable import ServerTrust

@Suite("Codes behind Apple's error numbers") struct CodesBehindAppleNumbersTests {
    @Test("Looking up each number of a code finds the code, for direct and reported numbers")
    func everyCodeIsBehindItsNumbers() {
        for code in TrustFailure.Code.all {
            for numbers in [code.appleErrorNumbers, code.appleErrorNumbers.asReported] {
                #expect(AppleErrorNumbers.codes(forURLErrorCode: numbers.urlErrorCode).contains(code), "\(code)")
                #expect(AppleErrorNumbers.codes(forOSStatus: numbers.secureTransportStatus).contains(code), "\(code)")
                #expect(AppleErrorNumbers.codes(forOSStatus: numbers.securityStatus).contains(code), "\(code)")
            }
        }
    }

    @Test("Looking up a number finds only codes with that number, each once") func everyCodeHasTheNumber() {
        for number in -1_300...(-900) {
            let codes = AppleErrorNumbers.codes(forURLErrorCode: number)
            #expect(Set(codes).count == codes.count)
            #expect(
                codes.allSatisfy {
                    $0.appleErrorNumbers.urlErrorCode == number
                        || $0.appleErrorNumbers.asReported.urlErrorCode == number
                })
        }
        for status in Array(-9_900...(-9_800)) + Array(-68_000...(-67_500)) + [-25_245, -25_318, -26_275] {
            let codes = AppleErrorNumbers.codes(forOSStatus: Int32(status))
            #expect(Set(codes).count == codes.count)
            for numbers in codes.map({ [$0.appleErrorNumbers, $0.appleErrorNumbers.asReported] }) {
                #expect(
                    numbers.contains { Int($0.secureTransportStatus) == status || Int($0.securityStatus) == status })
            }
        }
    }

    @Test("Codes that mean the number precede codes that are reported with it") func meaningPrecedesReports() {
        #expect(AppleErrorNumbers.codes(forURLErrorCode: -1201) == [.certificateExpired])
        #expect(AppleErrorNumbers.codes(forURLErrorCode: -1204) == [.certificateNotYetValid])
        #expect(AppleErrorNumbers.codes(forURLErrorCode: -1203) == [.unknownIssuer])
        #expect(AppleErrorNumbers.codes(forOSStatus: -9814) == [.certificateExpired, .certificateNotYetValid])
        #expect(AppleErrorNumbers.codes(forOSStatus: -9843) == [.subjectAlternativeNameMissing, .hostMismatch])
        #expect(AppleErrorNumbers.codes(forOSStatus: -9813).first == .unknownIssuer)
        #expect(AppleErrorNumbers.codes(forOSStatus: -67_820) == [.certificateRevoked])
    }

    @Test("Looking up other numbers finds nothing") func otherNumbersStandForNothing() {
        for number in [0, -1_001, -999, .max, .min] {
            #expect(AppleErrorNumbers.codes(forURLErrorCode: number).isEmpty)
        }
        for status: Int32 in [0, 1, -9_844, .max, .min] {
            #expect(AppleErrorNumbers.codes(forOSStatus: status).isEmpty)
        }
    }
}
