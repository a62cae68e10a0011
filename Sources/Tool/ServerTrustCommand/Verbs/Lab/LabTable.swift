// SPDX-License-Identifier: Apache-2.0

import ServerTrust
import ServerTrustLab

/// The output of `servertrust lab`.
struct LabTable {
    let portBase: Int
    let format: OutputFormat

    // MARK: - Scenarios without servers

    func write(_ scenarios: [LabScenario]) throws {
        try format.write {
            text(scenarios, $0)
        } json: {
            JSONWriter.answer(of: scenarios) { json, scenario in
                json.members(of: scenario)
                json.member("port", Lab.port(of: scenario, from: portBase))
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
        try format.write {
            text(lab, files, $0)
        } json: {
            JSONWriter.answer(of: lab.servers) { json, server in
                json.members(of: server.scenario)
                json.member("url", server.url)
                json.member("host", server.host.description)
                json.member("address", server.address.rawValue)
                json.member("port", server.port)
                json.member("anchors", files.anchorsPath(of: server))
                json.member("allAnchors", files.bundlePath)
                json.member("pins", server.certificates.pins.map(\.description))
                json.member("redirectsTo", server.redirectTarget?.url)
                json.member("repository", server.repository?.url)
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
}

extension JSONWriter {
    fileprivate mutating func members(of scenario: LabScenario) {
        member("scenario", scenario.name)
        member("summary", scenario.summary)
        member("expected", scenario.expected.description)
        member("group", scenario.group?.rawValue)
        member("dependsOnClient", scenario.dependsOnClient)
        member("isForProbes", scenario.isForProbes)
    }
}
