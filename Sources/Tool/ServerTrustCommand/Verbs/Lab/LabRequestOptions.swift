// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import ServerTrustLab

/// The options of `lab` for writing chains without starting a server.
struct LabRequestOptions: ParsableArguments {
    @Option(help: .book("lab run --requests"))
    var requests: Int?

    @Option(help: ArgumentHelp("With --requests, set the scenario mix. (default: 1)", valueName: "n"))
    var seed: UInt64?

    @Option(help: "With --requests, use this format. (default: requests)")
    var requestsFormat: LabRequestFormat?

    @Option(help: .book("lab run --write-anchors"), completion: .file())
    var writeAnchors: String?

    @Flag(help: "Replace the file of --write-anchors if it exists.")
    var force = false

    /// The format of the chains.
    var chainFormat: LabRequestFormat { requestsFormat ?? .requests }

    func validate() throws {
        try OptionRule.check(
            .requires(
                ["--requests": requests],
                for: ["--seed": seed, "--requests-format": requestsFormat, "--write-anchors": writeAnchors]),
            .range("--requests", requests, 1...LabChainSeries.capacity),
            .that(writeAnchors?.isEmpty != true, "--write-anchors requires a file name"),
            .requires(["--write-anchors": writeAnchors], for: ["--force": force]))
    }

    /// Returns the scenarios of the chains.
    /// - Parameter named: the scenarios that the user has named. Empty for all scenarios that the format supports.
    /// - Throws: ``ValidationError`` for a named scenario that the format doesn't support.
    func scenarios(_ named: [LabScenario]) throws(ValidationError) -> [LabScenario] {
        for scenario in named {
            guard let obstacle = obstacle(of: scenario) else { continue }
            throw ValidationError("the scenario \(scenario.name) has no requests: \(obstacle)")
        }
        return LabScenario.all.filter { (named.isEmpty || named.contains($0)) && obstacle(of: $0) == nil }
    }

    private func obstacle(of scenario: LabScenario) -> String? {
        if let obstacle = scenario.requestObstacle { return obstacle }
        return chainFormat == .requests || !scenario.dependsOnClient
            ? nil : "its client has settings, but --requests-format \(chainFormat.rawValue) has no place for them"
    }
}

/// The format of the chains of `lab --requests`.
enum LabRequestFormat: String, Sendable, CaseIterable, ExpressibleByArgument {
    /// Lines for `verify --batch`, with anchors, date and settings.
    case requests
    /// Rows of ID, host and chain in PEM, quoted as RFC 4180 requires.
    case csv

    /// The bytes before the first chain.
    var header: [UInt8] { self == .csv ? Array("id,host,pem\n".utf8) : [] }
}
