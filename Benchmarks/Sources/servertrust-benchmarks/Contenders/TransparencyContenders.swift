// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation
import PKIX
import ServerTrust
import ServerTrustTesting

/// A chain whose leaf has timestamps from two logs, below a root of the system's store.
struct PublishedLeaf {
    let chain: [[UInt8]]
    let anchors: TrustAnchors
    let transparency: TransparencySettings
    let time = TestAuthority.now
    let rawSignatures: RawTimestamps

    init() throws {
        let logs = try ["One", "Two"].map { try TestLog("\($0) 2027", operatedBy: $0) }
        let root = try TestAuthority.root()
        let intermediate = try root.intermediate()
        let leaf = try intermediate.issue(
            .leaf(ServerChain.hostname).with { $0.timestamps = logs.map { $0.timestamp() } }
        ).certificate
        chain = [leaf.der, intermediate.certificate.der]
        transparency = TransparencySettings(
            logs: try CTLogList(json: TestLog.list(logs), now: time), policy: .mozilla, mode: .require)
        // A root of the system's store counts as a public root.
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).pem")
        defer { try? FileManager.default.removeItem(at: file) }
        let base64 = Data(root.certificate.der).base64EncodedString(options: .lineLength64Characters)
        try Data("-----BEGIN CERTIFICATE-----\n\(base64)\n-----END CERTIFICATE-----\n".utf8).write(to: file)
        anchors = try .readSystem(environment: ["SSL_CERT_FILE": file.path])
        rawSignatures = try RawTimestamps(size: leaf.tbsCertificate.count + 43)
    }
}

/// Two signatures over messages as long as the timestamps' messages, verified with the library that this package uses.
struct RawTimestamps: Contender {
    let name = ContenderName.raw
    let signatures: [(key: P256.Signing.PublicKey, signature: P256.Signing.ECDSASignature, message: [UInt8])]

    init(size: Int) throws {
        signatures = try (0..<2).map { index in
            let key = P256.Signing.PrivateKey()
            let message = [UInt8](repeating: UInt8(index), count: size)
            return (key.publicKey, try key.signature(for: message), message)
        }
    }

    @inline(never)
    func run(_ iterations: Int) throws {
        for _ in 0..<iterations {
            for (key, signature, message) in signatures where !key.isValidSignature(signature, for: message) {
                throw WrongAnswer(contender: name, what: "signature invalid")
            }
        }
    }
}

/// An evaluation that does or doesn't require transparency.
struct PublishedVerdict: Contender {
    let name: String
    let published: PublishedLeaf
    let checks: Bool
    let remembers: Bool

    @inline(never)
    func run(_ iterations: Int) throws {
        let host = try Hostname(ServerChain.hostname)
        for _ in 0..<iterations {
            var trust = Trust(presentedChain: PresentedChain(der: published.chain), host: host)
            trust.anchors = published.anchors
            trust.verifyDate = .at(published.time)
            trust.signatureMemory = remembers ? .shared : nil
            if checks { trust.transparency = published.transparency }
            let verdict = trust.evaluate()
            guard verdict.result == .unspecified, verdict.transparency?.status == (checks ? .complies : nil) else {
                throw WrongAnswer(contender: name, what: "\(verdict)")
            }
        }
    }
}

/// Verifies the same two signatures with Python's cryptography library and prepared keys.
enum PythonTimestamps {
    static let name = "Python's cryptography"

    private static let program = """
        import base64, json, sys, time
        from cryptography.hazmat.primitives.asymmetric import ec
        from cryptography.hazmat.primitives.hashes import SHA256
        from cryptography.hazmat.primitives.serialization import load_der_public_key
        task = json.load(sys.stdin)
        items = [tuple(base64.b64decode(part) for part in item) for item in task["items"]]
        items = [(load_der_public_key(key), signature, message) for key, signature, message in items]
        algorithm = ec.ECDSA(SHA256())
        samples = []
        for _ in range(task["rounds"]):
            start = time.process_time_ns()
            for _ in range(20):
                for key, signature, message in items:
                    key.verify(signature, message, algorithm)
            samples.append((time.process_time_ns() - start) / 20)
        print(json.dumps(samples))
        """

    /// Returns the times, or nil if Python or the library is missing.
    static func timing(_ published: PublishedLeaf, rounds: Int) -> Timing? {
        let items = published.rawSignatures.signatures.map { item in
            [item.key.derRepresentation, item.signature.derRepresentation, Data(item.message)]
                .map { $0.base64EncodedString() }
        }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["python3", "-c", program]
        let (input, output) = (Pipe(), Pipe())
        (process.standardInput, process.standardOutput, process.standardError) = (input, output, Pipe())
        guard
            let task = try? JSONSerialization.data(
                withJSONObject: ["items": items, "rounds": rounds] as [String: Any]),
            (try? process.run()) != nil
        else { return nil }
        try? input.fileHandleForWriting.write(contentsOf: task)
        try? input.fileHandleForWriting.close()
        let answer = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        guard let samples = try? JSONDecoder().decode([Double].self, from: answer), samples.count == rounds else {
            return nil
        }
        return Timing(name: name, samples: samples)
    }
}
