import Crypto
import CryptoExtras
@preconcurrency import X509

/// A private key for a test certificate.
public struct TestKey: Sendable {
    let key: X509.Certificate.PrivateKey

    public static func p256() -> TestKey { TestKey(key: .init(P256.Signing.PrivateKey())) }
    public static func p384() -> TestKey { TestKey(key: .init(P384.Signing.PrivateKey())) }
    public static func p521() -> TestKey { TestKey(key: .init(P521.Signing.PrivateKey())) }
    public static func ed25519() -> TestKey { TestKey(key: .init(Curve25519.Signing.PrivateKey())) }

    /// An RSA key. Making one takes a tenth of a second and more.
    /// - Parameter bits: 1024 or more; below 2048 it is for being refused.
    public static func rsa(bits: Int = 2048) throws -> TestKey {
        let size = _RSA.Signing.KeySize(bitCount: bits)
        let key =
            bits < 2048 ? try _RSA.Signing.PrivateKey(unsafeKeySize: size) : try _RSA.Signing.PrivateKey(keySize: size)
        return TestKey(key: .init(key))
    }

    /// The key in PKCS #8 PEM.
    public func pemRepresentation() throws -> String { try key.serializeAsPEM().pemString }
}
