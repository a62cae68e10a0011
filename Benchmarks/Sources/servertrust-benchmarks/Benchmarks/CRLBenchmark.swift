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
            let (ours, theirs) = (try bytes(index), try bytes(parse))
            section.title += "; bytes asked of the heap: \(ours) by ours, \(theirs) by OpenSSL"
            section.claims.append(
                Section.Claim(
                    what: "bytes asked of the heap, ours / OpenSSL", value: Double(ours) / Double(theirs), limit: 0.5,
                    unit: "x"))
        }
        let parsed = try CertificateRevocationList(der: crl.der)
        let lookups: [any Contender] = [
            EngineCRLLookup(
                name: "\(ContenderName.ours), listed", crl: parsed, certificate: crl.listed, isListed: true),
            EngineCRLLookup(
                name: "\(ContenderName.ours), not listed", crl: parsed, certificate: crl.unlisted, isListed: false),
            try OpenSSLCRLLookup(name: "\(ContenderName.openSSL), listed", crl.der, crl.listed, isListed: true),
            try OpenSSLCRLLookup(name: "\(ContenderName.openSSL), not listed", crl.der, crl.unlisted, isListed: false),
        ]
        for timing in try await settings.race(lookups) {
            section.rows.append(
                Section.Row(
                    name: "look-up, \(timing.name)",
                    cells: [
                        .microseconds(timing.median), .microseconds(timing.fastest), .microseconds(timing.slow), .none,
                        .none, .none, .instructions(timing.instructions),
                    ]))
            if timing.name.hasPrefix(ContenderName.ours) {
                section.claims.append(
                    Section.Claim(what: "look-up, \(timing.name)", value: timing.median / 1000, limit: 1, unit: "µs"))
            }
        }
        return section
    }

    private func bytes(_ contender: some CRLReader) throws -> UInt64 {
        allocation_counter_start()
        defer { _ = allocation_counter_stop() }
        try contender.run(1)
        return allocation_counter_stop().bytes
    }
}

/// Those that read a CRL once an iteration, on the spot.
protocol CRLReader {
    func run(_ iterations: Int) throws
}

extension EngineCRLIndex: CRLReader {}
extension OpenSSLCRLParse: CRLReader {}
