// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationNetworking)
    import FoundationNetworking
    import HTTPRules
    import PKIX

    /// The properties that two tasks have to have in common to share a connection: the server, and the delegate that has a say in
    /// trusting it. A verdict about one port isn't one about another, where another process may answer.
    struct ConnectionKey: Sendable, Hashable {
        let origin: Origin
        /// The task's own delegate; nil for the session's tasks without one.
        let delegate: ObjectIdentifier?

        var host: Hostname { origin.host }
        var port: Int { origin.port }
    }
#endif
