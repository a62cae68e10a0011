import NIOSSL
import ServerTrust
import ServerTrustNIO
import ServerTrustTesting
import Testing

@Suite("A TLS context that would let servers past the verdict")
struct ContextTests {
    private func error(_ change: (inout TLSConfiguration) -> Void) throws -> ServerTrustContextError? {
        var configuration = TLSConfiguration.clientForServerTrust()
        change(&configuration)
        let context = try NIOSSLContext(configuration: configuration)
        let trust = ServerTrustConfiguration(try ServerTrustManager(evaluators: [:], allHostsMustBeEvaluated: false))
        do throws(ServerTrustContextError) {
            _ = try ServerTrustTLS(VerdictSource(trust), context: context)
            // The handler alone is as strict.
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

    @Test("is refused, and says why")
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

    @Test("is made right by one call, and keeps what has nothing to do with it")
    func prepared() throws {
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.certificateVerification = .none
        configuration.renegotiationSupport = .always
        configuration.minimumTLSVersion = .tlsv1
        configuration.applicationProtocols = ["h2"]
        configuration.maximumTLSVersion = .tlsv12
        #expect(try error { $0 = configuration } != nil)
        configuration.prepareForServerTrust()
        #expect(try error { $0 = configuration } == nil)
        #expect(configuration.applicationProtocols == ["h2"])
        #expect(configuration.maximumTLSVersion == .tlsv12)
        configuration.minimumTLSVersion = .tlsv13
        configuration.maximumTLSVersion = nil
        configuration.prepareForServerTrust()
        #expect(configuration.minimumTLSVersion == .tlsv13)
    }
}
