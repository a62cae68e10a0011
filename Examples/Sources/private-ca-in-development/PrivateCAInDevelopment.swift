// SPDX-License-Identifier: Apache-2.0

import Foundation
import PKIX
import ServerTrust
import ServerTrustTesting

/// Development servers with certificates of the developer's own CA, instead of a switch that disables evaluation.
@main
struct PrivateCAInDevelopment {
    /// The app's rules. A release passes nil, so it has no rule for development servers.
    static func makeManager(developmentRoots folder: String?) throws -> ServerTrustManager {
        var evaluators: [String: any TrustEvaluator] = ["api.example.com": DefaultTrustEvaluator()]
        if let folder {
            let roots = try CertificateFolder.certificates(in: folder)
            evaluators["**.dev.example.com"] = try CertificateAuthorityTrustEvaluator(onlyAnchors: roots)
        }
        return try ServerTrustManager(evaluators: evaluators)
    }

    static func main() throws {
        // A CA on the developer's machine. Its root is in a folder outside the repository.
        let developmentCA = try TestAuthority.root(.authority("Development CA"))
        let folder = try temporaryFolder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try PEM.encode(developmentCA.certificate.der, label: "CERTIFICATE")
            .write(toFile: folder + "/development-ca.pem", atomically: true, encoding: .utf8)

        let host = try Hostname("api.dev.example.com")
        let server = try developmentCA.issue(.leaf("api.dev.example.com")).certificate
        let foreign = try TestAuthority.root(.authority("Some CA")).issue(.leaf("api.dev.example.com")).certificate

        let development = try makeManager(developmentRoots: folder)
        show("development server", development.evaluate(trust(server, host)))
        // The release runs the same code, so you notice a wrong certificate on your own machine.
        show("another CA's certificate", development.evaluate(trust(foreign, host)))

        let release = try makeManager(developmentRoots: nil)
        show("in the release", release.evaluate(trust(server, host)))

        // A manager refuses an evaluator that accepts any certificate.
        do {
            _ = try ServerTrustManager(evaluators: [
                "**.dev.example.com": DisabledTrustEvaluator.insecurelyTrustingAnyServer
            ])
        } catch {
            print("disabled: \(error)")
        }
    }

    static func trust(_ leaf: Certificate, _ host: Hostname) -> Trust {
        var trust = Trust(presentedChain: [leaf], host: host)
        trust.verifyDate = .at(TestAuthority.now)
        return trust
    }

    static func show(_ what: String, _ verdict: TrustVerdict) {
        print("\(what): \(verdict.headline?.message ?? "trusted")")
    }

    static func temporaryFolder() throws -> String {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        return folder.path
    }
}
