// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import PrivateCA
import ServerTrust
import ServerTrustLab

/// `servertrust ca ocsp`: the verbs of the CA's OCSP responder.
struct CAOCSP: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ocsp", abstract: "Serve OCSP responses.", subcommands: [CAOCSPServe.self])
}

/// `servertrust ca ocsp serve`: runs an OCSP responder until a signal arrives.
struct CAOCSPServe: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Run an OCSP responder for this CA on 127.0.0.1 (RFC 6960, GET and POST).",
        usage: "servertrust ca ocsp serve [<options>]",
        discussion: HelpDetail.discussion(
            """
            Runs until Ctrl-C or SIGTERM. The root signs the responses. They are valid
            for an hour and use the current index, so servertrust ca revoke takes effect
            at once. To name the responder in certificates, set its address with
            init --ocsp-url or ca issue --ocsp-url.

            $ servertrust ca ocsp serve
            OK    answers for servertrust CA 5f0c1d9e
                  url      http://127.0.0.1:8888/

            $ openssl ocsp -issuer ca/root.pem -CAfile ca/root.pem \\
                -cert ca/issued/api.example.com.pem -url http://127.0.0.1:8888/
            Response verify OK
            ca/issued/api.example.com.pem: good
            """))

    @Option(help: ArgumentHelp("Listen on this port; 0 lets the system choose one.", valueName: "n"))
    var port = 8888

    @OptionGroup var options: CAOptions

    func validate() throws {
        try OptionRule.check(.range("--port", port, 0...65_535))
    }

    func run() async throws {
        let folder = try options.open()
        let responder = try reportingCAErrors { try folder.responder(now: { .now() }) }
        let address = try reportingCAErrors { try folder.addresses().ocsp?.url }
        let signals = StopSignals()
        let repository: LabRepository
        do throws(LabPortError) {
            repository = try await LabRepository.start(port: port)
        } catch {
            throw CommandFailure(error.description, hint: "--port 0 uses a free port")
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
