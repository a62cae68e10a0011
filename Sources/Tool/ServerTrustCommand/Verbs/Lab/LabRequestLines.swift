// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrust
import ServerTrustLab

/// The chains of one scenario in a format. Several threads may use it at once.
struct LabRequestLines: Sendable {
    private let series: LabChainSeries
    private let format: LabRequestFormat
    /// The certificates after the leaf, in base64. For PEM, with its header and footer lines.
    private let issuers: [String]
    private let anchors: [String]
    private let time: String

    init(_ series: LabChainSeries, _ format: LabRequestFormat) {
        self.series = series
        self.format = format
        self.issuers = series.issuers.map {
            format == .csv || format == .pem ? PEM.encode($0.der, label: "CERTIFICATE") : Base64.encode($0.der)
        }
        self.anchors = series.certificates.anchors.map { Base64.encode($0.der) }
        self.time = series.certificates.verifyDate.description
    }

    /// Appends the chain with this number, ending with a line feed.
    func append(_ number: Int, to bytes: inout [UInt8]) throws {
        let leaf = try series.leaf(number)
        switch format {
        case .pem:
            bytes += pem(leaf).utf8
        case .csv:
            bytes += "\(id(number)),\(series.host(number)),\"\(pem(leaf))\"\n".utf8
        case .requests, .zgrab2, .zcertificate:
            var json = JSONWriter(isIndented: false)
            switch format {
            case .zgrab2: writeScan(number, leaf, to: &json)
            case .zcertificate: Self.writeRaw(Base64.encode(leaf), to: &json)
            default: try writeRequest(number, leaf, to: &json)
            }
            json.lineFeed()
            bytes += json.bytes
        }
    }

    private func id(_ number: Int) -> String { "\(series.scenario.name)-\(number)" }

    private func pem(_ leaf: [UInt8]) -> String {
        ([PEM.encode(leaf, label: "CERTIFICATE")] + issuers).joined()
    }

    // MARK: - JSON

    /// Writes a request for `verify --batch`.
    private func writeRequest(_ number: Int, _ leaf: [UInt8], to json: inout JSONWriter) throws {
        let evidence = try series.evidence(for: leaf)
        json.object { json in
            json.key("id")
            json.string(id(number))
            json.key("host")
            json.string(series.host(number))
            json.key("chain")
            json.array(of: [Base64.encode(leaf)] + issuers) { $0.string($1) }
            json.key("anchors")
            json.array(of: anchors) { $0.string($1) }
            json.key("time")
            json.string(time)
            writeSettings(evidence, to: &json)
        }
    }

    /// Writes the scenario's client settings that differ from the defaults.
    private func writeSettings(_ evidence: RevocationData, to json: inout JSONWriter) {
        let client = series.certificates.client
        if client.policy.isStrict {
            json.key("strict")
            json.boolean(true)
        }
        if let maximum = client.policy.maximumIntermediates {
            json.key("maximumIntermediates")
            json.number(maximum)
        }
        if client.revocation != .off {
            json.key("revocation")
            json.string(client.revocation.rawValue)
        }
        if !evidence.crls.isEmpty {
            json.key("crls")
            json.array(of: evidence.crls) { $0.string(Base64.encode($1)) }
        }
        if !evidence.ocspResponses.isEmpty {
            json.key("ocspResponses")
            json.array(of: evidence.ocspResponses) { $0.string(Base64.encode($1)) }
        }
        if !series.certificates.pins.isEmpty {
            json.key("pins")
            json.array(of: series.certificates.pins) { $0.string($1.description) }
        }
    }

    /// Writes a line in zgrab2's format, with only the keys that contain the chain.
    private func writeScan(_ number: Int, _ leaf: [UInt8], to json: inout JSONWriter) {
        json.object { json in
            json.key("ip")
            json.string("192.0.2.1")
            json.key("domain")
            json.string(series.host(number))
            json.key("data")
            json.object { json in
                json.key("tls")
                json.object { json in
                    json.key("status")
                    json.string("success")
                    json.key("protocol")
                    json.string("tls")
                    json.key("result")
                    json.object { json in
                        json.key("handshake_log")
                        json.object { writeHandshake(leaf, to: &$0) }
                    }
                    json.key("timestamp")
                    json.string(time)
                }
            }
        }
    }

    private func writeHandshake(_ leaf: [UInt8], to json: inout JSONWriter) {
        json.key("server_certificates")
        json.object { json in
            json.key("certificate")
            Self.writeRaw(Base64.encode(leaf), to: &json)
            json.key("chain")
            json.array(of: issuers) { Self.writeRaw($1, to: &$0) }
        }
    }

    private static func writeRaw(_ base64: String, to json: inout JSONWriter) {
        json.object { json in
            json.key("raw")
            json.string(base64)
        }
    }
}
