// SPDX-License-Identifier: Apache-2.0

import Inspection
import PKIX
import ServerTrustTesting
import Testing

@Suite("The objects of a file")
struct InspectionReaderTests {
    @Test("PEM and DER of a certificate are one object")
    func certificate() throws {
        let certificate = try TestAuthority.root().issue(.leaf("www.example.com")).certificate
        for bytes in [certificate.der, Array(PEM.encode(certificate.der, label: "CERTIFICATE").utf8)] {
            let file = InspectionReader.read(bytes, name: "leaf")
            #expect(file.objects.map { $0.certificate } == [certificate])
        }
    }
}
