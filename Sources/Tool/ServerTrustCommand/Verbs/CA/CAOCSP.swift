// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import PrivateCA
import ServerTrust
import ServerTrustLab

/// `servertrust ca ocsp`: the verbs of the CA's OCSP responder.
struct CAOCSP: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        verb: "ca ocsp", abstract: "Serve OCSP responses.", subcommands: [CAOCSPServe.self])
}

/// `servertrust ca ocsp serve`: runs an OCSP responder until a signal arrives.
struct CAOCSPServe: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        verb: "ca ocsp serve",
        abstract: "Run an OCSP responder for this CA on 127.0.0.1 (RFC 6960, GET and POST).")

    @Option(help: ArgumentHelp("Listen on this port; 0 lets the system choose one.", valueName: "n"))
    var port = 8888

    @OptionGroup var options: CAOptions

    func validate() throws {
        try OptionRule.check(.range("--port", port, 0...65_535))
    }

    func run() async throws {
        let folder = try options.open()
        let responder = try folder.responder(now: { .now() })
        let address = try folder.addresses().ocsp?.url
        let signals = StopSignals()
        let repository = try await CommandFailure.awaiting(hint: "--port 0 uses a free port") {
            try await LabRepository.start(port: port)
        }
        repository.publish(.ocsp(responder), at: "/")
        do {
            try report(folder, url: repository.url + "/", address: address)
            await signals.wait()
        } catch {
            await repository.stop()
            throw error
        }
        await repository.stop()
    }

    private func report(_ folder: AuthorityFolder, url: String, address: String?) throws {
        let name = folder.root.subject.commonNames.first
        try options.write(
            { "answers for \($0.bold(printable(name ?? "")))" }, [("url", url), ("address", address)]
        ) { json in
            json.member("url", url)
            json.member("ocspURL", address)
            json.member("issuer", name)
            json.member("root", folder.rootPath)
        }
    }
}
