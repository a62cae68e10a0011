// SPDX-License-Identifier: Apache-2.0

import Foundation
import PKIX
import ServerTrust
import ServerTrustTesting

/// An exception for an expired certificate, and for nothing else: the first connection, the user's agreement, the
/// store, and the next connection.
@main
struct TrustExceptionsExample {
    let store: ExceptionStore
    let anchors: TrustAnchors

    /// Evaluates one connection of a client.
    func connect(to name: String, presenting chain: [Certificate], at time: Time = TestAuthority.now) throws {
        let host = try Hostname(name)
        var trust = Trust(presentedChain: chain, host: host)
        trust.anchors = anchors
        trust.verifyDate = .at(time)
        if let leaf = trust.presentedChain.leaf, let agreed = store.exceptions(for: host, leaf: leaf) {
            trust.setExceptions(agreed)
        }

        let verdict = trust.evaluate()
        print("  \(verdict.result.rawValue)")
        for failure in verdict.failures { print("  \(failure.message)") }
        for failure in verdict.excused { print("  excused: \(failure.message)") }

        guard !verdict.isTrusted else { return }
        guard verdict.result == .recoverableFailure else { return print("  nobody is asked") }
        guard userAgrees(to: verdict) else { return print("  the user doesn't agree") }
        // Exactly these failures, of this certificate, at this host, for a week.
        try store.add(verdict.exceptions(expires: time.advanced(by: .days(7))))
        print("  the user agrees")
    }

    /// Simulates a user who has read that the printer's certificate has expired.
    func userAgrees(to verdict: TrustVerdict) -> Bool { verdict.failures.map(\.code) == [.certificateExpired] }

    static func main() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(at: folder) }

        let root = try TestAuthority.root()
        let yesterday = TestAuthority.now.advanced(by: .days(-1))
        let printer = try root.issue(.leaf("printer.example").with { $0.notAfter = yesterday }).certificate
        let client = TrustExceptionsExample(
            store: try ExceptionStore(file: folder.appendingPathComponent("exceptions.json").path),
            anchors: .only([root.certificate]))

        print("first encounter")
        try client.connect(to: "printer.example", presenting: [printer])

        print("second encounter")
        try client.connect(to: "printer.example", presenting: [printer])

        print("the same certificate at another host")
        try client.connect(to: "scanner.example", presenting: [printer])

        print("an impostor with an expired certificate of the same name")
        let impostor = try TestAuthority.selfSigned(
            .leaf("printer.example").with { $0.notAfter = yesterday }
        ).certificate
        try client.connect(to: "printer.example", presenting: [impostor])

        print("the printer's certificate with a flipped bit")
        var bytes = printer.der
        bytes[bytes.count - 1] ^= 1
        try client.connect(to: "printer.example", presenting: [Certificate(der: bytes)])

        print("a week later")
        try client.connect(
            to: "printer.example", presenting: [printer], at: TestAuthority.now.advanced(by: .days(7) + .seconds(1)))
    }
}
