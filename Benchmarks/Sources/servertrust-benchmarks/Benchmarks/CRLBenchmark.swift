// SPDX-License-Identifier: Apache-2.0

import AllocationCounter
import PKIX

/// A large CRL: from bytes to an index, in time and memory, and looking certificates up.
struct CRLBenchmark: Benchmark {
    let name = "crl"
    let summary = "a CRL with 300,000 entries: index and look-up"

    func run(_ settings: Settings) async throws -> Section {
        let crl = try LargeCRL()
        let (index, parse) = (EngineCRLIndex(crl: crl), OpenSSLCRLParse(crl: crl))
        // A fifth of a second each time: twelve rounds say enough.
        let timings = try await settings.race([index, parse], atMost: 12)
        var section = Section(
            benchmark: name, title: "\(summary) (\(crl.der.count) bytes)", timings: timings,
            base: ContenderName.openSSL)
        section.claim(ContenderName.ours, over: ContenderName.openSSL, limit: 0.5, timings)
        if allocation_counter_is_available(), settings.contender == nil {
            let (ours, theirs) = (try await index.allocations().bytes, try await parse.allocations().bytes)
            section.title += "; bytes asked of the heap: \(ours) by ours, \(theirs) by OpenSSL"
            section.claims.append(
                Section.Claim(
                    what: "bytes asked of the heap, ours / OpenSSL", value: Double(ours) / Double(theirs), limit: 0.5,
                    unit: "x"))
        }
        let parsed = try CertificateRevocationList(der: crl.der)
        let lookups: [any Contender] = [
            EngineCRLLookups("\(ContenderName.ours), listed", parsed, [crl.listed], areListed: true),
            EngineCRLLookups("\(ContenderName.ours), not listed", parsed, [crl.unlisted], areListed: false),
            try OpenSSLCRLLookups("\(ContenderName.openSSL), listed", crl.der, [crl.listed], areListed: true),
            try OpenSSLCRLLookups("\(ContenderName.openSSL), not listed", crl.der, [crl.unlisted], areListed: false),
        ]
        for timing in try await settings.race(lookups) {
            section.rows.append(
                Section.Row(name: "look-up, \(timing.name)", timing, base: nil))
            if timing.name.hasPrefix(ContenderName.ours) {
                section.claim("look-up, \(timing.name)", timing, microseconds: 1)
            }
        }
        return section
    }
}
