// SPDX-License-Identifier: Apache-2.0

#if Testing || Everything

extension LabScenario {
    /// The reason why no request to `verify --batch` can produce ``expected``, or nil if a request can.
    ///
    /// A request contains the chain, host, anchors, date, strict rules, intermediate limit, CRLs, OCSP responses and
    /// pins.
    package var requestObstacle: String? {
        switch group {
        case .handshake: "its outcome depends on the handshake"
        case .transparency: "its client has a list of logs"
        case .roots: "its client has a root program's list"
        case .rules where ![.intercepted, .pinnedKeyReplaced].contains(self): "its client has a custom rule"
        case .revocation where self == .mustStaple: "its outcome depends on the handshake"
        case .budgets where [.workBudget, .byteBudget].contains(self): "its client has a custom budget"
        case .trusted where self == .redirectToAnotherAuthority: "it tests a redirect"
        case nil: "it isn't one of the lab's scenarios"
        case .trusted, .dates, .names, .issuers, .contents, .algorithms, .strict, .rules, .revocation, .budgets: nil
        }
    }
}

#endif
