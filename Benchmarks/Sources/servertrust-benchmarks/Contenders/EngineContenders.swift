// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrust

/// This package: leaf and intermediate from bytes to a validated path.
struct EnginePath: Contender {
    let name: String
    let validator: PathValidator
    let leaf: [UInt8]
    let intermediate: [UInt8]
    let host: Hostname
    let time: Time

    init(
        _ chain: ServerChain, _ roots: SystemRoots, memory: SignatureMemory?, name: String = ContenderName.ours
    ) throws {
        self.name = name
        self.validator = PathValidator(anchors: roots.anchors + [chain.root], memory: memory)
        self.leaf = chain.leaf.der
        self.intermediate = chain.intermediate.der
        self.host = try Hostname(ServerChain.hostname)
        self.time = chain.time
    }

    @inline(never)
    func run(_ iterations: Int) throws {
        for _ in 0..<iterations {
            let outcome = validator.validate(
                try Certificate(der: leaf), presented: [try Certificate(der: intermediate)], host: host, at: time)
            guard case .valid(let path) = outcome, path.certificates.count == 3 else {
                throw WrongAnswer(contender: name, what: "rejected: \(outcome.rejection?.headline.message ?? "?")")
            }
        }
    }
}

/// This package: the same with the certificates parsed beforehand.
struct EngineParsedPath: Contender {
    let name = "\(ContenderName.ours), parsed before"
    let validator: PathValidator
    let leaf: Certificate
    let intermediate: Certificate
    let host: Hostname
    let time: Time

    init(_ chain: ServerChain, _ roots: SystemRoots, memory: SignatureMemory?) throws {
        self.validator = PathValidator(anchors: roots.anchors + [chain.root], memory: memory)
        self.leaf = chain.leaf
        self.intermediate = chain.intermediate
        self.host = try Hostname(ServerChain.hostname)
        self.time = chain.time
    }

    @inline(never)
    func run(_ iterations: Int) throws {
        for _ in 0..<iterations {
            let outcome = validator.validate(leaf, presented: [intermediate], host: host, at: time)
            guard case .valid(let path) = outcome, path.certificates.count == 3 else {
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
