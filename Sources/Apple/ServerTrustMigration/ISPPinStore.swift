// SPDX-License-Identifier: Apache-2.0

import Foundation
import ServerTrust
import ServerTrustPins

/// A pin store like that of SSL Conservatory's ISPCertificatePinning. It maps domains to certificates. You set it up
/// once. The store keeps it on disk as a property list, and reads it for each connection.
///
/// ```swift
/// let store = ISPPinStore(file: "/var/lib/app/SSLPins.plist")
/// try store.setUp(["www.example.com": [der]])              // once: setupSSLPinsUsingDictionnary:
/// let verdict = trust.evaluate()                           // first, as SecTrustEvaluate()
/// guard verdict.isTrusted, store.verifyPinnedCertificate(for: verdict, domain: "www.example.com") else { return }
/// ```
/// The store reads the file for every verification, so a change by another process takes effect. If the file can't be
/// read, every verification returns false.
public struct ISPPinStore: Sendable {
    /// The property list's path. ISPCertificatePinning itself uses `~/Library/SSLPins.plist`.
    let file: String

    /// Creates a store without reading or writing the file.
    public init(file: String) { self.file = file }

    /// Replaces the file with a dictionary, either completely or not at all.
    /// - Parameter certificates: the certificates in DER for each domain.
    /// - Throws: `PinFileError` if the dictionary couldn't be read back (no domain, no certificate, PEM instead of DER,
    ///   …); the function then writes nothing. `PinFileError` with `pinFileUnreadable` if the file can't be written.
    public func setUp(_ certificates: [String: [[UInt8]]]) throws(PinFileError) {
        let domains = certificates.sorted { $0.key < $1.key }.map { domain, certificates in
            (key: domain, comment: String?.none, value: PinTree.list(certificates.map { .data($0) }))
        }
        let bytes = PinTree.dictionary(domains).xmlPropertyList()
        _ = try PinConfiguration(reading: bytes, as: .isp, file: file)
        do throws(SystemError) {
            let status = try? FileStatus(ofFile: file)
            let mode = status.map { ReplacementFile.Mode.same(UInt16(truncatingIfNeeded: $0.permissions)) } ?? .open
            let suffix = ".\(UInt32.random(in: 0 ... .max)).new"
            let replacement = try ReplacementFile(bytes, for: file, suffix: suffix, mode: mode, replacesRemnant: false)
            do throws(SystemError) { try replacement.replace() } catch {
                replacement.discard()
                throw error
            }
            try replacement.flushFolder()
        } catch {
            throw PinFileError(
                PinFileProblem(.pinFileUnreadable, at: PinFileLocation(file: file), "can't be written: \(error)"))
        }
    }

    /// Reads the file.
    /// - Throws: `PinFileError` if it is missing or can't be read.
    public func configuration() throws(PinFileError) -> PinConfiguration {
        guard let data = try? Data(contentsOf: URL(fileURLWithPath: file)) else {
            throw PinFileError(PinFileProblem(.pinFileUnreadable, at: PinFileLocation(file: file), "can't be read"))
        }
        return try PinConfiguration(reading: [UInt8](data), as: .isp, file: file)
    }

    /// Returns whether the path of a verdict contains a certificate pinned for `domain`, like
    /// `verifyPinnedCertificateForTrust:andDomain:`.
    ///
    /// Returns false for a peer that isn't trusted, which ISPCertificatePinning leaves to its callers. Also returns
    /// false if the domain isn't listed or the file can't be read. The domain is the requested host. Certificates of a
    /// parent domain don't count.
    public func verifyPinnedCertificate(for verdict: TrustVerdict, domain: String) -> Bool {
        guard verdict.isTrusted, let host = try? Hostname(domain), let configuration = try? configuration(),
            let rule = PinTable(configuration).rule(for: host), !rule.pins.isEmpty
        else { return false }
        return verdict.path.contains { certificate in rule.pins.contains { $0.matches(certificate) } }
    }
}
