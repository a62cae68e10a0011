// SPDX-License-Identifier: Apache-2.0

import Foundation
import PKIX
import ServerTrust

/// Loads the system's store from its file, with and without a list in the format of `certdata.txt` on top.
struct RootOverlayBenchmark: Benchmark {
    let name = "overlay"
    let summary = "the system's store with the list of a root program over it"
    var countsInstructions: Bool { false }

    func run(_ settings: Settings) async throws -> Section {
        let list = FileManager.default.temporaryDirectory.appendingPathComponent("certdata-\(UUID().uuidString).txt")
        let text = CertdataText.list(settings.roots.anchors)
        try text.write(to: list)
        defer { try? FileManager.default.removeItem(at: list) }
        let count = settings.roots.anchors.count
        let timings = try await settings.race([
            StoreLoading(name: "store alone", list: nil, file: settings.roots.file, count: count),
            StoreLoading(name: "store and list", list: list.path, file: settings.roots.file, count: count),
        ])
        return Section(
            benchmark: name, title: "\(summary) (\(count) roots, list of \(text.count) bytes)", timings: timings,
            base: "store alone")
    }
}

/// A way to load the store.
private struct StoreLoading: Contender {
    let name: String
    let list: String?
    let file: String
    let count: Int

    @inline(never)
    func run(_ iterations: Int) throws {
        for _ in 0..<iterations {
            let overlay = try list.map { try RootList(contentsOfFile: $0) }
            let system = try TrustAnchors.readSystem(environment: ["SSL_CERT_FILE": file])
            let anchors = overlay.map { system.applying($0) } ?? system
            guard try anchors.count == count else {
                throw WrongAnswer(contender: name, what: "\(try anchors.count) roots of \(count)")
            }
        }
    }
}

/// A list in the format of `certdata.txt` that trusts every root and is as large as Mozilla's.
private enum CertdataText {
    static func list(_ roots: [Certificate]) -> Data {
        var text = "BEGINDATA\n"
        for root in roots {
            let serial = root.serialNumber.bytes
            let name =
                "CKA_ISSUER \(octal(root.issuer.der))CKA_SERIAL_NUMBER \(octal([2, UInt8(serial.count)] + serial))"
            text += "CKA_CLASS CK_OBJECT_CLASS CKO_CERTIFICATE\nCKA_SUBJECT \(octal(root.subject.der))\(name)"
            text += "CKA_VALUE \(octal(root.der))CKA_NSS_SERVER_DISTRUST_AFTER CK_BBOOL CK_FALSE\n"
            text += "CKA_CLASS CK_OBJECT_CLASS CKO_NSS_TRUST\n\(name)"
            text += "CKA_TRUST_SERVER_AUTH CK_TRUST CKT_NSS_TRUSTED_DELEGATOR\n"
        }
        return Data(text.utf8)
    }

    private static func octal(_ bytes: [UInt8]) -> String {
        var text = "MULTILINE_OCTAL"
        for (index, byte) in bytes.enumerated() {
            let digits = String(byte, radix: 8)
            text += (index % 16 == 0 ? "\n\\" : "\\") + String(repeating: "0", count: 3 - digits.count) + digits
        }
        return text + "\nEND\n"
    }
}
