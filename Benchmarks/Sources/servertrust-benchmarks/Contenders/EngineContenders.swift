// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrust

/// This package: a presented path from bytes to a validated path.
struct EnginePath: Contender {
    let name: String
    private let validator: PathValidator
    private let leaf: [UInt8]
    private let intermediates: [[UInt8]]
    private let host: Hostname
    private let count: Int

    /// - Parameter memory: the memory of signatures, or nil to verify each signature.
    init(_ path: PresentedPath, memory: SignatureMemory?, name: String = ContenderName.ours) throws {
        self.name = name
        validator = PathValidator(anchors: path.anchors, memory: memory)
        leaf = path.leaf.der
        intermediates = path.intermediates.map(\.der)
        host = try Hostname(path.host)
        count = path.count
    }

    @inline(never)
    func run(_ iterations: Int) throws {
        for _ in 0..<iterations {
            let outcome = validator.validate(
                try Certificate(der: leaf), presented: try intermediates.map { try Certificate(der: $0) }, host: host,
                at: PresentedPath.time)
            guard case .valid(let path) = outcome, path.certificates.count == count else {
                throw WrongAnswer(contender: name, what: "rejected: \(outcome.rejection?.headline.message ?? "?")")
            }
        }
    }
}

/// This package: the same with the certificates parsed beforehand.
struct EngineParsedPath: Contender {
    let name = "\(ContenderName.ours), parsed before"
    private let validator: PathValidator
    private let path: PresentedPath
    private let host: Hostname

    init(_ path: PresentedPath, memory: SignatureMemory?) throws {
        validator = PathValidator(anchors: path.anchors, memory: memory)
        self.path = path
        host = try Hostname(path.host)
    }

    @inline(never)
    func run(_ iterations: Int) throws {
        for _ in 0..<iterations {
            let outcome = validator.validate(
                path.leaf, presented: path.intermediates, host: host, at: PresentedPath.time)
            guard case .valid(let found) = outcome, found.certificates.count == path.count else {
                throw WrongAnswer(contender: name, what: "rejected: \(outcome.rejection?.headline.message ?? "?")")
            }
        }
    }
}

/// This package: one certificate from bytes.
struct EngineParse: Contender {
    let name = ContenderName.ours
    let der: [UInt8]

    @inline(never)
    func run(_ iterations: Int) throws {
        for _ in 0..<iterations {
            guard try Certificate(der: der).version == 3 else {
                throw WrongAnswer(contender: name, what: "not version 3")
            }
        }
    }
}

/// This package: from a bundle's text to a store of anchors.
struct EngineRoots: Contender {
    let name = ContenderName.ours
    let pem: [UInt8]
    let count: Int

    @inline(never)
    func run(_ iterations: Int) throws {
        for _ in 0..<iterations {
            let entries = CertificateFile.entries(in: pem, name: "roots")
            let anchors = TrustAnchors.only(entries.compactMap { try? $0.get() })
            guard try anchors.count == count else {
                throw WrongAnswer(contender: name, what: "\(try anchors.count) roots of \(count)")
            }
        }
    }
}
