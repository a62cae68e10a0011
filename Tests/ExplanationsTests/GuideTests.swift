// SPDX-License-Identifier: Apache-2.0

import ServerTrust
import Testing

@testable import Explanations

@Suite("Guides to failure codes") struct GuideTests {
    @Test("Guides are found by code, and each once") func guidesAreFoundByCode() {
        #expect(FailureGuide.of(.certificateExpired)?.code == .certificateExpired)
        let names = FailureGuides.groups.joined().map(\.code.name)
        #expect(Set(names).count == names.count)
    }
}
