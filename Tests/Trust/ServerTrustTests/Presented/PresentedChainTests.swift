// SPDX-License-Identifier: Apache-2.0

import ServerTrustTesting
import Testing
import TrustScenes

@testable import PKIX
@testable import ServerTrust

@Suite("Presented chain")
struct PresentedChainTests {
    private let junk: [UInt8] = [0x30, 0x03, 0x02, 0x01, 0x01]

    @Test("The first certificate is the leaf, and the others keep the order in which the server sent them")
    func order() throws {
        let scene = try TrustScene()
        let certificates = [scene.leaf, scene.root.certificate, scene.intermediate.certificate]
        for chain in [PresentedChain(certificates), PresentedChain(der: certificates.map(\.der))] {
            #expect(chain.leaf == scene.leaf)
            #expect(chain.others == [scene.root.certificate, scene.intermediate.certificate])
            #expect(chain.certificates == certificates)
            #expect(chain.unreadable.isEmpty)
            #expect(!chain.isEmpty)
        }
        #expect(PresentedChain(certificates) == PresentedChain(der: certificates.map(\.der)))
    }

    @Test("A chain is the same with a certificate cache, with another cache and without one")
    func memories() throws {
        let scene = try TrustScene()
        let der = scene.chain.map(\.der) + [junk]
        let memory = CertificateMemory()
        let first = PresentedChain(der: der, memory: memory)
        #expect(memory.count == 2)
        #expect(PresentedChain(der: der, memory: memory) == first)
        #expect(PresentedChain(der: der, memory: nil) == first)
        #expect(PresentedChain(der: der) == first)
        #expect(memory.count == 2)
    }

    @Test("A server that sends nothing has an empty chain, which is refused with its own failure")
    func empty() throws {
        let scene = try TrustScene()
        for chain in [PresentedChain([]), PresentedChain(der: [])] {
            #expect(chain.isEmpty)
            #expect(chain.leaf == nil && chain.certificates.isEmpty && chain.unreadable.isEmpty)
            let verdict = scene.trust(presented: chain).evaluate()
            #expect(!verdict.isTrusted)
            #expect(verdict.codes == [.presentedChainEmpty])
            #expect(verdict.path.isEmpty)
        }
    }

    @Test("The next certificate never replaces an unreadable leaf")
    func unreadableLeaf() throws {
        let scene = try TrustScene()
        for bytes in [junk, [], Array(scene.leaf.der.dropLast()), scene.leaf.der + [0]] {
            let chain = PresentedChain(der: [bytes, scene.leaf.der, scene.intermediate.certificate.der])
            #expect(chain.leaf == nil)
            #expect(chain.others == scene.chain)
            #expect(chain.certificates == scene.chain)
            #expect(chain.unreadable.map(\.index) == [0])
            #expect(!chain.isEmpty)
            let verdict = scene.trust(presented: chain).evaluate()
            #expect(!verdict.isTrusted)
            #expect(verdict.codes == [.certificateMalformed])
            #expect(verdict.failures.first?.certificate == 0)
            #expect(verdict.failures.first?.role == .leaf)
        }
    }

    @Test("Other unreadable certificates are skipped and reported with their positions")
    func unreadableOthers() throws {
        let scene = try TrustScene()
        let chain = PresentedChain(der: [scene.leaf.der, junk, scene.intermediate.certificate.der, []])
        #expect(chain.leaf == scene.leaf)
        #expect(chain.others == [scene.intermediate.certificate])
        #expect(chain.unreadable.map(\.index) == [1, 3])
        let verdict = scene.trust(presented: chain).evaluate()
        #expect(verdict.isTrusted)
        #expect(verdict.warnings.count == 2)
        #expect(verdict.path == scene.path)
    }

    @Test("The verdict names a needed but unreadable intermediate in addition to the unknown issuer")
    func neededAndUnreadable() throws {
        let scene = try TrustScene()
        let bytes = scene.intermediate.certificate.der
        let chain = PresentedChain(der: [scene.leaf.der, Array(bytes.dropLast())])
        let verdict = scene.trust(presented: chain).evaluate()
        #expect(verdict.codes == [.issuerUnreadable, .unknownIssuer])
        #expect(verdict.result == .recoverableFailure)
        #expect(verdict.warnings.count == 1)
    }

    @Test("The number of warnings stays small, however much junk a server sends")
    func muchJunk() throws {
        let scene = try TrustScene()
        let chain = PresentedChain(der: scene.chain.map(\.der) + Array(repeating: junk, count: 500))
        #expect(chain.unreadable.count == 500)
        let verdict = scene.trust(presented: chain).evaluate()
        #expect(verdict.isTrusted)
        #expect(verdict.warnings.count < 50)
    }

    @Test("The engine sorts a chain in the wrong order, with its root, repetitions and unrelated certificates")
    func disorder() throws {
        let scene = try TrustScene()
        let stranger = try TrustScene()
        let others = [
            scene.root.certificate, stranger.leaf, stranger.root.certificate, scene.intermediate.certificate,
            scene.intermediate.certificate, stranger.intermediate.certificate, scene.leaf,
        ]
        let verdict = scene.trust([scene.leaf] + others).evaluate()
        #expect(verdict.isTrusted)
        #expect(verdict.path == scene.path)
        #expect(scene.trust([scene.leaf] + others.reversed()).evaluate().path == scene.path)
    }

    @Test("The engine evaluates the first certificate, even if a certificate for the host comes later")
    func wrongLeafFirst() throws {
        let scene = try TrustScene()
        let other = try scene.intermediate.issue(.leaf("other.example")).certificate
        let verdict = scene.trust([other, scene.leaf, scene.intermediate.certificate]).evaluate()
        #expect(verdict.codes == [.hostMismatch])
        #expect(verdict.path.first == other)
        let reversed = scene.trust(scene.chain.reversed()).evaluate()
        #expect(!reversed.isTrusted)
        #expect(reversed.path.first == scene.intermediate.certificate)
    }

    @Test("Equality compares unreadable bytes and their positions")
    func equality() throws {
        let scene = try TrustScene()
        let one = PresentedChain(der: [scene.leaf.der, junk])
        #expect(one == PresentedChain(der: [scene.leaf.der, junk]))
        #expect(one != PresentedChain(der: [scene.leaf.der]))
        #expect(one != PresentedChain(der: [scene.leaf.der, scene.leaf.der, junk]))
        #expect(one != PresentedChain(der: [junk, scene.leaf.der]))
    }

    struct List: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let bytes: [UInt8]
        let timestamps: [[UInt8]]
    }

    @Test(
        "The parser reads a list of timestamps up to its first error",
        arguments: [
            List(testDescription: "nothing", bytes: [], timestamps: []),
            List(testDescription: "half a length", bytes: [0], timestamps: []),
            List(testDescription: "an empty list", bytes: [0, 0], timestamps: []),
            List(testDescription: "two", bytes: [0, 9, 0, 3, 1, 2, 3, 0, 2, 4, 5], timestamps: [[1, 2, 3], [4, 5]]),
            List(testDescription: "a list that is too short", bytes: [0, 9, 0, 3, 1, 2, 3, 0, 2, 4], timestamps: []),
            List(testDescription: "trailing bytes", bytes: [0, 3, 0, 1, 9, 9], timestamps: []),
            List(testDescription: "an empty timestamp", bytes: [0, 5, 0, 1, 9, 0, 0], timestamps: [[9]]),
            List(
                testDescription: "a timestamp that runs past the end", bytes: [0, 6, 0, 1, 9, 0, 2, 8],
                timestamps: [[9]]),
            List(testDescription: "half a length at the end", bytes: [0, 4, 0, 1, 9, 0], timestamps: [[9]]),
            List(
                testDescription: "lengths of two bytes", bytes: [2, 3, 2, 1] + [UInt8](repeating: 7, count: 513),
                timestamps: [[UInt8](repeating: 7, count: 513)]),
        ])
    func timestamps(list: List) {
        let chain = PresentedChain(der: [], staple: .none, signedCertificateTimestampList: list.bytes)
        #expect(chain.signedCertificateTimestampList == list.bytes)
        #expect(chain.signedCertificateTimestamps == list.timestamps)
    }

    @Test("The size of the evidence includes the OCSP response and the list of timestamps")
    func evidenceSize() {
        let rows: [(staple: StapleState, list: [UInt8]?, size: Int)] = [
            (.unknown, nil, 0), (.none, [0, 0], 2), (.given([1, 2, 3]), nil, 3), (.given([1, 2, 3]), [0, 0], 5),
        ]
        for (staple, list, size) in rows {
            let chain = PresentedChain(der: [], staple: staple, signedCertificateTimestampList: list)
            #expect(chain.evidenceSize == size)
        }
    }

    @Test("A chain with only a leaf, only others or only unreadable bytes isn't empty")
    func notEmpty() throws {
        let leaf = try TrustScene().leaf.der
        for der in [[leaf], [junk, leaf], [junk]] { #expect(!PresentedChain(der: der).isEmpty) }
    }

    @Test("A list that is longer than TLS permits is ignored")
    func longList() {
        func list(_ count: Int) -> [UInt8]? {
            PresentedChain(der: [], staple: .none, signedCertificateTimestampList: [UInt8](repeating: 0, count: count))
                .signedCertificateTimestampList
        }
        #expect(list(65_537)?.count == 65_537)
        #expect(list(65_538) == nil)
    }
}
