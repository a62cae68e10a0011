// SPDX-License-Identifier: Apache-2.0

import ServerTrust
import ServerTrustPins

/// The settings for evaluating servers in `servertrust check`.
struct CheckEvaluation: Sendable {
    /// The settings for every host. The conditions of ``overlay`` already apply to the anchors.
    var settings = TrustSettings()
    /// The files that the anchors come from, for remedies.
    var places = CertificatePlaces()
    /// The list that applies to the anchors of a pin file, or nil for none.
    var overlay: RootsOverlay?
    /// The pins for every host, or nil for none.
    var pins: SPKIPinSet?
    /// The rules of a pin file, used instead of ``pins``, or nil for none.
    var pinRules: PinFileRules?
    /// The fetcher of intermediates, OCSP responses and CRLs, or nil to fetch nothing.
    var resources: TrustFetchCoordinator?

    /// The recorder of verdicts, or nil to record none.
    var recorder: TrustRecorder?

    /// Returns a configuration with the same rules, whose verdicts are recorded. Trials for findings use the original.
    func recorded(_ configuration: ServerTrustConfiguration) -> ServerTrustConfiguration {
        guard let recorder else { return configuration }
        var recorded = configuration
        recorded.manager = ServerTrustManager(copying: configuration.manager)
        recorded.manager.events.add(recorder)
        return recorded
    }

    /// Returns the configuration for a host, including its pins.
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

    /// Returns the rule for a host: from the pin file, or else from the pins for every host. Returns nil if there is
    /// neither.
    func pinRule(for host: Hostname) -> PinRule? {
        if let pinRules { return pinRules.table.rule(for: host) }
        return pins.flatMap { pins in try? PinRule(hosts: [], pins: (pins.pins + pins.backup).map { Pin(.key($0)) }) }
    }
}
