// SPDX-License-Identifier: Apache-2.0

import PKIX

/// One certificate from its bytes: leaves and intermediates of real sites, or of the test CA where the corpora are missing.
struct ParseBenchmark: Benchmark {
    let name = "parse"
    let summary = "one certificate from its bytes"

    private struct Subject {
        var name: String
        var der: [UInt8]
    }

    func run(_ settings: Settings) async throws -> Section {
        let subjects = try subjects()
        var section = Section(
            benchmark: name, title: "\(summary), median µs",
            columns: [
                "bytes", ContenderName.ours, ContenderName.certificates, ContenderName.openSSL,
                "\(ContenderName.ours) / \(ContenderName.certificates)", "instructions",
            ])
        for subject in subjects {
            let timings = try await settings.race([
                EngineParse(der: subject.der), CertificatesParse(der: subject.der), OpenSSLParse(der: subject.der),
            ])
            func timing(_ contender: String) -> Timing? { timings.first { $0.name == contender } }
            func cell(_ contender: String) -> Section.Cell {
                timing(contender).map { .microseconds($0.median) } ?? .none
            }
            let ours = timing(ContenderName.ours)
            let ratio = ours.flatMap { ours in timing(ContenderName.certificates).map { ours.ratio(to: $0) } }
            section.rows.append(
                Section.Row(
                    name: subject.name,
                    cells: [
                        .number(Double(subject.der.count), decimals: 0), cell(ContenderName.ours),
                        cell(ContenderName.certificates), cell(ContenderName.openSSL),
                        ratio.map { .ratio($0) } ?? .none, .instructions(ours?.instructions),
                    ]))
            if let ours {
                section.claim("\(ContenderName.ours), \(subject.name)", ours, microseconds: 2)
            }
            if let ratio {
                // The limit was set beside 13.6 µs by swift-certificates on one machine; their ratio goes for any.
                section.claims.append(
                    Section.Claim(
                        what: "\(ContenderName.ours) / \(ContenderName.certificates), \(subject.name)", value: ratio,
                        limit: 2 / 13.6, unit: "x"))
            }
        }
        return section
    }

    /// A large leaf (137 names), a middling and a small one, and an intermediate.
    private func subjects() throws -> [Subject] {
        let sites = ["google.com", "apple.com", "cloudflare.com"]
        let cases = try Corpus.cases()
        var subjects: [Subject] = []
        for site in sites {
            guard let found = cases.first(where: { $0.id == "online::\(site)" }) else { continue }
            subjects.append(Subject(name: "\(site), leaf", der: try Corpus.certificate(found.peer_certificate)))
            if site == sites[0], let intermediate = found.untrusted_intermediates.first {
                subjects.append(Subject(name: "\(site), intermediate", der: try Corpus.certificate(intermediate)))
            }
        }
        if subjects.isEmpty {
            let chain = try ServerChain(.p256)
            subjects = [
                Subject(name: "test CA, leaf", der: chain.leaf.der),
                Subject(name: "test CA, intermediate", der: chain.intermediate.der),
            ]
        }
        return subjects
    }
}
