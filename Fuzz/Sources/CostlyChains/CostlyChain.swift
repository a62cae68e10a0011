// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation

/// The certificates that a ``CostPlan`` describes: leaf first, at most a megabyte without the anchor.
public struct CostlyChain: Sendable {
    public let plan: CostPlan
    public let certificates: [[UInt8]]
    /// A root with its own key and name, valid from 2020 to 2049.
    public static let anchor = Writer(plan: CostPlan()).root()

    public var size: Int { certificates.reduce(0) { $0 + $1.count } }

    /// The size limit of all certificates together, in bytes.
    public static let maximumSize = 1_000_000

    public init(_ plan: CostPlan) {
        self.plan = plan
        var writer = Writer(plan: plan)
        let count = plan.layers * plan.width + 1
        writer.limit = max(600, Self.maximumSize / min(count, 1_200))
        writer.nameLimit = writer.limit
        var certificates = [writer.leaf()]
        var size = certificates[0].count
        // Either few large or many small certificates: the leaf comes first, and the authorities share the rest.
        writer.limit = max(600, (Self.maximumSize - size) / max(1, min(count - 1, 1_200)))
        build: for layer in 0..<plan.layers {
            for position in 0..<plan.width {
                let certificate = writer.authority(layer, position)
                size += certificate.count
                guard size <= Self.maximumSize else { break build }
                certificates.append(certificate)
            }
        }
        self.certificates = certificates
    }
}

extension CostlyChain {
    public struct Writer {
        let plan: CostPlan
        /// The approximate maximum size of a certificate, in bytes.
        var limit = 1000
        /// The approximate maximum size of a name in bytes. Every certificate repeats the name.
        var nameLimit = 1000

        private static let signingKey = try? Curve25519.Signing.PrivateKey(
            rawRepresentation: [UInt8](repeating: 7, count: 32))
        private static let ed25519 = DERWriter.sequence(DERWriter.tlv(0x06, [0x2b, 0x65, 0x70]))
        private static let rootName = DERWriter.sequence(
            DERWriter.set([
                DERWriter.sequence(DERWriter.tlv(0x06, [0x55, 0x04, 3]), DERWriter.text("Root of costly chains"))
            ]))

        func root() -> [UInt8] {
            certificate(
                serial: 1, issuer: Self.rootName, subject: Self.rootName, key: sharedKey,
                extensions: Self.authorityExtensions)
        }

        /// Without layers, the root issues the leaf and the leaf names the root as its issuer.
        func leaf() -> [UInt8] {
            let issuer = plan.layers == 0 ? Self.rootName : subject(0, spelled: true)
            var subject = DERWriter.tlv(0x30, [])
            let commonNames = plan.lists.filter { $0.kind == .commonNames && $0.place != .authorities }
            if let list = commonNames.first { subject = CostLists(plan, limit: limit).commonNames(list) }
            return certificate(
                serial: 2, issuer: issuer, subject: subject, key: key(1),
                extensions: CostLists(plan, limit: limit).extensions(.leaf) + identifiers)
        }

        func authority(_ layer: Int, _ position: Int) -> [UInt8] {
            let isTop = plan.options.contains(.clique) ? position == 0 : layer == plan.layers - 1
            let above = plan.options.contains(.clique) ? layer : layer + 1
            let issuer = isTop ? Self.rootName : subject(above, spelled: true)
            let places: CostPlan.List.Place = layer == 0 ? .firstLayer : .authorities
            return certificate(
                serial: 1000 + layer * 2048 + position, issuer: issuer,
                subject: subject(plan.options.contains(.clique) ? 0 : layer, spelled: false),
                key: plan.options.contains(.sharedKey) || plan.options.contains(.signed)
                    ? sharedKey : key(2 + layer * 2048 + position),
                extensions: Self.authorityExtensions + CostLists(plan, limit: limit).extensions(places) + identifiers,
                isForged: isTop && plan.options.contains(.forgedTop))
        }

        private func subject(_ layer: Int, spelled: Bool) -> [UInt8] {
            let layer = plan.options.contains(.clique) ? 0 : layer
            return CostNames.name(plan, mark: "\(layer)", spelled: spelled, limit: nameLimit)
        }

        private var sharedKey: [UInt8] {
            Self.signingKey.map { Array($0.publicKey.rawRepresentation) } ?? [UInt8](repeating: 0, count: 32)
        }

        private func key(_ number: Int) -> [UInt8] {
            DERWriter.bigEndian(number + 0x10_0000) + [UInt8](repeating: 9, count: 29)
        }

        private static let authorityExtensions =
            CostLists.extension([0x55, 0x1d, 0x13], [0x30, 0x03, 0x01, 0x01, 0xff], isCritical: true)
            + CostLists.extension([0x55, 0x1d, 0x0f], [0x03, 0x02, 0x01, 0x06], isCritical: true)

        private var identifiers: [UInt8] {
            guard plan.identifier > 0 else { return [] }
            let bytes = [UInt8](repeating: 5, count: min(plan.identifier, limit / 4))
            return CostLists.extension([0x55, 0x1d, 0x0e], DERWriter.tlv(0x04, bytes))
                + CostLists.extension([0x55, 0x1d, 0x23], DERWriter.sequence(DERWriter.tlv(0x80, bytes)))
        }

        private func certificate(
            serial: Int, issuer: [UInt8], subject: [UInt8], key: [UInt8], extensions: [UInt8],
            isForged: Bool = false
        ) -> [UInt8] {
            let validity = DERWriter.sequence(
                DERWriter.tlv(0x17, Array("200101000000Z".utf8)), DERWriter.tlv(0x17, Array("491231000000Z".utf8)))
            let list = extensions.isEmpty ? [] : DERWriter.tlv(0xa3, DERWriter.tlv(0x30, extensions))
            let tbs = DERWriter.sequence(
                DERWriter.tlv(0xa0, DERWriter.integer(2)), DERWriter.integer(serial), Self.ed25519, issuer, validity,
                subject, DERWriter.sequence(Self.ed25519, DERWriter.bits(Array(key.prefix(32)))), list)
            var signature = [UInt8](repeating: 0, count: 64)
            if plan.options.contains(.signed), !isForged, let made = try? Self.signingKey?.signature(for: tbs) {
                signature = Array(made)
            }
            return DERWriter.sequence(tbs, Self.ed25519, DERWriter.bits(signature))
        }
    }
}
