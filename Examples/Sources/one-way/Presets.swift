// SPDX-License-Identifier: Apache-2.0

import ServerTrustHTTP
import ServerTrustTesting

/// The presets of configurations, each with the server that it is meant for and with others.
extension OneWay {
    /// Servers of the public web. The example's root replaces the system's roots, which didn't issue the certificate.
    static func publicWeb(_ scene: Scene) async throws {
        var web = ServerTrustConfiguration.publicWeb
        try await show("publicWeb, with the system's anchors", web, scene.presented)
        web.anchors = .only([scene.root.certificate])
        try await show("publicWeb", web, scene.presented)
        try await show("publicWeb, another host", web, scene.presented, host: "www.example.com")

        // No `try` is needed, because the default fetcher can't fail. It only connects to public addresses.
        var required = ServerTrustConfiguration.publicWeb(revocation: .required)
        required.anchors = .only([scene.root.certificate])
        required.verifyDate = .at(TestAuthority.now)
        let verdict = await required.evaluate(scene.presented, host: scene.host)
        row("publicWeb, required revocation", verdict)
        for record in verdict.fetched {
            print("  \(record.resource.rawValue): \(record.failure?.code.name ?? "fetched")")
        }
    }

    /// Servers of the company's own CA.
    static func privateCA(_ scene: Scene) async throws {
        let company = ServerTrustConfiguration.privateCA(roots: [scene.root.certificate])
        try await show("privateCA", company, scene.presented)
        let other = try Scene()
        try await show("privateCA, another CA", company, other.presented)
    }

    /// Named hosts with pinned keys. The backup is the key of a second intermediate, which isn't in use yet.
    static func pinned(_ scene: Scene) async throws {
        let next = try scene.root.intermediate(.authority("Company Issuing CA 2"))
        var pinned = try ServerTrustConfiguration.pinned(
            [SPKIPin(scene.issuing.certificate).description], backup: [SPKIPin(next.certificate).description],
            for: [Scene.name])
        pinned.anchors = .only([scene.root.certificate])
        try await show("pinned", pinned, scene.presented)
        let renewed = PresentedChain(next.chain(try next.issue(.leaf(Scene.name))))
        try await show("pinned, backup in use", pinned, renewed)
        let foreign = PresentedChain(scene.root.chain(try scene.root.issue(.leaf(Scene.name))))
        try await show("pinned, another key", pinned, foreign)
        try await show("pinned, another host", pinned, scene.presented, host: "www.example.com")
        do {
            _ = try ServerTrustConfiguration.pinned(
                [SPKIPin(scene.issuing.certificate).description], backup: [], for: [Scene.name])
        } catch let error as SPKIPinSetError {
            print("pinned, no backup: \(error.code)")
        }
    }

    /// A development server with a self-signed certificate.
    static func development(_ scene: Scene) async throws {
        let certificate = try TestAuthority.selfSigned(.leaf("localhost", "dev.example.com")).certificate
        let development = try ServerTrustConfiguration.development(trusting: certificate, for: ["localhost"])
        let presented = PresentedChain([certificate])
        try await show("development", development, presented, host: "localhost")
        try await show("development, another host", development, presented, host: "dev.example.com")
        let other = PresentedChain([
            try TestAuthority.selfSigned(.leaf("localhost").with { $0.organization = "Other" }).certificate
        ])
        try await show("development, another certificate", development, other, host: "localhost")
    }

    /// Prints the verdict of a configuration at the date of the certificates.
    private static func show(
        _ title: String, _ configuration: ServerTrustConfiguration, _ chain: PresentedChain, host: String = Scene.name
    ) async throws {
        var configuration = configuration
        configuration.verifyDate = .at(TestAuthority.now)
        row(title, await configuration.evaluate(chain, host: try Hostname(host)))
    }
}
