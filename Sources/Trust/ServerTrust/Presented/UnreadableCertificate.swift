// SPDX-License-Identifier: Apache-2.0

import PKIX

/// A certificate that can't be read. The server presented it, or the caller supplied it.
package struct UnreadableCertificate: Sendable, Hashable {
    /// Its place for people, such as `certificate sent as number 2` or `anchors[0]`.
    let place: String
    /// Its index in its list. In the presented chain, 0 is the leaf.
    package let index: Int
    /// Its bytes.
    let der: [UInt8]
    /// The parser's error.
    package let error: DERError
    /// Its subject, or nil if that can't be read either.
    private let subject: DistinguishedName?
    /// The certificate that was presented before it. nil outside of a presented chain, and if that certificate can't be
    /// read.
    private let predecessor: Certificate?

    package init(
        _ place: String, at index: Int, der: [UInt8], _ error: DERError, after predecessor: Certificate? = nil
    ) {
        self.place = place
        self.index = index
        self.der = der
        self.error = error
        self.subject = DistinguishedName(subjectOfUnreadable: der)
        self.predecessor = predecessor
    }

    /// Whether its outermost length is right, so that its issuer encoded it wrongly and nothing cut it off.
    var isComplete: Bool {
        der.count > 4 && der.starts(with: [0x30, 0x82]) && Int(der[2]) * 256 + Int(der[3]) == der.count - 4
    }

    /// Whether its name says that it issued a certificate. If its name can't be read, its place in the chain decides.
    /// The bytes prove nothing, so use this only for reports.
    func mayHaveIssued(_ certificate: Certificate) -> Bool {
        subject.map { $0 == certificate.issuer } ?? (predecessor == certificate)
    }
}
