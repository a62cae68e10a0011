// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrustTesting

/// The curve of a CRL's size: from its bytes to an answer, and each further answer.
struct CRLCurve {
    let rounds: Int

    private static let ours = ContenderName.ours
    private static let theirs = ContenderName.openSSL
    private static let ourLookup = "\(ours), further lookup"
    private static let theirLookup = "\(theirs), further lookup"
    private static let key = TestKey.p256()
    /// The bytes of an entry, and those around the entries.
    private static let (entry, rest) = (35, 225)

    func measure() async throws -> Curve {
        var lines = CurveLines([
            (Self.ours, .ours), (Self.theirs, .openSSL), (Self.ourLookup, .oursSecond),
            (Self.theirLookup, .openSSLSecond),
        ])
        for size in [1_000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000] {
            let crl = try LargeCRL(count: (size - Self.rest) / Self.entry)
            let bytes = Double(crl.der.count)
            lines.add(size: bytes, try await first(crl, rounds: min(rounds, max(3, 30_000_000 / size))))
            lines.add(size: bytes, try await further(crl))
        }
        var curve = Curve(
            file: "crls", title: "Size of a CRL", size: .init(label: "size of the CRL", quantity: .bytes),
            cost: .init(label: "time for one answer", quantity: .time), lines: lines.lines, finding: "",
            growth: """
                **n** for the first answer, **constant** for each further answer. A revocation check charges each byte \
                of the signed part once, the same steps for every size, and nothing for the signature of a list \
                that it has verified before. No counter counts the steps that build the index. The index itself \
                refuses a list that needs more than 64 probes for each entry. Time grows faster where the index is \
                larger than the processor's caches.
                """,
            peers: """
                Both parse the list, verify its signature with P-256 and look up a certificate that it doesn't list. \
                Each further lookup is for another certificate, which the list contains. OpenSSL doesn't compare \
                the dates here. swift-certificates doesn't read CRLs.
                """)
        if let ours = curve.line(Self.ours), let theirs = curve.line(Self.theirs),
            let lookup = curve.line(Self.ourLookup)
        {
            curve.finding = """
                From the bytes of a CRL of 100 MB to an answer takes \(Quantity.time.text(ours.ends.last)), \
                \((ours.ends.last / theirs.ends.last).formatted(decimals: 2)) of OpenSSL's time.
                """
            curve.remark = """
                A further lookup takes \(Quantity.time.text(lookup.ends.first)) with 1 KB and \
                \(Quantity.time.text(lookup.ends.last)) with 100 MB.
                """
        }
        return curve
    }

    private func first(_ crl: LargeCRL, rounds: Int) async throws -> [Timing] {
        try await Race(rounds: rounds).run([
            try EngineCheckedCRL(Self.ours, crl), OpenSSLCheckedCRL(Self.theirs, crl),
        ])
    }

    private func further(_ crl: LargeCRL) async throws -> [Timing] {
        let certificates = try crl.sample.map { serialNumber in
            try crl.authority.issue(.leaf("a.example").with { $0.serialNumber = serialNumber }, key: Self.key)
                .certificate
        }
        return try await Race(rounds: rounds).run([
            EngineCRLLookups(
                Self.ourLookup, try CertificateRevocationList(der: crl.der), certificates, areListed: true),
            try OpenSSLCRLLookups(Self.theirLookup, crl.der, certificates, areListed: true),
        ])
    }
}
