// SPDX-License-Identifier: Apache-2.0

/// Observes the first half of a TLS handshake. A probe isn't a TLS client, and never carries data.
///
/// It sends a ClientHello, then reads the server's messages up to its certificate and the signature that proves
/// possession of its key. Then the probe ends. It neither sends nor accepts a Finished, and has no keys for application
/// data. It therefore can't send any data.
///
/// ```swift
/// var probe = HandshakeProbe(ProbeOffer(serverName: "api.example.com", applicationProtocols: ["h2"])) { request in
///     request.verified()       // the signature with the leaf's key
/// }
/// send(probe.start())
/// while probe.result == nil {
///     guard let bytes = receive() else { probe.end(); break }
///     send(probe.receive(bytes))
/// }
/// switch probe.result {
/// case .success(let seen): print(seen.version, seen.cipherSuite, seen.certificates.count, seen.signature)
/// case .failure(let error): print(error.code, error.detail)
/// case nil: break
/// }
/// ```
/// A probe has no socket and no clock, and ``ProbeSecrets`` is its only source of randomness. Its result depends only
/// on its input. A server can send at most ``maximumBytes`` in total, and the work per byte is bounded. The caller
/// limits the time.
///
/// The probe supports TLS 1.3 (RFC 8446) and 1.2 (RFC 5246), and for old servers also 1.1 and 1.0. Servers with 1.1 and
/// 1.0 are observed, but never proven: their signatures over MD5 and SHA-1 aren't checked.
///
/// The probe doesn't check the certificates, the staple, the timestamps, or anything after the signature, including the
/// server's Finished. In TLS 1.2 it therefore only detects changes in transit to the parameters of the key exchange.
package struct HandshakeProbe: Sendable {
    /// A signature to verify.
    package struct SignatureRequest: Sendable {
        /// The leaf in DER.
        package let leaf: [UInt8]
        package let signature: [UInt8]
        /// The signed bytes.
        package let message: [UInt8]
        package let scheme: HandshakeSignatureScheme
        /// Whether the scheme determines the key's curve, as in TLS 1.3.
        package let bindsCurve: Bool
    }

    /// The maximum number of bytes from a server: enough for a Certificate, a staple and a request of maximum size, in
    /// small records.
    package static let maximumBytes = 1 << 20
    /// The maximum number of ChangeCipherSpec and empty records together: BoringSSL's limit (`kMaxEmptyRecords`).
    static let maximumIdleRecords = 32
    /// The maximum number of warnings: BoringSSL's limit (`kMaxWarningAlerts`).
    static let maximumWarnings = 4

    /// The observation so far.
    package private(set) var observation = HandshakeObservation()
    /// The error that ended the handshake early, or the complete observation. Nil while the probe expects bytes.
    package var result: Result<HandshakeObservation, HandshakeError>? {
        switch state {
        case .failed(let error): .failure(error)
        case .done: .success(observation)
        default: nil
        }
    }

    private enum State: Sendable {
        case idle
        case serverHello
        case encryptedExtensions
        case requestOrCertificate
        case certificate
        case certificateVerify
        /// After the certificate, up to TLS 1.2.
        case statusOrKeyExchange
        case keyExchange
        case requestOrDone
        case helloDone
        case done
        case failed(HandshakeError)
    }

    private let offer: ProbeOffer
    private let verify: @Sendable (SignatureRequest) -> HandshakeObservation.SignatureCheck
    private var secrets: ProbeSecrets
    private var state = State.idle
    private var records = TLSRecordReader()
    private var messages = TLSMessageReader()
    private var protection: RecordProtection?
    /// The messages of both sides, starting with the first ClientHello.
    private var transcript: [UInt8] = []
    private var shares = ProbeSecrets.firstGroups
    private var retrySuite: CipherSuite?
    private var serverRandom: [UInt8] = []
    private var expectsStatus = false
    private var alsoRequested: Set<UInt16> = []
    private var byteCount = 0
    private var idleRecords = 0
    private var output: [UInt8] = []

    /// - Parameters:
    ///   - offer: the contents of the ClientHello.
    ///   - secrets: the default is new secrets.
    ///   - verify: verifies the signature. Return `notChecked` for an unsupported leaf or scheme.
    package init(
        _ offer: ProbeOffer, secrets: ProbeSecrets = ProbeSecrets(),
        verifyingBy verify: @escaping @Sendable (SignatureRequest) -> HandshakeObservation.SignatureCheck
    ) {
        self.offer = offer
        self.secrets = secrets
        self.verify = verify
    }

    /// Starts the handshake and returns the bytes to send.
    package mutating func start() -> [UInt8] {
        var secrets = secrets
        let hello = ClientHello(offer: offer, shares: shares).message(&secrets)
        self.secrets = secrets
        return start(sending: hello)
    }

    /// Starts the handshake with an existing ClientHello, such as that of a published trace.
    /// - Parameters:
    ///   - hello: the message with its four-byte header.
    ///   - requested: extensions in the message that ``ClientHello`` doesn't write.
    package mutating func start(sending hello: [UInt8], alsoRequesting requested: Set<UInt16> = []) -> [UInt8] {
        guard case .idle = state else { return [] }
        alsoRequested = requested
        transcript = hello
        state = .serverHello
        // The record's version is TLS 1.0, for old servers (RFC 8446 § 5.1).
        return Self.record(hello, version: .tls10)
    }

    /// Processes any number of bytes from the server, and returns the bytes to send, usually none.
    package mutating func receive(_ bytes: some Collection<UInt8>) -> [UInt8] {
        guard result == nil else { return [] }
        output = []
        do throws(HandshakeError) {
            byteCount += bytes.count
            guard byteCount <= Self.maximumBytes else {
                throw HandshakeError(.tooLarge, "the server sent more than \(Self.maximumBytes) bytes in a handshake")
            }
            records.append(bytes)
            while result == nil, let record = try records.record() { try read(record) }
        } catch {
            state = .failed(error)
        }
        return output
    }

    /// Records that the server ended the connection.
    package mutating func end() {
        guard result == nil else { return }
        state = .failed(HandshakeError(.ended, "the server ended the connection during the handshake"))
    }

    private static func record(_ message: [UInt8], version: ProtocolVersion) -> [UInt8] {
        var writer = WireWriter()
        writer.uint8(TLSRecord.Kind.handshake.rawValue)
        writer.uint16(version.rawValue)
        writer.vector(2) { $0.append(message) }
        return writer.bytes
    }
}

// MARK: - Records

extension HandshakeProbe {
    private mutating func read(_ record: TLSRecord) throws(HandshakeError) {
        switch record.kind {
        case .changeCipherSpec:
            // RFC 8446 § 5: a single byte, which is dropped without further processing until the end of the handshake.
            // Up to TLS 1.2 the record follows the client's response, which the probe never sends.
            let isExpected = observation.version.map { $0 == .tls13 } ?? true
            guard isExpected, record.fragment == [1] else { throw unexpected("a ChangeCipherSpec record") }
            try countIdleRecord()
        case .applicationData:
            guard protection != nil else { throw unexpected("encrypted data") }
            guard let (kind, content) = try protection?.open(record) else { return }
            switch kind {
            case .handshake: try read(handshake: content)
            case .alert: try read(alert: content)
            case .applicationData, .changeCipherSpec: throw unexpected("data")
            }
        // A server that can't agree may send an alert before it encrypts.
        case .alert: try read(alert: record.fragment[...])
        case .handshake:
            guard protection == nil else { throw unexpected("an unencrypted message") }
            try read(handshake: record.fragment[...])
        }
    }

    private func unexpected(_ name: String) -> HandshakeError {
        HandshakeError(.unexpected, "the server sent \(name), which isn't allowed at this point")
    }

    private mutating func countIdleRecord() throws(HandshakeError) {
        idleRecords += 1
        guard idleRecords <= Self.maximumIdleRecords else {
            throw HandshakeError(
                .tooManyRecords, "the server sent more than \(Self.maximumIdleRecords) records without content")
        }
    }

    private mutating func read(alert content: ArraySlice<UInt8>) throws(HandshakeError) {
        guard content.count == 2, let level = content.first, let number = content.last else {
            throw .malformed("an alert")
        }
        let alert = TLSAlert(number)
        guard alert != .closeNotify else {
            throw HandshakeError(.ended, "the server ended the connection during the handshake")
        }
        // In TLS 1.3 the only other warning is a cancellation by the user. The level of all other alerts is ignored
        // (RFC 8446 § 6).
        let isWarning = level == 1
        guard isWarning, observation.version != .tls13 || alert == .userCanceled else {
            throw HandshakeError(.alert, "the server responded with the alert \(alert)")
        }
        guard observation.warnings.count < Self.maximumWarnings else {
            throw HandshakeError(.tooManyRecords, "the server sent more than \(Self.maximumWarnings) warnings")
        }
        observation.warnings.append(alert)
    }

    private mutating func read(handshake content: ArraySlice<UInt8>) throws(HandshakeError) {
        guard !content.isEmpty else { return try countIdleRecord() }
        messages.append(content)
        let wasProtected = protection != nil
        while result == nil, let message = try messages.message() {
            try read(message)
            // RFC 8446 § 5.1: messages under different keys must not share a record.
            guard wasProtected || protection == nil || !messages.isInMessage else {
                throw unexpected("an unencrypted message")
            }
        }
    }
}

// MARK: - Messages

extension HandshakeProbe {
    private mutating func read(_ message: Message) throws(HandshakeError) {
        switch (state, message.kind) {
        case (.serverHello, .serverHello): return try read(ServerHello(message), message)
        case (.encryptedExtensions, .encryptedExtensions): try readEncryptedExtensions(message)
        case (.requestOrCertificate, .certificateRequest), (.requestOrDone, .certificateRequest):
            try readRequest(message)
        case (.requestOrCertificate, .certificate), (.certificate, .certificate): try readCertificate(message)
        case (.certificateVerify, .certificateVerify): try readVerify(message)
        case (.statusOrKeyExchange, .certificateStatus) where expectsStatus:
            observation.staple = try CertificateMessage.staple(message.body)
            stateBehindStatus()
        case (.statusOrKeyExchange, .serverKeyExchange), (.keyExchange, .serverKeyExchange):
            try readKeyExchange(message)
        // RFC 6066 § 8: a server that announced a status may omit it.
        case (.statusOrKeyExchange, _) where observation.signature == .none:
            state = .requestOrDone
            return try read(message)
        case (.requestOrDone, .serverHelloDone), (.helloDone, .serverHelloDone):
            guard message.body.isEmpty else { throw .malformed("ServerHelloDone") }
            state = .done
        default: throw unexpected("\(message.kind)")
        }
        transcript += message.bytes
    }

    private mutating func read(_ hello: ServerHello, _ message: Message) throws(HandshakeError) {
        let version = hello.version
        guard offer.versions.contains(version) else {
            if version < offer.minimumVersion { observation.version = version }
            throw HandshakeError(.versionNotOffered, "the server chose \(version), which wasn't offered")
        }
        guard retrySuite == nil || version == .tls13 else { throw unexpected("a hello of \(version)") }
        guard let exchange = hello.cipherSuite.keyExchange, offer.cipherSuites.contains(hello.cipherSuite),
            (exchange == .tls13) == (version == .tls13), retrySuite == nil || retrySuite == hello.cipherSuite
        else {
            throw HandshakeError(
                .cipherSuiteNotOffered, "the server chose \(hello.cipherSuite), which wasn't offered with \(version)")
        }
        guard !hello.marksDowngrade || !offer.versions.contains(where: { $0 > version }) else {
            throw HandshakeError(
                .downgraded,
                "the server's hello says that it supports a newer version than \(version): something on the network path prevents it"
            )
        }
        if hello.isRetryRequest { return try retry(hello, message) }
        observation.version = version
        observation.cipherSuite = hello.cipherSuite
        serverRandom = hello.random
        transcript += message.bytes
        if version == .tls13 { try startTLS13(hello) } else { try startOlder(hello, exchange) }
    }

    private mutating func startTLS13(_ hello: ServerHello) throws(HandshakeError) {
        guard hello.sessionID == secrets.sessionID else { throw .malformed("ServerHello") }
        let (group, key) = try hello.keyShare()
        guard shares.contains(group) else {
            throw HandshakeError(.groupNotOffered, "the server chose \(group), but the client sent no key share for it")
        }
        observation.group = group
        let secret = try secrets.sharedSecret(group, with: key)
        protection = RecordProtection(hello.cipherSuite, secret: secret, transcript: transcript)
        state = .encryptedExtensions
    }

    private mutating func startOlder(
        _ hello: ServerHello, _ exchange: CipherSuite.KeyExchange
    ) throws(HandshakeError) {
        observation.applicationProtocol = try hello.extensions.applicationProtocol(
            offered: offer.applicationProtocols)
        if let list = hello.extensions[ExtensionType.timestamps] {
            observation.timestampList = try CertificateMessage.timestampList(list)
        }
        expectsStatus = hello.extensions[ExtensionType.statusRequest] != nil
        if exchange == .rsa { observation.signature = .none }
        state = .certificate
    }

    private mutating func retry(_ hello: ServerHello, _ message: Message) throws(HandshakeError) {
        guard retrySuite == nil else {
            throw HandshakeError(.retryRefused, "the server requested a second ClientHello twice")
        }
        guard hello.sessionID == secrets.sessionID else { throw .malformed("HelloRetryRequest") }
        let group = try hello.selectedGroup()
        let cookie = try hello.cookie()
        guard group != nil || cookie != nil else {
            throw HandshakeError(.retryRefused, "the server requested a second ClientHello without any change")
        }
        if let group {
            guard ProbeSecrets.groups.contains(group) else {
                throw HandshakeError(.groupNotOffered, "the server requested a key for \(group), which wasn't offered")
            }
            guard !shares.contains(group) else {
                throw HandshakeError(.retryRefused, "the server requested a key for \(group), but it already has one")
            }
            shares = [group]
        }
        retrySuite = hello.cipherSuite
        // RFC 8446 § 4.4.1: in the transcript, a hash replaces the first ClientHello.
        let hash = TranscriptHash(hello.cipherSuite)
        transcript =
            [Message.Kind.messageHash.rawValue, 0, 0, UInt8(hash.count)] + hash.digest(transcript) + message.bytes
        var secrets = secrets
        let second = ClientHello(offer: offer, shares: shares, cookie: cookie).message(&secrets)
        self.secrets = secrets
        transcript += second
        // RFC 8446 § D.4: middleboxes expect this ChangeCipherSpec.
        output += [TLSRecord.Kind.changeCipherSpec.rawValue, 3, 3, 0, 1, 1] + Self.record(second, version: .tls12)
    }
}

// MARK: - Behind the hello

extension HandshakeProbe {
    private mutating func readEncryptedExtensions(_ message: Message) throws(HandshakeError) {
        let name = "EncryptedExtensions"
        var reader = WireReader(message.body, name)
        let allowed: Set<UInt16> = [
            ExtensionType.serverName, ExtensionType.supportedGroups, ExtensionType.applicationProtocols,
        ]
        let extensions = try ExtensionList(&reader, in: name, allowed: allowed.union(alsoRequested))
        try reader.finish()
        observation.applicationProtocol = try extensions.applicationProtocol(offered: offer.applicationProtocols)
        state = .requestOrCertificate
    }

    private mutating func readRequest(_ message: Message) throws(HandshakeError) {
        let isForTLS13 = observation.version == .tls13
        observation.clientCertificateRequest = try ClientCertificateRequest(message, observation.version ?? .tls12)
        state = isForTLS13 ? .certificate : .helloDone
    }

    private mutating func readCertificate(_ message: Message) throws(HandshakeError) {
        let isForTLS13 = observation.version == .tls13
        let certificates = try CertificateMessage(message, isForTLS13: isForTLS13)
        observation.certificates = certificates.certificates
        guard !isForTLS13 else {
            observation.staple = certificates.staple
            observation.timestampList = certificates.timestampList
            return state = .certificateVerify
        }
        if expectsStatus { state = .statusOrKeyExchange } else { stateBehindStatus() }
    }

    /// Up to TLS 1.2, the server signs nothing for an RSA key exchange.
    private mutating func stateBehindStatus() {
        state = observation.signature == .none ? .requestOrDone : .keyExchange
    }

    private mutating func readKeyExchange(_ message: Message) throws(HandshakeError) {
        guard let version = observation.version, let suite = observation.cipherSuite,
            let exchange = suite.keyExchange
        else { throw unexpected("a key exchange") }
        let parameters = try ServerKeyExchange(message, exchange, version)
        observation.group = parameters.group
        observation.primeBits = parameters.primeBits
        observation.signatureScheme = parameters.scheme
        state = .requestOrDone
        guard let scheme = parameters.scheme else { return observation.signature = .notChecked }
        guard offer.signatureSchemes.contains(scheme), scheme.isRSA != suite.signsWithCurve else {
            throw HandshakeError(
                .schemeNotOffered, "the server signed with \(scheme), which wasn't offered with \(suite)")
        }
        check(
            parameters.signature, over: secrets.random + serverRandom + parameters.parameters, scheme,
            bindsCurve: false)
    }

    private mutating func readVerify(_ message: Message) throws(HandshakeError) {
        var reader = WireReader(message.body, "CertificateVerify")
        let scheme = HandshakeSignatureScheme(rawValue: try reader.uint16())
        let signature = Array(try reader.vector(2))
        try reader.finish()
        observation.signatureScheme = scheme
        guard scheme.isForTLS13, offer.signatureSchemes.contains(scheme) else {
            throw HandshakeError(.schemeNotOffered, "the server signed with \(scheme), which wasn't offered")
        }
        guard let suite = observation.cipherSuite else { throw unexpected("a signature") }
        // RFC 8446 § 4.4.3
        let signed =
            [UInt8](repeating: 0x20, count: 64) + Array("TLS 1.3, server CertificateVerify".utf8) + [0]
            + TranscriptHash(suite).digest(transcript)
        check(signature, over: signed, scheme, bindsCurve: true)
        state = .done
    }

    private mutating func check(
        _ signature: [UInt8], over message: [UInt8], _ scheme: HandshakeSignatureScheme, bindsCurve: Bool
    ) {
        guard let leaf = observation.certificates.first else { return observation.signature = .notChecked }
        observation.signature = verify(
            SignatureRequest(
                leaf: leaf, signature: signature, message: message, scheme: scheme, bindsCurve: bindsCurve))
    }
}
