// SPDX-License-Identifier: Apache-2.0

extension DistinguishedName {
    /// Parses the subject of bytes that aren't a certificate in strict DER, for a report. Returns nil if this fails,
    /// too, or if the subject has more than 4 KB.
    ///
    /// Checks only the structure up to the subject, and the subject itself. Path validation doesn't use this name.
    package init?(subjectOfUnreadable der: [UInt8]) {
        let view = der[...]
        var outer = DERReader(view.span)
        guard var reader = try? outer.nextSequence("certificate") else { return nil }
        guard var fields = try? reader.nextSequence("tbsCertificate") else { return nil }
        if fields.nextTag == DERTag.contextConstructed(0), (try? fields.next("version")) == nil { return nil }
        guard (try? fields.next(DERTag.integer, "serialNumber")) != nil else { return nil }
        // The signature algorithm, the issuer and the validity.
        for _ in 0..<3 where (try? fields.next(DERTag.sequence, "tbsCertificate")) == nil { return nil }
        guard let subject = try? fields.next(DERTag.sequence, "subject"),
            subject.whole.count <= 4 * Certificate.maximumTextSize,
            let name = try? DistinguishedName(der: Array(der[subject.whole.indices])), !name.isEmpty
        else { return nil }
        self = name
    }
}
