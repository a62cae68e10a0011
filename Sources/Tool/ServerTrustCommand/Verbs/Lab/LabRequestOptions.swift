// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import ServerTrustLab

/// The options of `lab` that write chains and start no server.
struct LabRequestOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("Write this many chains instead of starting servers. (default: servers)", valueName: "n"))
    var requests: Int?

    @Option(help: ArgumentHelp("The mix of scenarios with --requests. (default: 1)", valueName: "n"))
    var seed: UInt64?

    @Option(help: "The format with --requests. (default: requests)")
    var requestsFormat: LabRequestFormat?

    @Option(
        help: ArgumentHelp("Where the roots of all chains are written, in PEM. (default: nowhere)", valueName: "file"),
        completion: .file())
    var writeAnchors: String?

    @Flag(help: "Replace the file of --write-anchors if it is there.")
    var force = false

    /// The format of the chains.
    var chainFormat: LabRequestFormat { requestsFormat ?? .requests }

    func validate() throws {
        guard let requests else {
            let option =
                seed != nil
                ? "--seed"
                : requestsFormat != nil ? "--requests-format" : writeAnchors != nil ? "--write-anchors" : nil
            if let option { throw ValidationError("\(option) goes with --requests") }
            guard !force else { throw ValidationError("--force goes with --write-anchors") }
            return
        }
        guard 1...LabChainSeries.capacity ~= requests else {
            throw ValidationError("--requests is 1 to \(LabChainSeries.capacity), found \(requests)")
        }
        guard writeAnchors?.isEmpty != true else { throw ValidationError("--write-anchors needs a name") }
        guard writeAnchors != nil || !force else { throw ValidationError("--force goes with --write-anchors") }
    }

    /// Returns the scenarios of the chains.
    /// - Parameter named: the scenarios that the user has named; empty for all that the format can have.
    /// - Throws: ``ValidationError`` for a named scenario that the format can't have.
    func scenarios(_ named: [LabScenario]) throws(ValidationError) -> [LabScenario] {
        for scenario in named {
            guard let obstacle = obstacle(of: scenario) else { continue }
            throw ValidationError("no request for the scenario \(scenario.name): \(obstacle)")
        }
        return LabScenario.all.filter { (named.isEmpty || named.contains($0)) && obstacle(of: $0) == nil }
    }

    private func obstacle(of scenario: LabScenario) -> String? {
        if let obstacle = scenario.requestObstacle { return obstacle }
        return chainFormat == .requests || !scenario.dependsOnClient
            ? nil : "its client has settings, which --requests-format \(chainFormat.rawValue) can not have"
    }
}
