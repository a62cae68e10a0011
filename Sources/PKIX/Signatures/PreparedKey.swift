// SPDX-License-Identifier: Apache-2.0

import Atomics

/// A key that is parsed once, by whichever thread needs it first.
final class PreparedKey: Sendable {
    /// Boxed because the reference that is set once has to be one to an object.
    final class Box: Sendable, AtomicReference {
        let key: VerificationKey?
        init(_ key: VerificationKey?) { self.key = key }
    }

    private let box = ManagedAtomicLazyReference<Box>()

    /// The key of `certificate`; nil if it can't be used for verifying.
    func key(of certificate: Certificate) -> VerificationKey? {
        if let box = box.load() { return box.key }
        return box.storeIfNilThenLoad(Box(certificate.makeVerificationKey())).key
    }
}

extension Certificate {
    /// The subject's key, ready to verify; nil if it is malformed or of a kind that isn't verified here.
    func makeVerificationKey() -> VerificationKey? {
        let span = span
        return VerificationKey(span, storage.fields.spki, KeyForm.read(span, storage.fields.spki))
    }
}
