import Atomics

/// What trust ends in: a certificate that is trusted because it is in the store, not because of who signed it.
///
/// May be a root, an intermediate, or a leaf. Its own signature is never looked at; its dates, key, names and constraints are.
public struct TrustAnchor: Sendable, Hashable {
    public let certificate: Certificate

    /// Prepared when first needed and kept as long as the anchor.
    let key: PreparedKey

    public init(_ certificate: Certificate) {
        self.certificate = certificate
        self.key = PreparedKey()
    }

    public static func == (left: TrustAnchor, right: TrustAnchor) -> Bool { left.certificate == right.certificate }
    public func hash(into hasher: inout Hasher) { hasher.combine(certificate) }
}

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

/// An immutable set of anchors, indexed by subject. One store serves any number of threads.
///
/// Where the system's anchors come from is not this module's business: see `ServerTrust`.
public final class AnchorStore: Sendable {
    /// In the order given, without repetitions.
    public let anchors: [TrustAnchor]

    /// Indices into ``anchors`` by hash of the subject. The few of one hash are compared as names.
    private let bySubject: [UInt64: [Int32]]

    /// A store of these certificates and no others. It may be empty: then nothing is trusted.
    public convenience init(_ certificates: some Sequence<Certificate>) {
        self.init(certificates.map(TrustAnchor.init))
    }

    /// A store that shares prepared keys with those whose anchors it takes.
    public init(_ given: some Sequence<TrustAnchor>) {
        var anchors: [TrustAnchor] = []
        var bySubject: [UInt64: [Int32]] = [:]
        for anchor in given {
            let hash = anchor.certificate.subjectHash
            let sameName = bySubject[hash] ?? []
            guard !sameName.contains(where: { anchors[Int($0)] == anchor }) else { continue }
            bySubject[hash, default: []].append(Int32(truncatingIfNeeded: anchors.count))
            anchors.append(anchor)
        }
        self.anchors = anchors
        self.bySubject = bySubject
    }

    public var count: Int { anchors.count }

    public var isEmpty: Bool { anchors.isEmpty }

    /// Whether exactly this certificate is an anchor.
    public func contains(_ certificate: Certificate) -> Bool {
        anchorIndex(of: certificate, hash: certificate.subjectHash) != nil
    }

    func anchorIndex(of certificate: Certificate, hash: UInt64) -> Int? {
        guard let indices = bySubject[hash] else { return nil }
        for index in indices where anchors[Int(index)].certificate == certificate { return Int(index) }
        return nil
    }

    /// Anchors whose subject has this hash.
    func candidates(hash: UInt64) -> [Int32] { bySubject[hash] ?? [] }
}

extension Certificate {
    var subjectHash: UInt64 { nameHash(span, storage.fields.subject) }
    var issuerHash: UInt64 { nameHash(span, storage.fields.issuer) }
}
