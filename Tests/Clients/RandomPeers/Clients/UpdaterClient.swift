// SPDX-License-Identifier: Apache-2.0

import Foundation
import PKIX
import ServerTrust
import ServerTrustPins

/// `PinUpdater` with a source that uses `TrustedHTTPClient`. The answer has the status 200 if the updater accepts the
/// document, or 409 if it refuses it.
struct UpdaterTestClient: TestedClient {
    private let updater: PinUpdater
    private let source: Source
    private let file: String

    init(port: Int, _ trust: ServerTrustConfiguration, _ options: ClientOptions) throws {
        source = Source(client: try TrustedTestClient(.http1, port: port, trust, options))
        file = FileManager.default.temporaryDirectory.appendingPathComponent("random-\(UUID().uuidString).json").path
        updater = PinUpdater(
            store: try PinStore(file: file, builtIn: try PinDocument.builtIn()), source: source,
            clock: { PinDocument.now })
    }

    func send(_ request: Request) async throws -> Answer {
        source.request.withLock { $0 = request }
        let isDone = await updater.update()
        let body = try source.result.withLock { $0 }?.get() ?? []
        return Answer(status: isDone ? 200 : 409, body: body)
    }

    func close() async {
        await source.client.close()
        for name in [file, file + ".lock"] { try? FileManager.default.removeItem(atPath: name) }
    }

    private final class Source: PinListSource {
        let client: TrustedTestClient
        let request = Locked(Request())
        let result = Locked<Result<[UInt8], any Error>?>(nil)

        init(client: TrustedTestClient) { self.client = client }

        func document() async throws -> [UInt8] {
            do {
                let body = try await client.send(request.withLock { $0 }).body
                result.withLock { $0 = .success(body) }
                return body
            } catch {
                result.withLock { $0 = .failure(error) }
                throw error
            }
        }
    }
}

/// A signed pin list that is the same in every process.
enum PinDocument {
    static let now = Time(secondsSinceEpoch: 1_795_000_000)
    private static let audience = "com.example.app"
    private static let pins = Array(
        """
        {"schemaVersion":1,"selection":"mostSpecific","unlistedHosts":"evaluatedByDefault","rules":[{"mode":"enforced",\
        "hosts":[{"name":"api.example.com","includesName":true,"below":"nothing"}],\
        "pins":[{"key":"sha256/AQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQE=","scope":"anywhere","role":"inUse"}]}]}
        """.utf8)

    /// A key of Ed25519 with a fixed secret.
    private static func key() throws -> PinSigningPrivateKey {
        let head: [UInt8] = [0x30, 0x2e, 2, 1, 0, 0x30, 5, 6, 3, 0x2b, 0x65, 0x70, 4, 0x22, 4, 0x20]
        let der = head + [UInt8](repeating: 7, count: 32)
        return try PinSigningPrivateKey(pem: PEM.encode(der, label: "PRIVATE KEY"))
    }

    static func builtIn() throws -> BuiltInPinList {
        BuiltInPinList(
            audience: audience, configuration: try PinConfiguration(json: pins, file: "pins"),
            signers: try PinSigners([try key().publicKey]), sequence: 1, issued: now.advanced(by: -86_400))
    }

    /// The document that follows the built-in list.
    static func next() throws -> [UInt8] {
        let payload = PinListPayload(
            audience: audience, sequence: 2, issued: now, expires: now.advanced(by: 86_400), pins: pins,
            signers: try PinSigners([try key().publicKey]))
        return try SignedPinList.signed(try payload.bytes(), by: [try key()]).bytes
    }
}
