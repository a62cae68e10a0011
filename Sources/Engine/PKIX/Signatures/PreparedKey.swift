// SPDX-License-Identifier: Apache-2.0

import Atomics

/// A key that is parsed once, by the first thread that needs it.
final class PreparedKey: Sendable {
    /// The key, boxed because a reference that is set once has to refer to an object.
    final class Box: Sendable, AtomicReference {
        let key: VerificationKey?
        init(_ key: VerificationKey?) { self.key = key }
    }

    private let box = ManagedAtomicLazyReference<Box>()

    /// Returns the key of `certificate`; nil if it can't be used for verifying.
    func key(of certificate: Certificate) -> VerificationKey? {
        if let box = box.load() { return box.key }
        return box.storeIfNilThenLoad(Box(certificate.makeVerificationKey())).key
    }
}

extension Certificate {
    /// Returns the subject's key, ready to verify; nil if it is malformed or of a kind that isn't verified here.
    func makeVerificationKey() -> VerificationKey? {
        let span = span
        return VerificationKey(span, storage.fields.spki, KeyForm.read(span, storage.fields.spki))
    }
}
