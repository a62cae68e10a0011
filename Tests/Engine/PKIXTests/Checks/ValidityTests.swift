// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrustTesting
import Testing

@Suite("Validity (RFC 5280 § 6.1.3 (a)(2))")
struct ValidityTests {
    static let start = TestAuthority.now.advanced(by: -1000)
    static let end = TestAuthority.now.advanced(by: 1000)

    /// A chain where the certificate at `index` (0 is the leaf, 2 the anchor) has the short validity.
    private func chain(_ index: Int) throws -> (leaf: Certificate, chain: TestChain) {
        func template(_ template: CertificateTemplate, _ position: Int) -> CertificateTemplate {
            guard position == index else { return template }
            return template.with {
                $0.notBefore = Self.start
                $0.notAfter = Self.end
            }
        }
        let chain = try TestChain(
            root: template(.authority("Test Root"), 2), intermediate: template(.authority("Test Intermediate"), 1))
        return (try chain.leaf(template(.leaf("www.example.com"), 0)), chain)
    }

    @Test("The leaf, intermediate and anchor are valid from the first second to the last, inclusive", arguments: 0...2)
    func bounds(index: Int) throws {
        let (leaf, chain) = try chain(index)
        for profile in ValidationPolicy.Profile.allCases {
            let policy = ValidationPolicy(profile: profile)
            #expect(try chain.codes(of: leaf, policy: policy, at: Self.start) == [])
            #expect(try chain.codes(of: leaf, policy: policy, at: Self.end) == [])
            let early = try chain.failures(of: leaf, policy: policy, at: Self.start.advanced(by: -1))
            #expect(early.map(\.code) == [.certificateNotYetValid])
            #expect(early.first?.certificate == index)
            #expect(early.first?.role == [.leaf, .intermediate, .anchor][index])
            #expect(early.first?.expected == .time(Self.start))
            #expect(early.first?.found == .time(Self.start.advanced(by: -1)))
            let late = try chain.failures(of: leaf, policy: policy, at: Self.end.advanced(by: 1))
            #expect(late.map(\.code) == [.certificateExpired])
            #expect(late.first?.certificate == index)
            #expect(late.first?.expected == .time(Self.end))
            #expect(late.first?.found == .time(Self.end.advanced(by: 1)))
        }
    }

    @Test("The engine also checks the dates of a leaf that is an anchor")
    func leafAsAnchor() throws {
        let (leaf, _) = try chain(0)
        #expect(try codes(leaf, anchors: [leaf], at: Self.end) == [])
        #expect(try codes(leaf, anchors: [leaf], at: Self.end.advanced(by: 1)) == [.certificateExpired])
        #expect(try codes(leaf, anchors: [leaf], at: Self.start.advanced(by: -1)) == [.certificateNotYetValid])
    }

    @Test("A certificate whose validity ends before it starts is never valid")
    func reversed() throws {
        let chain = try TestChain()
        let leaf = try chain.leaf(
            .leaf("www.example.com").with {
                $0.notBefore = Self.end
                $0.notAfter = Self.start
            })
        for time in [Self.start.advanced(by: -1), Self.start, TestAuthority.now, Self.end, Self.end.advanced(by: 1)] {
            #expect(try !chain.codes(of: leaf, at: time).isEmpty)
        }
        #expect(
            try Set(chain.codes(of: leaf)) == [.certificateExpired, .certificateNotYetValid])
    }

    @Test("A path states the first and the last second of its validity")
    func pathDates() throws {
        let (leaf, chain) = try chain(1)
        let path = try #require(
            try validate(leaf, [chain.intermediate.certificate], anchors: [chain.root.certificate]).path)
        #expect(path.validFrom == Self.start)
        #expect(path.validUntil == Self.end)
    }

    @Test("The same validator, with the chain in its cache, refuses the chain as soon as the date is past its validity")
    func dateMoves() throws {
        let memory = SignatureMemory()
        for index in 0...2 {
            let (leaf, chain) = try chain(index)
            let validator = PathValidator(anchors: AnchorStore([chain.root.certificate]), memory: memory)
            func codes(_ time: Time) -> [TrustFailure.Code] {
                validator.validate(leaf, intermediates: [chain.intermediate.certificate], host: nil, at: time).codes
            }
            for _ in 0..<3 { #expect(codes(TestAuthority.now) == []) }
            #expect(memory.count > 0)
            #expect(codes(Self.end) == [])
            #expect(codes(Self.end.advanced(by: 1)) == [.certificateExpired])
            #expect(codes(Self.start.advanced(by: -1)) == [.certificateNotYetValid])
            #expect(codes(TestAuthority.now) == [])
        }
    }
}
