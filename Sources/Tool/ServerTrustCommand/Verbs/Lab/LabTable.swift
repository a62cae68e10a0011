// SPDX-License-Identifier: Apache-2.0

import ServerTrust
import ServerTrustLab

/// The output of `servertrust lab`.
struct LabTable {
    let portBase: Int
    let format: OutputFormat

    // MARK: - Scenarios without servers

    func write(_ scenarios: [LabScenario]) throws {
        switch format {
        case .text: try StandardStream.output.write(Array(text(scenarios, Palette.forStandardOutput()).utf8))
        case .json:
            try write(scenarios) { json, scenario in
                json.members(of: scenario)
                json.key("port")
                json.number(Lab.port(of: scenario, from: portBase))
            }
        }
    }

    private func text(_ scenarios: [LabScenario], _ palette: Palette) -> String {
        let names = (scenarios.map(\.name.count).max() ?? 0) + 2
        let findings = (scenarios.map(\.expected.description.count).max() ?? 0) + 2
        var lines: [String] = []
        for group in LabScenario.Group.allCases {
            let members = group.scenarios.filter(scenarios.contains)
            guard !members.isEmpty else { continue }
            lines += (lines.isEmpty ? [] : [""]) + [palette.bold(group.title)]
            lines += members.map { scenario in
                "  " + scenario.name.padded(to: names) + scenario.expected.description.padded(to: findings)
                    + palette.faint(scenario.summary)
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    // MARK: - Servers

    func write(_ lab: Lab, _ files: LabFiles) throws {
        switch format {
        case .text: try StandardStream.output.write(Array(text(lab, files, Palette.forStandardOutput()).utf8))
        case .json:
            try write(lab.servers) { json, server in
                json.members(of: server.scenario)
                json.key("url")
                json.string(server.url)
                json.key("host")
                json.string(server.host.description)
                json.key("address")
                json.string(server.address.rawValue)
                json.key("port")
                json.number(server.port)
                json.key("anchors")
                json.string(files.anchorsPath(of: server))
                json.key("allAnchors")
                json.string(files.bundlePath)
                json.key("pins")
                json.array(of: server.certificates.pins) { $0.string($1.description) }
                json.key("redirectsTo")
                json.string(server.redirectTarget?.url)
                json.key("repository")
                json.string(server.repository?.url)
            }
        }
    }

    private func text(_ lab: Lab, _ files: LabFiles, _ palette: Palette) -> String {
        let urls = (lab.servers.map(\.url.count).max() ?? 0) + 3
        let names = (lab.servers.map(\.scenario.name.count).max() ?? 0) + 3
        let indent = String(repeating: " ", count: urls)
        let count = lab.servers.count
        var lines = ["\(counted(count, "server")) on \(LoopbackAddress.v4.rawValue)", ""]
        for server in lab.servers {
            lines.append(
                server.url.padded(to: urls) + palette.bold(server.scenario.name.padded(to: names))
                    + server.expected.description)
            lines.append(indent + palette.faint(server.scenario.summary))
            lines += server.certificates.pins.map { indent + palette.faint("asks for \($0)") }
            if let target = server.redirectTarget {
                lines.append(indent + palette.faint("redirects to \(target.url), \(target.expected) there"))
            }
        }
        lines += [
            "", "roots        \(printable(files.bundlePath))",
            "repository   \(lab.repository.url) serves issuers, CRLs and OCSP", "",
        ]
        if let server = lab.servers.first {
            let name = server.host
            lines += [
                "The names aren't in DNS: connect to the address, and send the name in the handshake.",
                "$ curl --cacert \(printable(files.bundlePath)) --connect-to ::\(server.address.rawValue): \(server.url)/",
                "$ openssl s_client -connect \(server.address.rawValue):\(server.port) -servername \(name) \\",
                "    -verify_hostname \(name) -verify_return_error -CAfile \(printable(files.bundlePath))", "",
            ]
        }
        lines.append("Ctrl-C stops them and removes the roots.")
        return lines.joined(separator: "\n") + "\n"
    }

    // MARK: - JSON

    private func write<Row>(_ rows: [Row], _ members: (inout JSONWriter, Row) -> Void) throws {
        var json = JSONWriter(isIndented: true)
        json.array(of: rows) { json, row in
            json.object { json in
                json.key("schemaVersion")
                json.number(1)
                members(&json, row)
            }
        }
        json.lineFeed()
        try StandardStream.output.write(json.bytes)
    }
}

extension JSONWriter {
    fileprivate mutating func members(of scenario: LabScenario) {
        key("scenario")
        string(scenario.name)
        key("summary")
        string(scenario.summary)
        key("expected")
        string(scenario.expected.description)
        key("group")
        string(scenario.group?.rawValue)
        key("dependsOnClient")
        boolean(scenario.dependsOnClient)
        key("isForProbes")
        boolean(scenario.isForProbes)
    }
}
