// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrust

/// Pins in public files that lock users out: hashes of nothing, placeholders, samples from documentation, and keys of
/// CAs that no longer issue certificates or that rotate their keys without notice.
///
/// As of 2026-11-22. Sources: for the samples, the named documents (a pin in them that is a root in use isn't
/// included); https://letsencrypt.org/certificates/ for the intermediates of Let's Encrypt, and
/// https://letsencrypt.org/docs/integration-guide/ for their rotation ("should not pin"); the certificates of WE1 and
/// WR2, which https://pki.goog/repository/ lists, with signatures checked under GTS Root R4 and R1; Chromium's
/// `net/cert/symantec_certs.cc` (`kSymantecRoots`) and `net/cert/cert_verify_proc_whitelist.cc` (`kWosignKeys`) for
/// Symantec, WoSign and StartCom; Mozilla's `certdata.txt` (`CKA_NSS_SERVER_DISTRUST_AFTER` 2024-11-30, or no trust for
/// servers) for Entrust.
///
/// **Not included:** SHA-1 digests, which no format of this package accepts as a pin.
enum KnownPins {
    /// The kind of a known pin.
    enum Kind: Sendable, Hashable {
        /// The digest of an input without a key. The value describes the input.
        case nothing(String)
        /// A string that isn't a digest: one group of letters, repeated.
        case placeholder
        /// A sample pin from the named document.
        case sample(String)
        /// The key of a CA that no longer issues certificates, with its name and the reason.
        case retired(String)
        /// The key of an intermediate that its CA replaces without notice, with its name.
        case rotating(String)

        /// A human-readable description of the kind.
        var words: String {
            switch self {
            case .nothing(let input): "the SHA-256 of \(input)"
            case .placeholder: "a placeholder"
            case .sample(let document): "a sample of \(document)"
            case .retired(let authority), .rotating(let authority): "the key of \(authority)"
            }
        }
    }

    /// Returns the kind of a pin, or nil if nothing is known about it.
    static func kind(of pin: SPKIPin) -> Kind? {
        if let kind = table[pin] { return kind }
        return isRepeated(Array(Base64.encode(pin.sha256).utf8)) ? .placeholder : nil
    }

    /// Returns the other intermediates of the CA that has a key, if the CA replaces its intermediates without notice.
    /// Empty for other keys.
    static func siblings(of key: SPKIPin) -> [(key: SPKIPin, name: String)] {
        guard case .rotating(let name) = table[key], let owner = owner(of: name) else { return [] }
        return rotating.compactMap { entry in
            guard Self.owner(of: entry.name) == owner, let other = try? SPKIPin("sha256/" + entry.key), other != key
            else {
                return nil
            }
            return (other, entry.name)
        }
    }

    /// Returns the name of an intermediate without its last word, which is its number.
    private static func owner(of name: String) -> Substring? { name.lastIndex(of: " ").map { name[..<$0] } }

    /// Returns whether a base64 string repeats a group of at most eight letters. The probability that a digest does so
    /// is below 2^-200.
    ///
    /// The last letter before the padding contains bits that don't belong to a byte, so it isn't compared.
    private static func isRepeated(_ text: [UInt8]) -> Bool {
        let letters = text.prefix(42)
        return (1...8).contains { period in zip(letters, letters.dropFirst(period)).allSatisfy { $0 == $1 } }
    }

    private static let table: [SPKIPin: Kind] = {
        var table: [SPKIPin: Kind] = [:]
        for (input, description) in inputs {
            let key = Base64.encode(Digests.sha256(input))
            if let pin = try? SPKIPin("sha256/" + key) { table[pin] = .nothing(description) }
        }
        func add(_ entries: [(key: String, name: String)], _ kind: (String) -> Kind) {
            for (key, name) in entries {
                // Each string is a valid pin. A test counts the pins.
                if let pin = try? SPKIPin("sha256/" + key) { table[pin] = kind(name) }
            }
        }
        add(samples) { .sample($0) }
        add(retired) { .retired($0) }
        add(rotating) { .rotating($0) }
        for (name, keys) in distrusted { add(keys.map { ($0, name) }) { .retired($0) } }
        return table
    }()
}
