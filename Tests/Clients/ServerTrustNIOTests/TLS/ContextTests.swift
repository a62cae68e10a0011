// SPDX-License-Identifier: Apache-2.0

import NIOSSL
import ServerTrust
import ServerTrustNIO
import ServerTrustTesting
import Testing

@Suite("TLS contexts that would bypass the verdict")
struct ContextTests {
    private func error(_ change: (inout TLSConfiguration) -> Void) throws -> ServerTrustContextError? {
        var configuration = TLSConfiguration.clientForServerTrust()
        change(&configuration)
        let context = try NIOSSLContext(configuration: configuration)
        let trust = ServerTrustConfiguration(try ServerTrustManager(evaluators: [:], allHostsMustBeEvaluated: false))
        do throws(ServerTrustContextError) {
            _ = try ServerTrustTLS(VerdictSource(trust), context: context)
            // The handler by itself is just as strict.
            #expect(throws: Never.self) {
                try NIOSSLClientHandler(context: context, host: Hostname("api.lab.test"), trust: trust)
            }
            return nil
        } catch {
            #expect(throws: error) {
                try NIOSSLClientHandler(context: context, host: Hostname("api.lab.test"), trust: trust)
            }
            return error
        }
    }

    @Test("A TLS context that would bypass the verdict is refused with a reason")
    func refused() throws {
        #expect(try error { _ in } == nil)
        #expect(try error { $0.minimumTLSVersion = .tlsv13 } == nil)
        #expect(try error { $0.certificateVerification = .none } == .refusalIgnored)
        #expect(try error { $0.certificateVerification = .optionalVerification } == .refusalIgnored)
        #expect(try error { $0.certificateVerification = .fullVerification } == .hostCheckedTwice)
        #expect(try error { $0.minimumTLSVersion = .tlsv11 } == .outdatedVersion)
        #expect(try error { $0.minimumTLSVersion = .tlsv1 } == .outdatedVersion)
        #expect(try error { $0.renegotiationSupport = .once } == .renegotiation)
        #expect(try error { $0.renegotiationSupport = .always } == .renegotiation)
        #expect(
            try error {
                $0.pskClientProvider = { _ in PSKClientIdentityResponse(key: NIOSSLSecureBytes(), identity: "") }
            } == .preSharedKey)
    }

    @Test("A context with custom roots, which would be unused, is refused, but not one with the system's or no roots")
    func trustRoots() throws {
        let root = try TestAuthority.root().certificate
        let certificate = try NIOSSLCertificate(bytes: root.der, format: .der)
        let naming: [(inout TLSConfiguration) -> Void] = [
            { $0.trustRoots = .certificates([certificate]) }, { $0.trustRoots = .file("/nonexistent.pem") },
            { $0.additionalTrustRoots = [.certificates([certificate])] },
            {
                $0.trustRoots = .default
                $0.additionalTrustRoots = [.file("/nonexistent.pem")]
            },
        ]
        for change in naming {
            var configuration = TLSConfiguration.makeClientConfiguration()
            change(&configuration)
            #expect(throws: ServerTrustContextError.namedTrustRoots) { try configuration.prepareForServerTrust() }
            // Nothing was changed.
            #expect(configuration.certificateVerification == .fullVerification)
        }
        #expect(try error { $0.trustRoots = .certificates([certificate]) } == .namedTrustRoots)
        #expect(try error { $0.additionalTrustRoots = [.certificates([certificate])] } == .namedTrustRoots)
        for roots in [nil, NIOSSLTrustRoots.default, .certificates([])] {
            var configuration = TLSConfiguration.makeClientConfiguration()
            configuration.trustRoots = roots
            #expect(throws: Never.self) { try configuration.prepareForServerTrust() }
            #expect(try error { $0.trustRoots = roots } == nil)
        }
    }

    @Test("One call fixes a context and keeps its unrelated settings")
    func prepared() throws {
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.certificateVerification = .none
        configuration.renegotiationSupport = .always
        configuration.minimumTLSVersion = .tlsv1
        configuration.applicationProtocols = ["h2"]
        configuration.maximumTLSVersion = .tlsv12
        #expect(try error { $0 = configuration } != nil)
        try configuration.prepareForServerTrust()
        #expect(try error { $0 = configuration } == nil)
        #expect(configuration.applicationProtocols == ["h2"])
        #expect(configuration.maximumTLSVersion == .tlsv12)
        configuration.minimumTLSVersion = .tlsv13
        configuration.maximumTLSVersion = nil
        try configuration.prepareForServerTrust()
        #expect(configuration.minimumTLSVersion == .tlsv13)
    }
}
