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
                "\(ContenderName.ours) / \(ContenderName.certificates)",
            ])
        for subject in subjects {
            let timings = try await settings.race([
                EngineParse(der: subject.der), CertificatesParse(der: subject.der), OpenSSLParse(der: subject.der),
            ])
            func median(_ contender: String) -> Double? { timings.first { $0.name == contender }?.median }
            let ours = median(ContenderName.ours)
            let theirs = median(ContenderName.certificates)
            section.rows.append(
                Section.Row(
                    name: subject.name,
                    cells: [
                        .number(Double(subject.der.count), decimals: 0),
                        ours.map { .microseconds($0) } ?? .none,
                        theirs.map { .microseconds($0) } ?? .none,
                        median(ContenderName.openSSL).map { .microseconds($0) } ?? .none,
                        ours.flatMap { ours in theirs.map { .ratio(ours / $0) } } ?? .none,
                    ]))
            if let ours {
                section.claims.append(
                    Section.Claim(what: "\(ContenderName.ours), \(subject.name)", value: ours / 1000, limit: 2, unit: "µs"))
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
