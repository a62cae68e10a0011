// SPDX-License-Identifier: Apache-2.0

import ServerTrustNIO

extension ConnectionFailure {
    /// The name of the code in the command's reports. These names are older than the codes.
    var reportedReason: String {
        switch code {
        case .connectionTimedOut, .connectionEvaluationTimedOut: "timedOut"
        case .connectionPlainHTTP: "plainHTTP"
        case .connectionStartTLSNeeded: "startTLSNeeded"
        case .connectionNotTLS: "notTLS"
        case .connectionOldTLSOnly: "oldTLSOnly"
        case .connectionStartTLSDeclined: "startTLSDeclined"
        case .connectionStartTLSFailed: "startTLSFailed"
        case .connectionNameNotResolved: "nameNotResolved"
        case .connectionNameLookupTimedOut, .connectionNameServerFailed: "nameLookupTimedOut"
        case .connectionUnreachable: "unreachable"
        case .connectionNameRefused: "nameRefused"
        case .connectionHandshakeAlert: "handshakeAlert"
        case .connectionClosed: "closed"
        case .connectionClientCertificateRequired: "clientCertificateRequired"
        default: isOfProxy ? "proxyFailed" : "handshakeFailed"
        }
    }
}
