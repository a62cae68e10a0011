// SPDX-License-Identifier: Apache-2.0

import ServerTrustTesting
import Testing

@testable import PKIX

private let p1 = "2.16.840.1.101.3.2.1.48.1"
private let p2 = "2.16.840.1.101.3.2.1.48.2"
private let p3 = "2.16.840.1.101.3.2.1.48.3"
private let p4 = "2.16.840.1.101.3.2.1.48.4"
private let any = "2.5.29.32.0"

private typealias Link = CraftedChain.Link
private typealias Inputs = ValidationPolicy.CertificatePolicies

private func acceptable(_ policies: [String]?) -> Set<OID>? { policies.map { Set($0.compactMap { OID($0) }) } }

private func inputs(
    _ policies: [String]? = nil, explicit: Bool = false, inhibitMapping: Bool = false, inhibitAny: Bool = false
) -> Inputs {
    Inputs(
        acceptable: acceptable(policies), requireExplicit: explicit, inhibitMapping: inhibitMapping,
        inhibitAny: inhibitAny)
}

/// The codes for a line of CAs and a leaf, each with its extensions, under RFC 5280's inputs.
private func codes(
    root: [Extension] = [], _ links: [Link], leaf: [Extension], isLeafSelfIssued: Bool = false,
    _ inputs: Inputs = inputs()
) throws -> [TrustFailure.Code] {
    let chain = try CraftedChain(root: .init("Root", root), links)
    let certificate = try chain.leaf {
        $0.extensions = leaf.isEmpty ? nil : leaf.map(\.encoded)
        if isLeafSelfIssued { $0.subject = chain.issuer }
    }
    return try chain.codes(certificate, policy: ValidationPolicy(profile: .rfc5280, certificatePolicies: inputs))
}

private let explicit = Extension.policyConstraints(requireExplicit: 0)

// MARK: - NIST PKITS

/// The scenarios of NIST's PKITS §§ 4.8 to 4.12 with their expected results, rebuilt without its certificates.
@Suite("Certificate policies: PKITS § 4.8, policies")
struct PKITSPoliciesTests {
    @Test("4.8.1 A path of certificates with the same policy is valid for it")
    func t1() throws {
        func valid(_ inputs: Inputs) throws -> Bool {
            try codes([Link("A", [explicit, .policies(p1)])], leaf: [.policies(p1)], inputs).isEmpty
        }
        #expect(try valid(inputs(explicit: true)))
        #expect(try valid(inputs([p1], explicit: true)))
        #expect(try !valid(inputs([p2], explicit: true)))
        #expect(try valid(inputs([p1, p2], explicit: true)))
        #expect(try valid(inputs()))
        #expect(try !valid(inputs([p2])))
        #expect(try !valid(inputs([], explicit: true)))
    }

    @Test("4.8.2 A path of certificates without policies is valid for no policy")
    func t2() throws {
        #expect(try codes([Link("A")], leaf: []) == [])
        #expect(try codes([Link("A")], leaf: [], inputs(explicit: true)) == [.policyNotAcceptable])
    }

    @Test("4.8.3 A path is valid for no policy if the second CA has a different policy from the first")
    func t3() throws {
        let links = [Link("A", [.policies(p1)]), Link("B", [.policies(p2)])]
        #expect(try codes(links, leaf: [.policies(p1)]) == [])
        #expect(try codes(links, leaf: [.policies(p1)], inputs(explicit: true)) == [.policyNotAcceptable])
        #expect(try codes(links, leaf: [.policies(p1)], inputs([p1, p2], explicit: true)) == [.policyNotAcceptable])
    }

    @Test("4.8.4, 4.8.5, 4.8.12 A path with a different policy in one certificate is refused if a policy is required")
    func t4() throws {
        #expect(
            try codes([Link("A", [explicit, .policies(p1)]), Link("B", [.policies(p1)])], leaf: [.policies(p2)])
                == [.policyNotAcceptable])
        #expect(
            try codes([Link("A", [explicit, .policies(p1)]), Link("B", [.policies(p2)])], leaf: [.policies(p1)])
                == [.policyNotAcceptable])
        #expect(try codes([Link("A", [explicit, .policies(p3)])], leaf: [.policies(p4)]) == [.policyNotAcceptable])
    }

    @Test("4.8.6 A path is valid for the policies that all its certificates share")
    func t6() throws {
        func valid(_ policies: [String]?) throws -> Bool {
            try codes(
                [
                    Link("A", [explicit, .policies(p1, p2, p3)]), Link("B", [.policies(p1, p2)]),
                    Link("C", [.policies(p1)]),
                ], leaf: [.policies(p1)], inputs(policies)
            ).isEmpty
        }
        #expect(try valid(nil))
        #expect(try valid([p1]))
        #expect(try !valid([p2]))
    }

    @Test("4.8.7 to 4.8.9 Policies that overlap only in pairs leave no valid policy")
    func t7() throws {
        let a = Link("A", [explicit, .policies(p1, p2, p3)])
        #expect(
            try codes([a, Link("B", [.policies(p1, p2)]), Link("C", [.policies(p1)])], leaf: [.policies(p2)])
                == [.policyNotAcceptable])
        #expect(
            try codes(
                [Link("A", [explicit, .policies(p1, p2)]), Link("B", [.policies(p1)]), Link("C", [.policies(p2)])],
                leaf: [.policies(p1)]) == [.policyNotAcceptable])
        #expect(
            try codes(
                [a, Link("B", [.policies(p1, p2)]), Link("C", [.policies(p2)]), Link("D", [.policies(p1)])],
                leaf: [.policies(p1)]) == [.policyNotAcceptable])
    }

    @Test("4.8.10, 4.8.13 A path of certificates with the same two or three policies is valid for each of them")
    func t10() throws {
        for policies in [[p1, p2], [p1, p2, p3]] {
            let links = [Link("A", [explicit, .policies(policies)])]
            #expect(try codes(links, leaf: [.policies(policies)]) == [])
            for policy in policies { #expect(try codes(links, leaf: [.policies(policies)], inputs([policy])) == []) }
            #expect(try codes(links, leaf: [.policies(policies)], inputs([p4])) == [.policyNotAcceptable])
        }
    }

    @Test("4.8.11, 4.8.14 anyPolicy matches every policy")
    func t11() throws {
        let links = [Link("A", [explicit, .policies(any)])]
        #expect(try codes(links, leaf: [.policies(any)]) == [])
        #expect(try codes(links, leaf: [.policies(any)], inputs([p1])) == [])
        #expect(try codes(links, leaf: [.policies(p1)], inputs([p1])) == [])
        #expect(try codes(links, leaf: [.policies(p1)], inputs([p2])) == [.policyNotAcceptable])
        #expect(try codes(links, leaf: [.policies(p1)], inputs([any])) == [])
        #expect(try codes(links, leaf: [], inputs([any])) == [.policyNotAcceptable])
    }

    @Test("4.8.15 to 4.8.20 Qualifiers make no difference")
    func t15() throws {
        let notice = ASN1.sequence(ASN1.sequence(ASN1.oid("1.3.6.1.5.5.7.2.2"), ASN1.sequence(ASN1.utf8("q"))))
        let policy = Extension.named("2.5.29.32", ASN1.sequence(ASN1.sequence(ASN1.oid(p1), notice)))
        #expect(try codes([Link("A", [explicit, .policies(p1)])], leaf: [policy], inputs([p1])) == [])
        #expect(try codes([Link("A", [explicit, policy])], leaf: [.policies(p1)], inputs([p1])) == [])
    }
}

@Suite("Certificate policies: PKITS § 4.9, requireExplicitPolicy")
struct PKITSRequireExplicitTests {
    /// Four CAs and a leaf without policies. The first CA has the constraint.
    private func four(_ skip: Int) throws -> [TrustFailure.Code] {
        try codes(
            [
                Link("A", [.policyConstraints(requireExplicit: skip), .policies(p1)]), Link("B", [.policies(p1)]),
                Link("C", [.policies(p1)]), Link("D", [.policies(p1)]),
            ],
            leaf: [])
    }

    @Test("4.9.1 to 4.9.4 A policy is required after as many certificates as the extension states")
    func t1() throws {
        #expect(try four(10) == [])
        #expect(try four(5) == [])
        #expect(try four(4) == [.policyNotAcceptable])
        #expect(try four(0) == [.policyNotAcceptable])
        #expect(
            try codes([Link("A", [explicit, .policies(p1)]), Link("B", [.policies(p1)])], leaf: [.policies(p1)]) == [])
    }

    @Test("4.9.5 The smallest count applies")
    func t5() throws {
        #expect(
            try codes(
                [
                    Link("A", [.policyConstraints(requireExplicit: 7)]),
                    Link("B", [.policyConstraints(requireExplicit: 2)]),
                    Link("C", [.policyConstraints(requireExplicit: 4)]),
                ], leaf: []) == [.policyNotAcceptable])
        #expect(
            try codes(
                [
                    Link("A", [.policyConstraints(requireExplicit: 7)]),
                    Link("B", [.policyConstraints(requireExplicit: 4)]),
                ], leaf: []) == [])
    }

    @Test("4.9.6 to 4.9.8 Self-issued certificates don't count")
    func t6() throws {
        let a = Link("A", [.policyConstraints(requireExplicit: 2)])
        #expect(try codes([a, Link("A")], leaf: []) == [])
        #expect(try codes([a, Link("A"), Link("B")], leaf: []) == [.policyNotAcceptable])
        #expect(try codes([a, Link("A"), Link("B"), Link("B")], leaf: []) == [.policyNotAcceptable])
        #expect(try codes([a, Link("A"), Link("A")], leaf: []) == [])
    }

    @Test("In the leaf, 0 requires a policy and other counts don't (RFC 5280 § 6.1.5 (b))")
    func leaf() throws {
        #expect(try codes([Link("A")], leaf: [explicit]) == [.policyNotAcceptable])
        #expect(try codes([Link("A")], leaf: [explicit, .policies(p1)]) == [.policyNotAcceptable])
        #expect(try codes([Link("A", [.policies(p1)])], leaf: [explicit, .policies(p1)]) == [])
        #expect(try codes([Link("A")], leaf: [.policyConstraints(requireExplicit: 1)]) == [])
        #expect(try codes([], leaf: [explicit]) == [.policyNotAcceptable])
        #expect(try codes([], leaf: [explicit, .policies(p1)]) == [])
    }

    @Test("The leaf counts too: 1 in its issuer requires a policy (RFC 5280 § 6.1.5 (a))")
    func lastCount() throws {
        #expect(try codes([Link("A", [.policyConstraints(requireExplicit: 1)])], leaf: []) == [.policyNotAcceptable])
        #expect(try codes([Link("A", [.policyConstraints(requireExplicit: 2)])], leaf: []) == [])
        // This also applies to a self-issued leaf, although (h) wouldn't count it.
        #expect(
            try codes([Link("A", [.policyConstraints(requireExplicit: 1)])], leaf: [], isLeafSelfIssued: true)
                == [.policyNotAcceptable])
    }
}

@Suite("Certificate policies: PKITS § 4.10, mappings")
struct PKITSMappingTests {
    private let mapping12 = Extension.policyMappings([(p1, p2)])

    @Test("4.10.1 A policy has its new name below the mapping, but its old name for the caller")
    func t1() throws {
        let links = [Link("A", [explicit, .policies(p1), mapping12])]
        #expect(try codes(links, leaf: [.policies(p2)]) == [])
        #expect(try codes(links, leaf: [.policies(p2)], inputs([p1])) == [])
        #expect(try codes(links, leaf: [.policies(p2)], inputs([p2])) == [.policyNotAcceptable])
        #expect(try codes(links, leaf: [.policies(p2)], inputs(inhibitMapping: true)) == [.policyNotAcceptable])
    }

    @Test("4.10.2 The old name isn't valid below a mapping, even if mappings are inhibited")
    func t2() throws {
        let links = [Link("A", [explicit, .policies(p1), mapping12])]
        #expect(try codes(links, leaf: [.policies(p1)]) == [.policyNotAcceptable])
        #expect(try codes(links, leaf: [.policies(p1)], inputs(inhibitMapping: true)) == [.policyNotAcceptable])
    }

    @Test("4.10.3, 4.10.4 The engine applies mappings of several CAs in turn")
    func t3() throws {
        let links = [
            Link("A", [explicit, .policies(p1, p2), .policyMappings([(p1, p3), (p2, p4)])]),
            Link("B", [.policies(p3), .policyMappings([(p3, p2)])]),
        ]
        #expect(try codes(links, leaf: [.policies(p2)]) == [])
        #expect(try codes(links, leaf: [.policies(p2)], inputs([p1])) == [])
        #expect(try codes(links, leaf: [.policies(p2)], inputs([p2])) == [.policyNotAcceptable])
        #expect(try codes(links, leaf: [.policies(p3)]) == [.policyNotAcceptable])
        #expect(try codes(links, leaf: [.policies(p4)]) == [.policyNotAcceptable])
    }

    @Test("4.10.7, 4.10.8 anyPolicy is never mapped, whether a policy is required or not")
    func t7() throws {
        for mapping in [(any, p1), (p1, any), (any, any)] {
            for constraints in [[], [explicit]] {
                let found = try codes(
                    [Link("A", constraints + [.policies(p1, any), .policyMappings([mapping])])], leaf: [.policies(p1)])
                #expect(found.contains(.policyMappingOfAnyPolicy))
            }
        }
    }

    @Test("Policies and mappings of an anchor don't count (RFC 5280 § 6.1.1), not even a mapping of anyPolicy")
    func anchorMaps() throws {
        for root in [[Extension.policyMappings([(any, p1)])], [.policies(p2), .policyMappings([(p2, any)])]] {
            #expect(try codes(root: root, [Link("A", [explicit, .policies(p1)])], leaf: [.policies(p1)]) == [])
        }
    }

    @Test("An anchor that maps anyPolicy can't be an intermediate of a longer path")
    func anchorMapsBelowRoot() throws {
        let chain = try CraftedChain(
            root: .init("Root", []), [Link("A", [.policies(any), .policyMappings([(any, p1)])])])
        let leaf = try chain.leaf()
        let (root, middle) = (chain.root, chain.intermediates[0])
        func path(wanting certificate: Certificate?) throws -> [Certificate]? {
            try validate(
                leaf, chain.intermediates, anchors: [middle, root], policy: ValidationPolicy(profile: .rfc5280),
                additionalChecks: certificate.map { wanted in
                    { $0.certificates.contains(wanted) ? [] : [TrustFailure(.unknownIssuer)] }
                }
            ).path?.certificates
        }
        #expect(try path(wanting: nil) == [leaf, middle])
        #expect(try path(wanting: root) == nil)
    }

    @Test("4.10.9 A policy that is valid because of anyPolicy can be mapped")
    func t9() throws {
        let links = [Link("A", [explicit, .policies(any), mapping12])]
        #expect(try codes(links, leaf: [.policies(p2)]) == [])
        #expect(try codes(links, leaf: [.policies(p2)], inputs([p1])) == [])
        // In addition, anyPolicy matches p2 itself and still p3, but no longer p1.
        #expect(try codes(links, leaf: [.policies(p3)], inputs([p3])) == [])
        #expect(try codes(links, leaf: [.policies(p2)], inputs([p3])) == [.policyNotAcceptable])
    }

    @Test("4.10.10, 4.10.11 A CA with anyPolicy can map a policy of the CA above it")
    func t10() throws {
        let links = [Link("A", [explicit, .policies(p1)]), Link("B", [.policies(any), mapping12])]
        #expect(try codes(links, leaf: [.policies(p1)]) == [.policyNotAcceptable])
        #expect(try codes(links, leaf: [.policies(p2)]) == [])
        #expect(try codes(links, leaf: [.policies(p2)], inputs([p1])) == [])
    }

    @Test("4.10.12 Two policies can map to one policy, and one policy to two")
    func t12() throws {
        let merged = [Link("A", [explicit, .policies(p1, p2), .policyMappings([(p1, p3), (p2, p3)])])]
        for policy in [p1, p2] { #expect(try codes(merged, leaf: [.policies(p3)], inputs([policy])) == []) }
        #expect(try codes(merged, leaf: [.policies(p3)], inputs([p3])) == [.policyNotAcceptable])
        let split = [Link("A", [explicit, .policies(p1), .policyMappings([(p1, p2), (p1, p3)])])]
        for policy in [p2, p3] { #expect(try codes(split, leaf: [.policies(policy)], inputs([p1])) == []) }
    }

    @Test("A policy mapped to itself and to another policy keeps both names")
    func both() throws {
        let links = [Link("A", [explicit, .policies(p1), .policyMappings([(p1, p1), (p1, p2)])])]
        for policy in [p1, p2] { #expect(try codes(links, leaf: [.policies(policy)], inputs([p1])) == []) }
    }

    @Test("A mapping of a policy that the CA doesn't have does nothing")
    func unasserted() throws {
        let links = [Link("A", [explicit, .policies(p1), .policyMappings([(p3, p2)])])]
        #expect(try codes(links, leaf: [.policies(p2)]) == [.policyNotAcceptable])
        #expect(try codes(links, leaf: [.policies(p1)]) == [])
        let none = [Link("A", [explicit, .policyMappings([(p1, p2)])])]
        #expect(try codes(none, leaf: [.policies(p2)]) == [.policyNotAcceptable])
    }

    @Test("4.11.1 to 4.11.6 inhibitPolicyMapping counts down, and the smallest count applies")
    func inhibit() throws {
        func chain(_ first: Int, second: Int? = nil, depth: Int) throws -> [TrustFailure.Code] {
            var links = [Link("A", [.policyConstraints(requireExplicit: 0, inhibitMapping: first), .policies(p1)])]
            for index in 1...depth {
                var extensions = [Extension.policies(p1)]
                if index == depth { extensions.append(mapping12) }
                if index == 1, let second { extensions.append(.policyConstraints(inhibitMapping: second)) }
                links.append(Link("B\(index)", extensions))
            }
            return try codes(links, leaf: [.policies(p2)])
        }
        #expect(try chain(0, depth: 1) == [.policyNotAcceptable])
        #expect(try chain(1, depth: 1) == [])
        #expect(try chain(1, depth: 2) == [.policyNotAcceptable])
        #expect(try chain(2, depth: 2) == [])
        #expect(try chain(5, second: 0, depth: 2) == [.policyNotAcceptable])
        #expect(try chain(5, second: 1, depth: 2) == [])
        #expect(try chain(1, second: 5, depth: 2) == [.policyNotAcceptable])
    }

    @Test("4.11.7 to 4.11.11 Self-issued certificates don't count, and can map policies until mapping is inhibited")
    func selfIssued() throws {
        let a = Link("A", [.policyConstraints(requireExplicit: 0, inhibitMapping: 1), .policies(p1)])
        let same = Link("A", [.policies(p1)])
        #expect(try codes([a, same, Link("B", [.policies(p1), mapping12])], leaf: [.policies(p2)]) == [])
        #expect(
            try codes(
                [a, same, Link("B", [.policies(p1)]), Link("C", [.policies(p1), mapping12])], leaf: [.policies(p2)])
                == [.policyNotAcceptable])
        #expect(try codes([a, Link("A", [.policies(p1), mapping12])], leaf: [.policies(p2)]) == [])
    }

    @Test("A mapping in the leaf does nothing")
    func leaf() throws {
        #expect(
            try codes([Link("A", [explicit, .policies(p1)])], leaf: [.policies(p1), mapping12], inputs([p1])) == [])
        #expect(
            try codes([Link("A", [explicit, .policies(p1)])], leaf: [.policies(p1), mapping12], inputs([p2]))
                == [.policyNotAcceptable])
        #expect(
            try codes(
                [Link("A", [explicit, .policies(p1)])], leaf: [.policies(p1), mapping12], inputs(inhibitMapping: true))
                == [])
    }

    @Test("A CA that lists anyPolicy beside a policy that it maps has the policy only under its new name")
    func besideAny() throws {
        let links = [Link("A", [explicit, .policies(p1)]), Link("B", [.policies(p1, any), mapping12])]
        #expect(try codes(links, leaf: [.policies(p1)]) == [.policyNotAcceptable])
        #expect(try codes(links, leaf: [.policies(p2)], inputs([p1])) == [])
    }

    @Test("An inhibited mapping removes its policy and leaves the others")
    func inhibitedLeavesOthers() throws {
        let links = [Link("A", [explicit, .policies(p1, p3), mapping12])]
        #expect(try codes(links, leaf: [.policies(p3)], inputs(inhibitMapping: true)) == [])
        #expect(
            try codes(links, leaf: [.policies(p1, p3)], inputs([p1], inhibitMapping: true)) == [.policyNotAcceptable])
        // The inhibited mapping doesn't remove anyPolicy with the policy it matches.
        let anyLinks = [Link("A", [explicit, .policies(any), mapping12])]
        #expect(try codes(anyLinks, leaf: [.policies(p2)], inputs(inhibitMapping: true)) == [])
    }
}

@Suite("Certificate policies: PKITS § 4.12, inhibitAnyPolicy")
struct PKITSInhibitAnyTests {
    @Test("4.12.1, 4.12.2 After 0 certificates, anyPolicy doesn't count, but the policies beside it do")
    func t1() throws {
        let links = [Link("A", [explicit, .inhibitAnyPolicy(0), .policies(p1)])]
        #expect(try codes(links, leaf: [.policies(any)]) == [.policyNotAcceptable])
        #expect(try codes(links, leaf: [.policies(any, p1)]) == [])
    }

    @Test("4.12.3, 4.12.4 inhibitAnyPolicy counts down")
    func t3() throws {
        let links = [Link("A", [explicit, .inhibitAnyPolicy(1), .policies(p1)]), Link("B", [.policies(any)])]
        #expect(try codes(links, leaf: [.policies(p1)]) == [])
        #expect(try codes(links, leaf: [.policies(p1)], inputs(inhibitAny: true)) == [.policyNotAcceptable])
        #expect(try codes(links, leaf: [.policies(any)]) == [.policyNotAcceptable])
    }

    @Test("4.12.5, 4.12.6 The smallest count applies")
    func t5() throws {
        let five = [
            Link("A", [explicit, .inhibitAnyPolicy(5), .policies(p1)]),
            Link("B", [.inhibitAnyPolicy(1), .policies(p1)]),
            Link("C", [.policies(any)]),
        ]
        #expect(try codes(five, leaf: [.policies(any)]) == [.policyNotAcceptable])
        #expect(try codes(five, leaf: [.policies(p1)]) == [])
        let one = [
            Link("A", [explicit, .inhibitAnyPolicy(1), .policies(p1)]),
            Link("B", [.inhibitAnyPolicy(5), .policies(p1)]),
        ]
        #expect(try codes(one, leaf: [.policies(any)]) == [.policyNotAcceptable])
    }

    @Test(
        "4.12.7 to 4.12.10 Self-issued certificates don't count and can have anyPolicy, but a self-issued leaf can't")
    func t7() throws {
        let a = Link("A", [explicit, .inhibitAnyPolicy(1), .policies(p1)])
        let same = Link("A", [.policies(any)])
        #expect(try codes([a, same, Link("B", [.policies(any)])], leaf: [.policies(p1)]) == [])
        #expect(
            try codes([a, same, Link("B", [.policies(any)]), Link("C", [.policies(any)])], leaf: [.policies(p1)])
                == [.policyNotAcceptable])
        #expect(
            try codes([a, same, Link("B", [.policies(p1)]), Link("B", [.policies(any)])], leaf: [.policies(p1)]) == [])
        let zero = Link("A", [explicit, .inhibitAnyPolicy(0), .policies(p1)])
        #expect(try codes([zero, same], leaf: [.policies(p1)]) == [])
        #expect(try codes([zero], leaf: [.policies(any)], isLeafSelfIssued: true) == [.policyNotAcceptable])
    }

    @Test("Without inhibitAnyPolicy, anyPolicy counts in a path of any length")
    func uninhibited() throws {
        for count in 1...6 {
            let links = (0..<count).map { Link("CA \($0)", [.policies(any)] + ($0 == 0 ? [explicit] : [])) }
            #expect(try codes(links, leaf: [.policies(any)]) == [], "\(count)")
        }
    }

    @Test("inhibitAnyPolicy in the leaf does nothing")
    func leaf() throws {
        #expect(try codes([Link("A", [explicit, .policies(p1)])], leaf: [.policies(any), .inhibitAnyPolicy(0)]) == [])
    }
}

// MARK: - RFC 5280

@Suite("Certificate policies (RFC 5280 § 6.1, RFC 9618)")
struct CertificatePoliciesTests {
    @Test("No policy is required unless the caller or a certificate requires one")
    func notRequired() throws {
        for policies in [nil, [p1], [p2], []] as [[String]?] {
            #expect(try codes([Link("A", [.policies(p3)]), Link("B")], leaf: [.policies(p4)], inputs(policies)) == [])
        }
        #expect(try codes([Link("A")], leaf: [], inputs(inhibitMapping: true, inhibitAny: true)) == [])
    }

    @Test("A CA without policies leaves no valid policy")
    func gap() throws {
        for policy in [p1, any] {
            #expect(
                try codes(
                    [Link("A", [explicit, .policies(policy)]), Link("B"), Link("C", [.policies(policy)])],
                    leaf: [.policies(policy)])
                    == [.policyNotAcceptable])
        }
    }

    @Test("The engine doesn't read an anchor's own policies")
    func anchors() throws {
        let root = [Extension.policies(p4), .inhibitAnyPolicy(0), .policyMappings([(p1, p2)])]
        #expect(
            try codes(root: root, [Link("A", [.policies(p1)])], leaf: [.policies(p1)], inputs([p1], explicit: true))
                == [])
        #expect(try codes(root: root, [], leaf: [.policies(any)], inputs([p1], explicit: true)) == [])
    }

    @Test("A failure names the required policies and the certificate that left no valid policy")
    func values() throws {
        let chain = try CraftedChain([.init("A", [explicit, .policies(p1)]), .init("B", [.policies(p2)])])
        let policy = ValidationPolicy(certificatePolicies: inputs([p1, p3]))
        let failure = try #require(try chain.validate(chain.leaf(), policy: policy).failures.first)
        #expect(failure.code == .policyNotAcceptable)
        #expect(failure.certificate == 1)
        #expect(failure.expected == .list([p1, p3]))
        #expect(failure.found == .list([p2]))
    }

    @Test("A failure names the first certificate that needs a policy and has none", arguments: 0...2)
    func failingCertificate(count: Int) throws {
        // B leaves no policy. One is required after as many certificates as A states.
        let chain = try CraftedChain([
            Link("A", [.policyConstraints(requireExplicit: count), .policies(p1)]), Link("B"),
            Link("C", [.policies(p1)]),
        ])
        let leaf = try chain.leaf { $0.extensions?.append(Extension.policies(p1).encoded) }
        let failure = try #require(try chain.validate(leaf).failures.first)
        #expect(failure.code == .policyNotAcceptable)
        #expect(failure.certificate == 2 - count)
        #expect(failure.role == (count == 2 ? .leaf : .intermediate))
        #expect(failure.found == .list(count == 0 ? [] : [p1]))
    }

    @Test("If the caller requires a policy, every CA needs one")
    func requiredByCaller() throws {
        let chain = try CraftedChain([Link("A"), Link("B", [.policies(p1)])])
        let policy = ValidationPolicy(certificatePolicies: inputs(explicit: true))
        let failure = try #require(try chain.validate(chain.leaf(), policy: policy).failures.first)
        #expect(failure.code == .policyNotAcceptable && failure.certificate == 2)
    }

    @Test("If a path is valid only for other policies, the failure names the leaf and its policies")
    func notAcceptable() throws {
        let chain = try CraftedChain([Link("A", [explicit, .policies(p1, p2)])])
        let leaf = try chain.leaf { $0.extensions?.append(Extension.policies(p1).encoded) }
        let policy = ValidationPolicy(certificatePolicies: inputs([p3]))
        let failure = try #require(try chain.validate(leaf, policy: policy).failures.first)
        #expect(failure.code == .policyNotAcceptable && failure.certificate == 0)
        #expect(failure.expected == .list([p3]) && failure.found == .list([p1]))
    }

    @Test("The attack of RFC 9618 § 1 on the policy tree takes work proportional to its bytes", arguments: [2, 11])
    func explosion(policies count: Int) throws {
        let policies = (0..<count).map { "1.2.3.\($0)" }
        let mappings = policies.flatMap { from in policies.map { (from, $0) } }
        let chain = try CraftedChain(
            (0..<29).map { index in
                Link("CA \(index)", (index == 0 ? [explicit] : []) + [.policies(policies), .policyMappings(mappings)])
            })
        let rows: [(leaf: [String], inputs: Inputs, codes: [TrustFailure.Code])] = [
            (policies, inputs([policies[0]]), []),
            (["1.2.4"], inputs(), [.policyNotAcceptable]),
            (policies, inputs(["1.2.4"]), [.policyNotAcceptable]),
        ]
        for row in rows {
            let leaf = try chain.leaf { $0.extensions = [Extension.policies(row.leaf).encoded] }
            let policy = ValidationPolicy(profile: .rfc5280, certificatePolicies: row.inputs)
            let (validation, meter) = PathValidator(anchors: AnchorStore([chain.root]), policy: policy, memory: nil)
                .measured(leaf, presented: chain.intermediates, host: nil, at: TestAuthority.now)
            #expect(validation.failures.map(\.code) == row.codes)
            // The tree would have 2²⁹ nodes, or 11²⁹.
            let bytes = chain.intermediates.reduce(leaf.der.count + chain.root.der.count) { $0 + $1.der.count }
            #expect(!meter.isExhausted && meter.work <= 128 * bytes, "\(meter.work) units of work for \(bytes) bytes")
        }
    }

    @Test("On small random paths, the graph gives the same result as RFC 5280's tree")
    func agreesWithTheTree() throws {
        var random = Repeatable(14)
        var differences: [String] = []
        var outcomes = [0, 0]
        for _ in 0..<1_500 {
            let path = PolicyTree.Path.random(using: &random)
            let isValid = try path.codes().isEmpty
            outcomes[isValid ? 1 : 0] += 1
            if isValid != PolicyTree.accepts(path) { differences.append("\(path): \(isValid)") }
        }
        #expect(differences.isEmpty)
        // Both outcomes occur often enough to be meaningful.
        #expect(outcomes.allSatisfy { $0 > 200 }, "\(outcomes)")
    }
}

/// A literal implementation of `valid_policy_tree` from RFC 5280 §§ 6.1.2 to 6.1.5. It is slow and shares no code with
/// the engine.
private enum PolicyTree {
    struct Step {
        var isSelfIssued = false
        /// The policies, or nil if there is no extension.
        var policies: [String]?
        var mappings: [(String, String)] = []
        var requireExplicit: Int?
        var inhibitMapping: Int?
        var inhibitAny: Int?
    }

    struct Path: CustomStringConvertible {
        /// The certificates, from the anchor's child to the leaf.
        var steps: [Step]
        var acceptable: [String]?
        var explicit = false
        var inhibitMapping = false
        var inhibitAny = false

        var description: String { "\(steps), \(acceptable ?? ["any"]), \(explicit) \(inhibitMapping) \(inhibitAny)" }

        static func random(using random: inout Repeatable) -> Path {
            let policies = [p1, p2, p3]
            func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &random) < percent }
            var steps: [Step] = []
            for index in 0..<Int.random(in: 1...4, using: &random) {
                var step = Step(isSelfIssued: index > 0 && chance(20))
                if chance(93) {
                    var list = policies.filter { _ in chance(55) }
                    if chance(30) { list.append(any) }
                    step.policies = list.isEmpty ? [policies[0]] : list.shuffled(using: &random)
                }
                if chance(45) {
                    for _ in 0..<Int.random(in: 1...3, using: &random) {
                        step.mappings.append(
                            (policies.randomElement(using: &random) ?? p1, policies.randomElement(using: &random) ?? p1)
                        )
                    }
                }
                if chance(30) { step.requireExplicit = .random(in: 0...2, using: &random) }
                if chance(15) { step.inhibitMapping = .random(in: 0...2, using: &random) }
                if chance(20) { step.inhibitAny = .random(in: 0...2, using: &random) }
                steps.append(step)
            }
            return Path(
                steps: steps, acceptable: chance(50) ? nil : policies.filter { _ in chance(60) }, explicit: chance(45),
                inhibitMapping: chance(12), inhibitAny: chance(12))
        }

        func codes() throws -> [TrustFailure.Code] {
            var links: [Link] = []
            for (index, step) in steps.dropLast().enumerated() {
                let name = step.isSelfIssued ? links[index - 1].name : "CA \(index)"
                links.append(Link(name, extensions(step)))
            }
            let leaf = steps[steps.count - 1]
            return try PKIXTests.codes(
                links, leaf: extensions(leaf), isLeafSelfIssued: leaf.isSelfIssued && !links.isEmpty,
                inputs(acceptable, explicit: explicit, inhibitMapping: inhibitMapping, inhibitAny: inhibitAny))
        }

        private func extensions(_ step: Step) -> [Extension] {
            var list: [Extension] = []
            if let policies = step.policies { list.append(.policies(policies)) }
            if !step.mappings.isEmpty { list.append(.policyMappings(step.mappings)) }
            if step.requireExplicit != nil || step.inhibitMapping != nil {
                list.append(
                    .policyConstraints(requireExplicit: step.requireExplicit, inhibitMapping: step.inhibitMapping))
            }
            if let inhibitAny = step.inhibitAny { list.append(.inhibitAnyPolicy(inhibitAny)) }
            return list
        }
    }

    final class Node {
        let policy: String
        var expected: Set<String>
        let depth: Int
        weak var parent: Node?
        var children: [Node] = []

        init(_ policy: String, _ expected: Set<String>, depth: Int, parent: Node?) {
            self.policy = policy
            self.expected = expected
            self.depth = depth
            self.parent = parent
        }

        func add(_ policy: String, _ expected: Set<String>) {
            children.append(Node(policy, expected, depth: depth + 1, parent: self))
        }

        func remove() { parent?.children.removeAll { $0 === self } }
    }

    final class Tree {
        var root: Node? = Node(any, [any], depth: 0, parent: nil)

        func nodes(at depth: Int) -> [Node] {
            var level = root.map { [$0] } ?? []
            for _ in 0..<depth { level = level.flatMap(\.children) }
            return level
        }

        var all: [Node] {
            var found: [Node] = []
            var waiting = root.map { [$0] } ?? []
            while let node = waiting.popLast() {
                found.append(node)
                waiting += node.children
            }
            return found
        }

        /// Deletes childless nodes above `depth` until no such node remains.
        func prune(above depth: Int) {
            while let node = all.first(where: { $0.depth < depth && $0.children.isEmpty }) {
                if node === root { root = nil } else { node.remove() }
            }
        }
    }

    static func accepts(_ path: Path) -> Bool {
        let n = path.steps.count
        let tree = Tree()
        var explicitPolicy = path.explicit ? 0 : n + 1
        var policyMapping = path.inhibitMapping ? 0 : n + 1
        var inhibitAny = path.inhibitAny ? 0 : n + 1
        for i in 1...n {
            let step = path.steps[i - 1]
            // 6.1.3 (d)
            if let policies = step.policies, tree.root != nil {
                for p in policies where p != any {
                    let matching = tree.nodes(at: i - 1).filter { $0.expected.contains(p) }
                    for node in matching { node.add(p, [p]) }
                    if matching.isEmpty {
                        for node in tree.nodes(at: i - 1) where node.policy == any { node.add(p, [p]) }
                    }
                }
                if policies.contains(any), inhibitAny > 0 || (i < n && step.isSelfIssued) {
                    for node in tree.nodes(at: i - 1) {
                        for p in node.expected where !node.children.contains(where: { $0.policy == p }) {
                            node.add(p, [p])
                        }
                    }
                }
                tree.prune(above: i)
            }
            // (e)
            if step.policies == nil { tree.root = nil }
            // (f)
            guard explicitPolicy > 0 || tree.root != nil else { return false }
            if i == n { break }
            // 6.1.4 (b)
            if !step.mappings.isEmpty {
                for p in Set(step.mappings.map(\.0)) {
                    let subjects = Set(step.mappings.filter { $0.0 == p }.map(\.1))
                    let level = tree.nodes(at: i)
                    if policyMapping > 0 {
                        let matching = level.filter { $0.policy == p }
                        for node in matching { node.expected = subjects }
                        if matching.isEmpty, level.contains(where: { $0.policy == any }) {
                            for node in tree.nodes(at: i - 1) where node.policy == any { node.add(p, subjects) }
                        }
                    } else {
                        for node in level where node.policy == p { node.remove() }
                        tree.prune(above: i)
                    }
                }
            }
            // (h)
            if !step.isSelfIssued {
                explicitPolicy = max(0, explicitPolicy - 1)
                policyMapping = max(0, policyMapping - 1)
                inhibitAny = max(0, inhibitAny - 1)
            }
            // (i), (j)
            if let skip = step.requireExplicit { explicitPolicy = min(explicitPolicy, skip) }
            if let skip = step.inhibitMapping { policyMapping = min(policyMapping, skip) }
            if let skip = step.inhibitAny { inhibitAny = min(inhibitAny, skip) }
        }
        // 6.1.5 (a), (b)
        explicitPolicy = max(0, explicitPolicy - 1)
        if path.steps[n - 1].requireExplicit == 0 { explicitPolicy = 0 }
        // (g)
        if let acceptable = path.acceptable, tree.root != nil {
            let initial = Set(acceptable)
            // (iii) 1, 2
            let valid = tree.all.filter { $0.parent?.policy == any }
            for node in valid where node.policy != any && !initial.contains(node.policy) { node.remove() }
            // (iii) 3
            if let last = tree.nodes(at: n).first(where: { $0.policy == any }) {
                let present = Set(valid.map(\.policy))
                for p in initial.subtracting(present) { last.parent?.add(p, [p]) }
                last.remove()
            }
            // (iii) 4
            tree.prune(above: n)
        }
        return explicitPolicy > 0 || tree.root != nil
    }
}
