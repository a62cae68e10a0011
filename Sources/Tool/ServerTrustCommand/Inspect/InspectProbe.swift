// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Diagnosis
import ServerObservation
import ServerTrust
import ServerTrustHTTP
import ServerTrustNIO

/// The options of `servertrust inspect` for servers.
struct InspectConnectOptions: ParsableArguments {
    @Option(help: .book("inspect --connect"))
    var connect: String?

    @Option(help: .book("inspect --timeout"), transform: reading(TimeSpan.init))
    var timeout = TimeSpan.fiveSeconds

    @OptionGroup var sent: ServerNameOptions

    @OptionGroup var startTLS: StartTLSOptions

    @OptionGroup var proxies: ProxyOptions

    func validate() throws { _ = try ConnectAddress(connect) }
}

/// Reads the chains that servers present.
///
/// It gives no verdict and shows untrusted chains, too. It reports whether the handshake proves that the server has the
/// leaf's key.
struct InspectProbe: Sendable {
    let connection: ServerConnection

    init(_ options: InspectConnectOptions) throws {
        connection = ServerConnection(
            address: try ConnectAddress(options.connect), timeout: options.timeout.duration,
            serverName: options.sent.servername, proxy: try options.proxies.selection())
    }

    /// Returns the presented certificates, the stapled OCSP response, and what the handshake says about the leaf's key.
    /// Sends only the TLS handshake.
    /// - Throws: ``CommandFailure`` if the server presents no chain.
    func source(_ endpoint: ServerEndpoint, name: String) async throws -> InspectedSource {
        // Without anchors no server is trusted, so the connection ends after the server's certificates.
        let (server, _) = try await connection.observe(endpoint, notFile: "that name") {
            $0.anchors = TrustAnchors(.only([]))
        }
        var source = InspectedSource(name: name, objects: objects(server.report.presentedChain))
        source.handshakeFailure = server.report.verdict.failures.first { $0.code == .handshakeSignatureInvalid }
        let gap: String? =
            switch server.handshake?.signature {
            case .some(.none): "the handshake has no signature"
            case .notChecked: "the handshake's signature isn't checked"
            case .pending, nil: "the handshake couldn't be observed"
            case .valid, .invalid: nil
            }
        if let gap { source.notes = ["\(gap), so it doesn't show whether the server has the leaf's key"] }
        return source
    }

    private func objects(_ chain: PresentedChain) -> [InspectedObject] {
        var objects: [InspectedObject] = []
        var readable = chain.certificates.makeIterator()
        let unreadable = Dictionary(chain.unreadable.map { ($0.index, $0.error) }) { $1 }
        for index in 0..<(chain.certificates.count + chain.unreadable.count) {
            if let error = unreadable[index] {
                let problem = InspectionProblem(.malformed, ["error": "\(error)"], kind: .certificate, error: error)
                objects.append(
                    InspectedObject(place: .init(number: index + 1), content: .unreadable(problem), der: []))
            } else if let certificate = readable.next() {
                objects.append(
                    InspectedObject(
                        place: .init(number: index + 1), content: .parsed(.certificate(certificate)),
                        der: certificate.der))
            }
        }
        if case .given(let staple) = chain.staple {
            objects += InspectionReader.read(staple, name: "OCSP staple").objects.map { object in
                InspectedObject(place: .init(number: objects.count + 1), content: object.content, der: object.der)
            }
        }
        return objects
    }
}
