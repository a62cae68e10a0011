// SPDX-License-Identifier: Apache-2.0

import PKIX
import Testing

@testable import Diagnosis
@testable import ServerTrust

@Suite("Guides to errors in anchors and lists") struct ListErrorGuideTests {
    static let codes: [ErrorCode] = [
        .systemAnchorsMissing, .systemAnchorsUnreadable, .systemAnchorsListInvalid, .rootListUnreadable,
        .rootListFormUnknown, .rootListInvalid, .rootListEmpty, .deniedListUnreadable, .deniedListFormUnknown,
        .deniedListInvalid, .deniedListEmpty, .logListInvalid, .logListSignatureInvalid, .logListFromFuture,
        .filterFileUnreadable, .filterFileInvalid, .filterFolderUnsuitable, .filterFolderBusy,
    ]

    @Test("Every code has a guide with a remedy, and no path failure has the same name") func guides() throws {
        #expect(Set(ErrorGuide.lists.map(\.code)) == Set(Self.codes.map(\.name)))
        for code in Self.codes {
            let guide = try #require(ErrorGuide.of(code.name))
            #expect(!guide.meaning.isEmpty && !guide.remedies.isEmpty)
            #expect(TrustFailure.Code.named(code.name) == nil)
        }
    }
}
