// SPDX-License-Identifier: Apache-2.0

import PKIX
import PinTestSupport
import ServerTrust
import ServerTrustTesting
import Testing

@testable import ServerTrustPins

/// The real case of heise.de: the name is pinned to two Let's Encrypt CAs, R3 (RSA) and E1 (ECDSA), and redirects to
/// `www`, whose certificate comes from another CA.
@Suite struct RedirectToAnotherAuthorityTests {
    private struct Scene {
        let roots: [Certificate]
        let apex: [Certificate]
        let www: [Certificate]
        let pins: [String: SPKIPin]

        init() throws {
            let isrg = try TestAuthority.root(.authority("ISRG Root X1"))
            let (r3, e1) = (try isrg.intermediate(.authority("R3")), try isrg.intermediate(.authority("E1")))
            let other = try TestAuthority.root(.authority("Other Root"))
            let otherCA = try other.intermediate(.authority("Other CA"))
            roots = [isrg.certificate, other.certificate]
            apex = r3.chain(try r3.issue(.leaf("heise.example.org")))
            www = otherCA.chain(try otherCA.issue(.leaf("www.heise.example.org")))
            pins = [
                "R3": SPKIPin(r3.certificate), "E1": SPKIPin(e1.certificate), "OTHER": SPKIPin(otherCA.certificate),
            ]
        }

        func verdicts(_ file: String, _ format: PinFormat) throws -> (apex: TrustVerdict, www: TrustVerdict) {
            var file = file
            for (name, pin) in pins { file = file.replacing("{\(name)}", with: Base64.encode(pin.sha256)) }
            var trust = try PinConfiguration(reading: Array(file.utf8), as: format, file: "file")
                .serverTrustConfiguration()
            trust.anchors = .only(roots)
            trust.verifyDate = .at(TestAuthority.now)
            return (
                trust.evaluateWithoutFetching(PresentedChain(apex), host: try Hostname("heise.example.org")),
                trust.evaluateWithoutFetching(PresentedChain(www), host: try Hostname("www.heise.example.org"))
            )
        }
    }

    typealias ATS = ATSText
    typealias Kit = TrustKitText

    @Test("A domain's pins can be wrong for its subdomain with another CA")
    func thePinsFitTheNameAndNotItsSubdomain() throws {
        let scene = try Scene()
        let tooFar = [
            (ATS.plist(ATS.domain("heise.example.org", subdomains: true, ca: ["R3", "E1"])), PinFormat.ats),
            (Kit.json(Kit.domain("heise.example.org", ["R3", "E1"], Kit.sub)), .trustKit),
            ("**.heise.example.org sha256/{R3} sha256/{E1}", .okHttp),
        ]
        for (file, format) in tooFar {
            let (apex, www) = try scene.verdicts(file, format)
            #expect(apex.isTrusted && apex.matchedPin?.certificate == 1, "\(format)")
            #expect(www.failures.map(\.code) == [.pinNotMatched], "\(format)")
        }
    }

    @Test("Without pinned subdomains, a redirect to a subdomain is followed without pins")
    func withoutSubdomainsTheRedirectIsFollowedUnpinned() throws {
        let (apex, www) = try Scene().verdicts(ATS.plist(ATS.domain("heise.example.org", ca: ["R3", "E1"])), .ats)
        #expect(apex.matchedPin != nil)
        #expect(www.isTrusted && www.matchedPin == nil)
    }

    @Test("The other CA can be pinned for its own host") func theOtherAuthorityIsPinnedForItsOwnHost() throws {
        let scene = try Scene()
        let files = [
            (
                ATS.plist(
                    ATS.domain("heise.example.org", ca: ["R3", "E1"]),
                    ATS.domain("www.heise.example.org", ca: ["OTHER"])),
                PinFormat.ats
            ),
            (
                Kit.json(
                    Kit.domain("heise.example.org", ["R3", "E1"], Kit.sub) + ","
                        + Kit.domain("www.heise.example.org", ["OTHER", "R3"])), .trustKit
            ),
            ("heise.example.org sha256/{R3} sha256/{E1}\nwww.heise.example.org sha256/{OTHER}", .okHttp),
        ]
        for (file, format) in files {
            let (apex, www) = try scene.verdicts(file, format)
            #expect(apex.matchedPin?.certificate == 1 && www.matchedPin?.certificate == 1, "\(format)")
        }
    }
}
