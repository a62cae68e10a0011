// SPDX-License-Identifier: Apache-2.0

import Foundation
import PKIX
import ServerTrust
import ServerTrustTesting
import Testing

@testable import TrustReports

@Suite struct TrustReportTests {
    @Test func `every code of this package has a group of checks`() {
        let own: Set<String> = ["evaluatorRefused"]
        for code in TrustFailure.Code.all where CheckGroup(code) == .custom { #expect(own.contains(code.name)) }
    }
}
