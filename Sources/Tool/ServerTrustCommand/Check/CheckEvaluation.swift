// SPDX-License-Identifier: Apache-2.0

import PinModel
import ServerTrust
import ServerTrustFetching

/// The evaluation of servers by `servertrust check`.
struct CheckEvaluation: Sendable {
    /// The settings for every host. The anchors are under the conditions of ``overlay``.
    var settings = TrustSettings()
    /// The places of the anchors, for remedies.
    var places = CertificatePlaces()
    /// The list over the anchors of a file of pins; nil for none.
    var overlay: RootsOverlay?
    /// The pins of every host; nil for none.
    var pins: SPKIPinSet?
    /// The rules of a file of pins, in the place of ``pins``; nil for none.
    var pinRules: PinFileRules?
    /// The source of fetched intermediates, OCSP responses and CRLs; nil to fetch nothing.
    var resources: TrustFetchCoordinator?

    /// Returns the configuration for one host, with its pins.
    func configuration(for host: Hostname) throws -> ServerTrustConfiguration {
        var settings = settings
        settings.fetching = resources
        if let pinRules {
            var configuration = try pinRules.trust(for: host)
            if pinRules.hasAnchors { settings.anchors = configuration.anchors.applying(overlay) }
            configuration.settings = settings
            return configuration
        }
        let evaluator: any TrustEvaluator = pins.map { SPKIPinsTrustEvaluator($0) } ?? DefaultTrustEvaluator()
        let manager = try ServerTrustManager(evaluators: [host.description: evaluator], memory: nil)
        return ServerTrustConfiguration(manager, settings: settings)
    }

    /// Returns the rule for a host: of the file of pins, or of the pins for every host; nil for none.
    func pinRule(for host: Hostname) -> PinRule? {
        if let pinRules { return pinRules.table.rule(for: host) }
        return pins.flatMap { pins in try? PinRule(hosts: [], pins: (pins.pins + pins.backup).map { Pin(.key($0)) }) }
    }
}
