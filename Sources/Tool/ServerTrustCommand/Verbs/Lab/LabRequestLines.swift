// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrust
import ServerTrustLab

/// The chains of one scenario in a format. Several threads may use it at once.
struct LabRequestLines: Sendable {
    private let series: LabChainSeries
    private let format: LabRequestFormat
    /// The certificates after the leaf, in base64. For a table, in PEM.
    private let issuers: [String]
    private let anchors: [String]
    private let time: String

    init(_ series: LabChainSeries, _ format: LabRequestFormat) {
        self.series = series
        self.format = format
        self.issuers = series.issuers.map {
            format == .csv ? PEM.encode($0.der, label: "CERTIFICATE") : Base64.encode($0.der)
        }
        self.anchors = series.certificates.anchors.map { Base64.encode($0.der) }
        self.time = series.certificates.verifyDate.description
    }

    /// Appends the chain with this number, ending with a line feed.
    func append(_ number: Int, to bytes: inout [UInt8]) throws {
        let leaf = try series.leaf(number)
        switch format {
        case .csv:
            let pem = ([PEM.encode(leaf, label: "CERTIFICATE")] + issuers).joined()
            bytes += "\(id(number)),\(series.host(number)),\"\(pem)\"\n".utf8
        case .requests:
            var json = JSONWriter(isIndented: false)
            try writeRequest(number, leaf, to: &json)
            json.lineFeed()
            bytes += json.bytes
        }
    }

    private func id(_ number: Int) -> String { "\(series.scenario.name)-\(number)" }

    // MARK: - JSON

    /// Writes a request for `verify --batch`.
    private func writeRequest(_ number: Int, _ leaf: [UInt8], to json: inout JSONWriter) throws {
        let evidence = try series.evidence(for: leaf)
        json.object { json in
            json.member("id", id(number))
            json.member("host", series.host(number))
            json.member("chain", [Base64.encode(leaf)] + issuers)
            json.member("anchors", anchors)
            json.member("time", time)
            writeSettings(evidence, to: &json)
        }
    }

    /// Writes the scenario's client settings that differ from the defaults.
    private func writeSettings(_ evidence: RevocationData, to json: inout JSONWriter) {
        let client = series.certificates.client
        if client.policy.isStrict { json.member("strict", true) }
        if let maximum = client.policy.maximumIntermediates { json.member("maximumIntermediates", maximum) }
        if client.revocation != .off { json.member("revocation", client.revocation.rawValue) }
        if !evidence.crls.isEmpty { json.member("crls", evidence.crls.map { Base64.encode($0) }) }
        if !evidence.ocspResponses.isEmpty {
            json.member("ocspResponses", evidence.ocspResponses.map { Base64.encode($0) })
        }
        if !series.certificates.pins.isEmpty { json.member("pins", series.certificates.pins.map(\.description)) }
    }
}
