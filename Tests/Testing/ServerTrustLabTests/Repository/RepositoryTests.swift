// SPDX-License-Identifier: Apache-2.0

import Foundation
import PKIX
import ServerTrust
import Testing

@testable import ServerTrustLab
@testable import ServerTrustTesting

@Suite("LabRepository with curl and openssl as clients", .enabled(if: OtherClient.areAvailable))
struct RepositoryTests {
    @Test("A repository serves issuers, bundles and CRLs with their media types and counts the requests")
    func fixed() async throws {
        let root = try TestAuthority.root()
        let intermediate = try root.intermediate()
        let crl = try root.crl { $0.revoke(intermediate.certificate) }
        let repository = try await LabRepository.start()
        repository.publish(.issuer(intermediate.certificate), at: "/ca.cer")
        repository.publish(.issuers([intermediate.certificate, root.certificate]), at: "/ca.p7c")
        repository.publish(.crl(crl), at: "/ca.crl")

        let issuer = try await CurlDownload(repository.url + "/ca.cer")
        #expect(issuer.body == Data(intermediate.certificate.der))
        #expect(issuer.line == "200 application/pkix-cert")
        let bundle = try await CurlDownload(repository.url + "/ca.p7c")
        #expect(bundle.line == "200 application/pkcs7-mime")
        #expect(try await bundle.printed(by: "pkcs7", "-print_certs").contains("Test Intermediate"))
        let list = try await CurlDownload(repository.url + "/ca.crl")
        #expect(list.line == "200 application/pkix-crl")
        #expect(list.body == Data(crl.der))

        #expect(try await CurlDownload(repository.url + "/else").line.hasPrefix("404"))
        #expect(try await CurlDownload(repository.url + "/ca.cer/below").line.hasPrefix("404"))
        repository.remove("/ca.cer")
        #expect(try await CurlDownload(repository.url + "/ca.cer").line.hasPrefix("404"))
        #expect(repository.requests(for: "/ca.cer") == 1)
        #expect(repository.requests(for: "/ca.crl") == 1)
        #expect(repository.requests == 6)
        await repository.stop()
    }

    @Test(
        "A repository answers OCSP requests over POST and GET, signed by the CA or a delegate",
        arguments: [false, true])
    func ocsp(isDelegated: Bool) async throws {
        let lab = try OCSPLab(isDelegated: isDelegated)
        let repository = try await LabRepository.start()
        repository.publish(.ocsp(lab.responder), at: "/ocsp")
        for (identity, status) in [(lab.good, "good"), (lab.revoked, "revoked"), (lab.unknown, "unknown")] {
            for hash in ["-sha1", "-sha256"] {
                let answer = try await lab.ask(identity, url: repository.url + "/ocsp", [hash])
                #expect(answer.contains("Response verify OK"), "\(answer)")
                #expect(answer.contains(": \(status)\n"), "\(answer)")
                #expect(!answer.contains("nonce in response"))
            }
        }
        #expect(repository.requests(for: "/ocsp") == 6)

        // GET, with the request in the path.
        let request = try await lab.request(for: lab.revoked)
        let encoded = try #require(
            request.base64EncodedString().addingPercentEncoding(withAllowedCharacters: .alphanumerics))
        for path in [encoded, request.base64EncodedString()] {
            let answer = try await CurlDownload(repository.url + "/ocsp/" + path)
            #expect(answer.line == "200 application/ocsp-response")
            #expect(
                try await answer.printed(by: "ocsp", "-resp_text", "-noverify", "-respin").contains(
                    "Cert Status: revoked"))
        }
        #expect(repository.requests(for: "/ocsp") == 8)
        #expect(
            try await CurlDownload(repository.url + "/ocsp/nonsense").body
                == Data(TestOCSPResponse.error(.malformedRequest).der))
        await repository.stop()
    }

    @Test("An OCSP responder refuses another CA's certificates")
    func otherAuthority() async throws {
        let lab = try OCSPLab(isDelegated: false)
        let other = try OCSPLab(isDelegated: false, name: "Other Root")
        let repository = try await LabRepository.start()
        repository.publish(.ocsp(lab.responder), at: "/ocsp")
        let answer = try await other.ask(other.good, url: repository.url + "/ocsp")
        #expect(answer.contains("unauthorized"))
        await repository.stop()
    }

    @Test("A resource misbehaves as configured")
    func behaviors() async throws {
        let body = [UInt8](repeating: 7, count: 1000)
        let repository = try await LabRepository.start()
        func publish(_ behavior: LabResource.Behavior) {
            repository.publish(LabResource(body).with(behavior), at: "/a")
        }
        let url = repository.url + "/a"
        publish(.slow(.milliseconds(300)))
        #expect(try await CurlDownload(url).body == Data(body))
        publish(.slow(.hours(1)))
        #expect(try await CurlDownload(url, ["--max-time", "0.5"]).status == 28)
        publish(.noResponse)
        #expect(try await CurlDownload(url, ["--max-time", "0.5"]).status == 28)
        publish(.connectionClosed)
        #expect(try await CurlDownload(url).status == 52)
        publish(.truncated)
        #expect(try await CurlDownload(url).status == 18)
        publish(.oversized(bytes: 3 << 20))
        #expect(try await CurlDownload(url).body == Data(body) + Data(count: 3 << 20 - 1000))
        publish(.otherBytes([1, 2, 3]))
        #expect(try await CurlDownload(url).body == Data([1, 2, 3]))
        publish(.status(503))
        #expect(try await CurlDownload(url).line.hasPrefix("503"))
        publish(.redirect(to: repository.url + "/b"))
        #expect(try await CurlDownload(url).line.hasPrefix("302"))
        repository.publish(LabResource(body), at: "/b")
        #expect(try await CurlDownload(url, ["--location"]).body == Data(body))
        #expect(repository.requests(for: "/a") == 10)
        #expect(repository.requests(for: "/b") == 1)
        await repository.stop()
    }

    @Test("A lab's repository serves the scenarios' resources")
    func pointers() async throws {
        let lab = try await Lab.start([.servedIntermediate, .revokedByCRL, .revokedByOCSP, .mustStaple])
        let served = lab.servers[0].certificates
        let issuer = try await CurlDownload(lab.repository.url + "/served-intermediate/lab-ca.cer")
        let completed = try PresentedChain(served.chain + [Certificate(der: Array(issuer.body))])
        #expect(served.evaluate(completed).isTrusted)

        let crl = lab.servers[1].certificates
        let list = try await CurlDownload(lab.repository.url + "/revoked-by-crl/lab-ca.crl")
        #expect(crl.revocationData.crls.first == Array(list.body))
        #expect(try await list.verifies(crl) == "certificate revoked")

        for (server, status) in [(lab.servers[2], "revoked"), (lab.servers[3], "good")] {
            let url = lab.repository.url + "/\(server.scenario)/ocsp"
            let answer = try await OCSPLab.ask(server.certificates, url: url)
            #expect(answer.contains("Response verify OK"), "\(answer)")
            #expect(answer.contains(": \(status)\n"), "\(answer)")
        }
        for server in lab.servers {
            // The leaf contains the URL unchanged.
            let folder = Array("\(lab.repository.url)/\(server.scenario)/".utf8)
            #expect(server.certificates.chain[0].der.firstRange(of: folder) != nil, "\(server.scenario)")
            #expect(
                lab.repository.requests(for: "/\(server.scenario)/ocsp")
                    == (server.scenario == .revokedByCRL || server.scenario == .servedIntermediate ? 0 : 1))
        }
        await lab.stop()
    }

    @Test("A server outside a lab has its own repository, which stops with it")
    func ownRepository() async throws {
        let server = try await LabServer.start(.servedIntermediate)
        let repository = try #require(server.repository)
        let url = repository.url + "/served-intermediate/lab-ca.cer"
        #expect(try await CurlDownload(url).line == "200 application/pkix-cert")
        await server.stop()
        #expect(try await CurlDownload(url).status == 7)
        let other = try await LabServer.start(.good)
        #expect(other.repository == nil)
        await other.stop()
    }
}
