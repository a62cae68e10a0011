// SPDX-License-Identifier: Apache-2.0

import COpenSSL
import PKIX

/// OpenSSL: a presented path from bytes to a verified chain, as its TLS client does it.
struct OpenSSLPath: Contender {
    let name = ContenderName.openSSL
    private let store: OpenSSLStore
    private let chain: [[UInt8]]
    private let host: String
    private let count: Int

    init(_ path: PresentedPath) throws {
        store = try OpenSSLStore(der: path.anchors.map(\.der))
        chain = ([path.leaf] + path.intermediates).map(\.der)
        (host, count) = (path.host, path.count)
    }

    @inline(never)
    func run(_ iterations: Int) throws {
        for _ in 0..<iterations {
            let (code, found) = verify()
            guard code == X509_V_OK, found == count else {
                throw WrongAnswer(
                    contender: name, what: "rejected: \(String(cString: X509_verify_cert_error_string(Int(code))))")
            }
        }
    }

    /// Returns the error and the length of the chain.
    private func verify() -> (Int32, Int) {
        let certificates = chain.map(openSSLCertificate)
        let untrusted = OPENSSL_sk_new_null()
        let context = X509_STORE_CTX_new()
        defer {
            X509_STORE_CTX_free(context)
            OPENSSL_sk_free(untrusted)
            for certificate in certificates { X509_free(certificate) }
        }
        for case let certificate? in certificates.dropFirst() {
            OPENSSL_sk_push(untrusted, UnsafeRawPointer(certificate))
        }
        guard let leaf = certificates.first ?? nil,
            X509_STORE_CTX_init(context, store.pointer, leaf, untrusted) == 1
        else { return (X509_V_ERR_UNSPECIFIED, 0) }
        // Sets the purpose and trust settings of a TLS server.
        X509_STORE_CTX_set_default(context, "ssl_server")
        let parameters = X509_STORE_CTX_get0_param(context)
        X509_VERIFY_PARAM_set_time(parameters, time_t(PresentedPath.time.secondsSinceEpoch))
        X509_VERIFY_PARAM_set1_host(parameters, host, 0)
        guard X509_verify_cert(context) == 1 else { return (X509_STORE_CTX_get_error(context), 0) }
        return (X509_V_OK, Int(OPENSSL_sk_num(X509_STORE_CTX_get0_chain(context))))
    }
}

/// OpenSSL: one certificate from bytes.
struct OpenSSLParse: Contender {
    let name = ContenderName.openSSL
    let der: [UInt8]

    @inline(never)
    func run(_ iterations: Int) throws {
        for _ in 0..<iterations {
            let certificate = openSSLCertificate(der)
            defer { X509_free(certificate) }
            guard certificate != nil, X509_get_version(certificate) == 2 else {
                throw WrongAnswer(contender: name, what: "not version 3")
            }
        }
    }
}

/// OpenSSL: from a bundle's text to a store.
struct OpenSSLRoots: Contender {
    let name = ContenderName.openSSL
    let pem: [UInt8]
    /// The number of certificates that it reads, including repetitions.
    let count: Int

    init(pem: [UInt8]) {
        self.pem = pem
        self.count = Self.read(pem)
    }

    private static func read(_ pem: [UInt8]) -> Int {
        let store = X509_STORE_new()
        defer { X509_STORE_free(store) }
        return pem.withUnsafeBytes { bytes in
            let source = BIO_new_mem_buf(bytes.baseAddress, Int32(bytes.count))
            defer { BIO_free(source) }
            var found = 0
            while let certificate = PEM_read_bio_X509(source, nil, nil, nil) {
                if X509_STORE_add_cert(store, certificate) == 1 { found += 1 }
                X509_free(certificate)
            }
            // At the end of the file, OpenSSL reports the missing BEGIN line as an error.
            ERR_clear_error()
            return found
        }
    }

    @inline(never)
    func run(_ iterations: Int) throws {
        for _ in 0..<iterations {
            let found = Self.read(pem)
            guard found == count else { throw WrongAnswer(contender: name, what: "\(found) roots of \(count)") }
        }
    }
}

/// A store that lives as long as this object and doesn't change after its creation.
final class OpenSSLStore: @unchecked Sendable {
    // Proof of sendability: the pointer never changes, and OpenSSL's stores have their own reference counts and locks.
    let pointer: OpaquePointer

    init(der: [[UInt8]]) throws {
        guard let store = X509_STORE_new() else {
            throw WrongAnswer(contender: ContenderName.openSSL, what: "no memory")
        }
        self.pointer = store
        for certificate in der {
            let certificate = openSSLCertificate(certificate)
            X509_STORE_add_cert(store, certificate)
            X509_free(certificate)
        }
    }

    deinit { X509_STORE_free(pointer) }
}

func openSSLCertificate(_ der: [UInt8]) -> OpaquePointer? {
    der.withUnsafeBufferPointer { bytes in
        var position = bytes.baseAddress
        return d2i_X509(nil, &position, bytes.count)
    }
}

/// The version of OpenSSL, as `openssl version` prints it.
var openSSLVersion: String { String(cString: OpenSSL_version(OPENSSL_VERSION)) }
