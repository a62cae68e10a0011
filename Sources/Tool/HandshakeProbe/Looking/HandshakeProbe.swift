// SPDX-License-Identifier: Apache-2.0

/// Observes the first half of a TLS handshake: this is no TLS client, and it never carries data.
///
/// It sends a ClientHello and reads the server's answer up to its certificate and the signature by which it proves its key. There it ends.
/// No Finished is sent or taken as a license to send, no keys for data exist, and there is no way to send any.
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
/// It has no socket, no clock and no randomness but ``ProbeSecrets``: a function of its bytes. All of a server's bytes together are limited
/// to ``maximumBytes``, and the work for a byte is bounded; the limit of time is the caller's.
///
/// Spoken are TLS 1.3 (RFC 8446) and 1.2 (RFC 5246), and for old servers 1.1 and 1.0, which are seen and never proven: their signatures
/// over MD5 and SHA-1 aren't checked.
///
/// Not checked: the certificates, the staple, the timestamps; and everything behind the signature, the server's Finished included. So
/// a change of messages on the way isn't noticed in TLS 1.2, other than in the parameters of the key exchange.
package struct HandshakeProbe: Sendable {
    /// A signature to check.
    package struct SignatureRequest: Sendable {
        /// The DER of the leaf.
        package let leaf: [UInt8]
        package let signature: [UInt8]
        /// The bytes that are signed.
        package let message: [UInt8]
        package let scheme: HandshakeSignatureScheme
        /// Whether the scheme names the key's curve, as in TLS 1.3.
        package let bindsCurve: Bool
    }

    /// The maximum of all bytes of a server: a Certificate, a staple and a request of the greatest size, in small records.
    package static let maximumBytes = 1 << 20
    /// The maximum number of records of ChangeCipherSpec, and as many without content: that of BoringSSL (`kMaxEmptyRecords`).
    static let maximumIdleRecords = 32
    /// The maximum number of warnings: that of BoringSSL (`kMaxWarningAlerts`).
    static let maximumWarnings = 4

    /// The observation so far.
    package private(set) var observation = HandshakeObservation()
    /// The error that ended the handshake early, or the observation when it is complete; nil while bytes are expected.
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
        /// Up to TLS 1.2, behind the certificate.
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
    /// The messages of both sides, from the first hello on.
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
    ///   - offer: the contents of the hello.
    ///   - secrets: new ones unless given.
    ///   - verify: checks the signature; `notChecked` for a leaf or a scheme that it can't check.
    package init(
        _ offer: ProbeOffer, secrets: ProbeSecrets = ProbeSecrets(),
        verifyingBy verify: @escaping @Sendable (SignatureRequest) -> HandshakeObservation.SignatureCheck
    ) {
        self.offer = offer
        self.secrets = secrets
        self.verify = verify
    }

    /// Begins, and returns the bytes to send.
    package mutating func start() -> [UInt8] {
        var secrets = secrets
        let hello = ClientHello(offer: offer, shares: shares).message(&secrets)
        self.secrets = secrets
        return start(sending: hello)
    }

    /// Begins with a given hello, as that of a published trace.
    /// - Parameters:
    ///   - hello: the message with its header of four bytes.
    ///   - requested: extensions of it that ``ClientHello`` doesn't write.
    package mutating func start(sending hello: [UInt8], alsoRequesting requested: Set<UInt16> = []) -> [UInt8] {
        guard case .idle = state else { return [] }
        alsoRequested = requested
        transcript = hello
        state = .serverHello
        // The record's version is that of TLS 1.0 for old servers' sake (RFC 8446 § 5.1).
        return Self.record(hello, version: .tls10)
    }

    /// Takes bytes of the server, as many as there are, and returns those to send; usually none.
    package mutating func receive(_ bytes: some Collection<UInt8>) -> [UInt8] {
        guard result == nil else { return [] }
        output = []
        do throws(HandshakeError) {
            byteCount += bytes.count
            guard byteCount <= Self.maximumBytes else {
                throw HandshakeError(.tooLarge, "the server sent more than \(Self.maximumBytes) bytes of a handshake")
            }
            records.append(bytes)
            while result == nil, let record = try records.record() { try read(record) }
        } catch {
            state = .failed(error)
        }
        return output
    }

    /// Notes that the server ended the connection.
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
            // RFC 8446 § 5: one byte, dropped without further processing until the handshake's end. Up to TLS 1.2 it has its place behind
            // the client's answer, which never comes.
            let isExpected = observation.version.map { $0 == .tls13 } ?? true
            guard isExpected, record.fragment == [1] else { throw unexpected("a record of ChangeCipherSpec") }
            try countIdleRecord()
        case .applicationData:
            guard protection != nil else { throw unexpected("encrypted data") }
            guard let (kind, content) = try protection?.open(record) else { return }
            switch kind {
            case .handshake: try read(handshake: content)
            case .alert: try read(alert: content)
            case .applicationData, .changeCipherSpec: throw unexpected("data")
            }
        // A server that can't agree may not have come to encryption.
        case .alert: try read(alert: record.fragment[...])
        case .handshake:
            guard protection == nil else { throw unexpected("a message in the clear") }
            try read(handshake: record.fragment[...])
        }
    }

    private func unexpected(_ name: String) -> HandshakeError {
        HandshakeError(.unexpected, "the server sent \(name), which has no place there")
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
            throw HandshakeError(.ended, "the server ended the connection during the handshake", alert: alert)
        }
        // TLS 1.3 has no other warning than that of the user's end, and takes the level of the others for nothing (RFC 8446 § 6).
        let isWarning = level == 1
        guard isWarning, observation.version != .tls13 || alert == .userCanceled else {
            throw HandshakeError(.alert, "the server answers with the alert \(alert)", alert: alert)
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
            // RFC 8446 § 5.1: no message may be in a record with one under other keys.
            guard wasProtected || protection == nil || !messages.isInMessage else {
                throw unexpected("a message in the clear")
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
        // RFC 6066 § 8: a server that has promised a status may leave it out.
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
                "the server's hello says that it speaks more than \(version): something on the way prevents it")
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
            throw HandshakeError(.groupNotOffered, "the server chose \(group), for which it has no key share")
        }
        observation.group = group
        observation.hasExtendedMasterSecret = true
        let secret = try secrets.sharedSecret(group, with: key)
        protection = RecordProtection(hello.cipherSuite, secret: secret, transcript: transcript)
        state = .encryptedExtensions
    }

    private mutating func startOlder(
        _ hello: ServerHello, _ exchange: CipherSuite.KeyExchange
    ) throws(HandshakeError) {
        observation.applicationProtocol = try hello.extensions.applicationProtocol(
            offered: offer.applicationProtocols)
        observation.hasExtendedMasterSecret = hello.extensions[ExtensionType.extendedMasterSecret] != nil
        if let list = hello.extensions[ExtensionType.timestamps] {
            observation.timestampList = try CertificateMessage.timestampList(list)
        }
        expectsStatus = hello.extensions[ExtensionType.statusRequest] != nil
        if exchange == .rsa { observation.signature = .none }
        state = .certificate
    }

    private mutating func retry(_ hello: ServerHello, _ message: Message) throws(HandshakeError) {
        guard retrySuite == nil else {
            throw HandshakeError(.retryRefused, "the server asks for a second hello twice")
        }
        guard hello.sessionID == secrets.sessionID else { throw .malformed("HelloRetryRequest") }
        let group = try hello.selectedGroup()
        let cookie = try hello.cookie()
        guard group != nil || cookie != nil else {
            throw HandshakeError(.retryRefused, "the server asks for a second hello that is no different")
        }
        if let group {
            guard ProbeSecrets.groups.contains(group) else {
                throw HandshakeError(.groupNotOffered, "the server asks for a key of \(group), which wasn't offered")
            }
            guard !shares.contains(group) else {
                throw HandshakeError(.retryRefused, "the server asks for a key of \(group), which it has")
            }
            shares = [group]
        }
        observation.hasRetried = true
        retrySuite = hello.cipherSuite
        // RFC 8446 § 4.4.1: the first hello is replaced by its hash.
        let hash = TranscriptHash(hello.cipherSuite)
        transcript =
            [Message.Kind.messageHash.rawValue, 0, 0, UInt8(hash.count)] + hash.digest(transcript) + message.bytes
        var secrets = secrets
        let second = ClientHello(offer: offer, shares: shares, cookie: cookie).message(&secrets)
        self.secrets = secrets
        transcript += second
        // RFC 8446 § D.4: the change of ciphers that middleboxes wait for.
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

    /// Up to TLS 1.2: nothing is signed for an exchange by RSA.
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
                .schemeNotOffered, "the server signed by \(scheme), which wasn't offered with \(suite)")
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
            throw HandshakeError(.schemeNotOffered, "the server signed by \(scheme), which wasn't offered")
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
