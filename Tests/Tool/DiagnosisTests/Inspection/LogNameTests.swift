// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrustTesting
import Testing

@testable import Diagnosis

@Suite("Names of Certificate Transparency logs")
struct LogNameTests {
    @Test("The description shows the names of known logs after their identifiers") func names() throws {
        let known = try TestLog("Known", operatedBy: "One")
        let other = try TestLog("Other", operatedBy: "Two")
        let leaf = try TestAuthority.root(.authority("Root")).issue(
            .leaf("www.example.com").with { $0.timestamps = [known.timestamp(), other.timestamp()] }
        ).certificate
        let object = try #require(InspectionReader.read(leaf.der, name: "leaf.der").objects.first)
        let description = ObjectDescription(object, at: TestAuthority.now)
        func logs(_ description: ObjectDescription) -> [String] {
            func values(_ detail: Detail) -> [String] {
                (detail.label == "log" ? [detail.value ?? ""] : []) + detail.members.flatMap(values)
            }
            return description.details.flatMap(values)
        }
        let identifiers = [known, other].map { Base64.encode($0.logID) }
        #expect(logs(description) == identifiers)
        #expect(
            logs(description.naming([identifiers[0]: "Known, One, usable"])) == [
                "\(identifiers[0]) (Known, One, usable)", identifiers[1],
            ])
    }
}
