// SPDX-License-Identifier: Apache-2.0

import Atomics

/// A key that the first thread that needs it parses, once.
final class PreparedKey: Sendable {
    /// The key in an object, because a reference that is set once must refer to an object.
    final class Box: Sendable, AtomicReference {
        let key: VerificationKey?
        init(_ key: VerificationKey?) { self.key = key }
    }

    private let box = ManagedAtomicLazyReference<Box>()

    /// Returns the key of `certificate`, or nil if it can't verify signatures.
    func key(of certificate: Certificate) -> VerificationKey? {
        if let box = box.load() { return box.key }
        return box.storeIfNilThenLoad(Box(certificate.makeVerificationKey())).key
    }
}

extension Certificate {
    /// Returns the subject's key, ready to verify, or nil if it is malformed or the engine doesn't verify its kind.
    func makeVerificationKey() -> VerificationKey? {
        let span = span
        return VerificationKey(span, storage.fields.spki, KeyForm.read(span, storage.fields.spki))
    }
}
