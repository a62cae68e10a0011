// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrust
import ServerTrustPins

// Envoy's `verify_certificate_spki` (envoy/extensions/transport_sockets/tls/v3/common.proto,
// CertificateValidationContext): base64-encoded SHA-256 digests of SubjectPublicKeyInfo. The peer's leaf has to match
// one of them. Without `trusted_ca`, Envoy verifies no path. The name comes from `match_typed_subject_alt_names`, or
// else from the UpstreamTlsContext's `sni` (tls.proto). Envoy accepts JSON and YAML. This format uses JSON, which is
// also YAML.

enum EnvoyFormat {
    private static let pins = "verify_certificate_spki"
    private static let camelPins = "verifyCertificateSpki"

    /// Returns whether JSON can be a configuration with pins.
    static func recognizes(_ root: PinNode) -> Bool { !contexts(root, nil).isEmpty }

    private struct Context {
        let node: PinNode
        let sni: PinNode?
    }

    /// Returns the validation contexts with pins, each with the `sni` of the surrounding object. The depth of the nodes
    /// is limited.
    private static func contexts(_ node: PinNode, _ sni: PinNode?) -> [Context] {
        switch node.value {
        case .dictionary(let members):
            let sni = node["sni"] ?? sni
            if node[pins] != nil || node[camelPins] != nil { return [Context(node: node, sni: sni)] }
            return members.flatMap { contexts($0.node, sni) }
        case .array(let elements): return elements.flatMap { contexts($0, sni) }
        default: return []
        }
    }

    static func read(_ root: PinNode, file: String) throws(PinFileError) -> PinConfiguration {
        var values = PinValueReader(file: file)
        let contexts = contexts(root, nil)
        if contexts.isEmpty {
            values.add(.pinFileMissingKey, root.line, pins, "missing, expected a list of pins")
        }
        // The problems of one context must not hide the others, so their paths differ.
        return try values.configuration(
            contexts.enumerated().compactMap { index, context in
                rule(context, at: contexts.count == 1 ? pins : "[\(index)].\(pins)", &values)
            })
    }

    private static func rule(_ context: Context, at path: String, _ values: inout PinValueReader) -> PinRule? {
        let node = context.node
        if let hash = node["verify_certificate_hash"] ?? node["verifyCertificateHash"] {
            values.add(
                .pinFileBadDigest, hash.line, "verify_certificate_hash",
                "hashes of whole certificates; one match is enough for Envoy too")
        }
        if ["trusted_ca", "trustedCa", "system_root_certs", "systemRootCerts"].allSatisfy({ node[$0] == nil }) {
            values.add(
                .pinFileMissingKey, as: .odd, node.line, "trusted_ca",
                "missing: Envoy verifies no path, so only the pins decide")
        }
        let list = node[pins] ?? node[camelPins]
        let found = list.map { values.pins(PlacedNode($0, path: path), scope: .leaf) } ?? []
        return values.rule(hosts(context, &values), found, node.line, path)
    }

    /// Returns the hosts of the names that a certificate has to have. Empty for any host.
    private static func hosts(_ context: Context, _ values: inout PinValueReader) -> [PinnedHosts] {
        let path = "match_typed_subject_alt_names"
        let matchers = context.node[path] ?? context.node["matchTypedSubjectAltNames"]
        guard case .array(let elements)? = matchers?.value, !elements.isEmpty else {
            guard let node = context.sni, case .string(let text) = node.value, !text.isEmpty else { return [] }
            return values.host(text, node.line, "sni").map { [.only($0)] } ?? []
        }
        var hosts: [PinnedHosts] = []
        var seen: Set<Hostname> = []
        for element in elements {
            guard case .string(let text)? = element["matcher"]?["exact"]?.value else {
                values.add(.pinFileBadHost, element.line, path, "a pattern, expected an exact name")
                continue
            }
            guard let name = values.host(text, element.line, path) else { continue }
            if seen.insert(name).inserted { hosts.append(.only(name)) }
        }
        return hosts
    }

    /// Returns a cluster's transport socket for one host, or for any host.
    static func tree(_ rule: PinRule) throws(PinWritingError) -> PinTree {
        let keys = rule.leafKeys
        guard !keys.isEmpty, rule.mode == .enforced else {
            throw PinWritingError(.pinWritingNothing, .envoy)
        }
        let host = rule.hosts.first?.name
        let isAddress = if case .ip? = host?.kind { true } else { false }
        let name = host.map { PinTree.string($0.description) }
        let matchers = name.map { name in
            PinTree.list([
                .object(["san_type": .string(isAddress ? "IP_ADDRESS" : "DNS"), "matcher": .object(["exact": name])])
            ])
        }
        let context = PinTree.object([
            "trusted_ca": .object(["filename": .string("/etc/ssl/certs/ca-certificates.crt")]),
            "match_typed_subject_alt_names": matchers,
            pins: .list(keys.map { .string(Base64.encode($0.sha256)) }),
        ])
        let configuration = PinTree.object([
            "@type": .string("type.googleapis.com/envoy.extensions.transport_sockets.tls.v3.UpstreamTlsContext"),
            "sni": isAddress ? nil : name,
            "common_tls_context": .object(["validation_context": context]),
        ])
        return .object([
            "transport_socket": .object([
                "name": .string("envoy.transport_sockets.tls"), "typed_config": configuration,
            ])
        ])
    }
}

extension PinRule {
    /// The keys for a format that only compares the leaf: the leaf's keys if there are any, or else all keys.
    var leafKeys: [SPKIPin] { (scopes.contains(.leaf) ? keys(.leaf) : keys()).map(\.key) }
}
