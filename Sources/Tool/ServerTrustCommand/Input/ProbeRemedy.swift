// SPDX-License-Identifier: Apache-2.0

import ServerObservation
import ServerTrust
import ServerTrustNIO

extension ConnectionFailure {
    /// Returns the remedy for a server that couldn't be probed, or nil if none is known. `Book/Connections` has the texts.
    /// - Parameter handshake: the observed handshake, or nil if it wasn't observed.
    func remedy(for endpoint: ServerEndpoint, handshake: HandshakeObservation? = nil) -> String? {
        let service = endpoint.service == .https ? Self.service(at: endpoint.port) : nil
        let conditions = [
            "pssKey": handshake?.signatureScheme?.isOfRSAPSSKey == true, "signed": handshake?.signature == .valid,
            "address": endpoint.host.serverName == nil, "excessive": detail.contains(Self.excessiveSize),
            "otherPort": service != nil, "unusualKey": detail.contains(Self.unusualKey),
        ]
        let row = Self.remedies.entries.first { row in
            row["code"] == code.name && row.all("alert").allSatisfy { $0 == alert?.description }
                && row.all("when").allSatisfy { conditions[$0] == true }
        }
        return row?["remedy"].filling([
            "endpoint": "\(endpoint)", "port": "\(endpoint.port)", "scheme": service?.scheme ?? "",
            "startTLS": startTLS ?? service?.startTLS?.rawValue ?? "",
        ])
    }

    private static let remedies = Book(packed: PackedBook.connections)

    /// Returns the protocol that usually begins without TLS at a port, or nil for other ports.
    private static func service(at port: Int) -> ServerService? {
        ServerService.all.first { $0.port == port && $0.startTLS != nil }
    }
}

extension ConnectionFailure {
    /// The name of the code in the command's reports. These names are older than the codes.
    var reportedReason: String {
        switch code {
        case .connectionEvaluationTimedOut: return "timedOut"
        case .connectionNameServerFailed: return "nameLookupTimedOut"
        case .connectionNotEvaluated, .connectionSentTooEarly: return "handshakeFailed"
        default:
            guard !isOfProxy else { return "proxyFailed" }
            let name = code.name.dropFirst("connection".count)
            return name.prefix(1).lowercased() + name.dropFirst()
        }
    }
}
