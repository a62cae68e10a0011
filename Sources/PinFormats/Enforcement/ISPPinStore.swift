// SPDX-License-Identifier: Apache-2.0

import Foundation
import PinModel
import ServerTrust

/// ISPCertificatePinning's way of pinning: a dictionary of domain to certificates that is set up once, is kept on disk as a property list,
/// and is then asked for each connection.
///
/// ```swift
/// let store = ISPPinStore(file: "/var/lib/app/SSLPins.plist")
/// try store.setUp(["www.example.com": [der]])              // once: setupSSLPinsUsingDictionnary:
/// let verdict = trust.evaluate()                           // first, as SecTrustEvaluate()
/// guard verdict.isTrusted, store.verifyPinnedCertificate(for: verdict, domain: "www.example.com") else { return }
/// ```
/// Every answer is read from the file, so another process that sets it up anew is followed. What can't be read answers no.
public struct ISPPinStore: Sendable {
    /// The property list's path; ISPCertificatePinning's own is `~/Library/SSLPins.plist`.
    public let file: String

    public init(file: String) { self.file = file }

    /// Writes the dictionary, whole or not at all, in the place of what was there.
    /// - Parameter certificates: domain to certificates in DER.
    /// - Throws: ``PinFileError`` for a dictionary that couldn't be read again (no domain, no certificate, PEM instead of DER, …), with
    ///   nothing written; ``PinFileError`` with `unreadable` if the file can't be written.
    public func setUp(_ certificates: [String: [[UInt8]]]) throws(PinFileError) {
        let domains = certificates.sorted { $0.key < $1.key }.map { domain, certificates in
            (key: domain, comment: String?.none, value: PinTree.list(certificates.map { .data($0) }))
        }
        let bytes = PinTree.dictionary(domains).xmlPropertyList()
        _ = try PinConfiguration(reading: bytes, as: .isp, file: file)
        do {
            try Data(bytes).write(to: URL(fileURLWithPath: file), options: .atomic)
        } catch {
            throw PinFileError(
                PinFileProblem(
                    .unreadable, at: PinPlace(file: file), "can not be written: \(error.localizedDescription)"))
        }
    }

    /// What was set up.
    /// - Throws: ``PinFileError`` if it isn't there or can't be read.
    public func configuration() throws(PinFileError) -> PinConfiguration {
        guard let data = try? Data(contentsOf: URL(fileURLWithPath: file)) else {
            throw PinFileError(PinFileProblem(.unreadable, at: PinPlace(file: file), "can not be read"))
        }
        return try PinConfiguration(reading: [UInt8](data), as: .isp, file: file)
    }

    /// Whether the path of a verdict holds a certificate that is pinned for `domain`, as `verifyPinnedCertificateForTrust:andDomain:`.
    ///
    /// No for a peer that is not trusted, which its callers had to see to themselves; no for a domain that isn't listed; no if the file
    /// can't be read. The domain is the host that was asked for, and a parent's certificates don't count.
    public func verifyPinnedCertificate(for verdict: TrustVerdict, domain: String) -> Bool {
        guard verdict.isTrusted, let host = try? Hostname(domain), let configuration = try? configuration(),
            let rule = PinTable(configuration).rule(for: host), !rule.pins.isEmpty
        else { return false }
        return verdict.path.contains { certificate in rule.pins.contains { $0.matches(certificate) } }
    }
}
