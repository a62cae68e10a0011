// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import PinLint
import ServerTrust

/// `servertrust check`: the verdict on the chains that servers present.
struct Check: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Connect to servers, show what they present, and evaluate it.",
        usage: "servertrust check <host|url> ... [<options>]",
        discussion: """
            A server is named by host, host:port, [ipv6]:port or URL: https, or that of
            another service, such as imaps://mail.example.com. Nothing is sent to a server
            that isn't trusted but the commands up to STARTTLS, and nothing but TLS's
            handshake to one that is, unless redirects are followed. Several servers are
            checked at once.

            $ servertrust check api.example.com
            OK    api.example.com is trusted at 2026-11-21T09:30:00Z
                  ...

            $ servertrust check api.example.com --pins sha256/AAAA... --pins backup.csr
            A file is a list of pins, or certificates, keys and requests to pin.

            $ servertrust check https://example.com/login --follow --pins pins.txt
            Walks the redirects, each under its own host, and says where a pin breaks.

            $ servertrust check api.example.com --connect 192.0.2.7 --anchors root.pem
            Asks 192.0.2.7 for api.example.com: before DNS is switched, or in the lab.

            $ servertrust check api.example.com --revocation required --fetch
            Asks the CAs' responders and CRLs as well.

            $ servertrust check api.example.com --proxy http://user:pw@proxy:3128
            Tunnels through the proxy, which resolves the name; --proxy environment takes
            the one that https_proxy names, and keeps the password out of ps.

            $ servertrust check smtp://mail.example.com postgres://db.example.com
            $ servertrust check ldap.example.com:1389 --starttls ldap
            Speaks the protocol up to STARTTLS or its like, and evaluates the server then.

            $ servertrust check api.example.com --showcerts > chain.pem

            $ servertrust check $(cat hosts.txt) --format junit > report.xml

            Exit code 0 if all are trusted, 1 if one is rejected, 2 if none is and one
            couldn't be reached: servertrust help exit-codes.
            """)

    @Argument(help: "The servers.")
    var servers: [String]

    @Option(
        help: ArgumentHelp(
            "sha256/BASE64, or a file: one of them must be in the validated path. May be repeated.",
            valueName: "pin|file"))
    var pins: [String] = []

    @OptionGroup var connecting: ConnectOptions

    @OptionGroup var proxies: ProxyOptions

    @OptionGroup var clear: StartTLSOptions

    @OptionGroup var revocation: RevocationOptions

    @OptionGroup var fetching: FetchOptions

    @Flag(help: "Follow redirects, and check each server on the way.")
    var follow = false

    @Flag(help: "Print the presented chain in PEM instead of the report.")
    var showcerts = false

    @Option(help: "The set of rules: that of the public web, or plain RFC 5280.")
    var profile = ValidationPolicy.Profile.webPKI

    @Flag(help: "Add the rules that bind CAs and that practical verifiers relax.")
    var strict = false

    @Option(
        help: ArgumentHelp("The verify date in RFC 3339, or a day. (default: now)", valueName: "time"),
        transform: reading(Time.init(rfc3339:)))
    var time: Time?

    @Option(help: "The format of the report.")
    var format = CheckFormat.text

    func validate() throws {
        _ = try endpoints()
        guard !showcerts || format == .text else {
            throw ValidationError("--showcerts prints PEM, --format doesn't go with it")
        }
    }

    func run() async throws {
        let plan = try plan()
        let endpoints = try endpoints()
        let results = try await CheckRun(plan: plan).results(for: endpoints)
        await plan.resources?.finishWriting()
        let report = CheckReport(results: results)
        switch format {
        case .text where showcerts: try StandardStream.output.write(Array(report.pem().utf8))
        case .text: try StandardStream.output.write(Array(report.text(Palette.forStandardOutput()).utf8))
        case .json: try StandardStream.output.write(report.json())
        case .junit: try StandardStream.output.write(report.junit().xml())
        }
        for result in results {
            for step in result.steps {
                if let error = step.error { Diagnostics.error("\(step.endpoint): \(error)") }
            }
        }
        if results.contains(where: \.isRejected) { throw ExitCodes.rejected }
        if results.contains(where: \.isUndecided) { throw ExitCodes.couldNotEvaluate }
    }

    private func endpoints() throws -> [ServerEndpoint] {
        do {
            return try servers.map { text throws(ServerEndpointError) in
                try ServerEndpoint(text, startTLS: clear.starttls)
            }
        } catch {
            throw ValidationError(String(describing: error))
        }
    }

    private func plan() throws -> CheckPlan {
        let pins = try PinArguments.pins(pins)
        let address = try connecting.address()
        var plan = CheckPlan(
            anchors: try connecting.anchorStore().map { TrustAnchors($0) } ?? .system,
            policy: ValidationPolicy(profile: profile, isStrict: strict), verifyDate: time.map { .at($0) } ?? .now,
            address: address.host, addressPort: address.port, timeout: connecting.timeout.duration, follows: follow)
        plan.revocation = revocation.check
        plan.revocationData = try revocation.data()
        plan.proxy = try proxies.selection()
        plan.resources = try fetching.resources(through: plan.proxy)
        guard !pins.isEmpty else { return plan }
        do throws(SPKIPinSetError) {
            plan.pins = try SPKIPinSet(pinsRiskingLockout: pins)
        } catch {
            throw ValidationError(error.description)
        }
        return plan
    }
}

/// The format of the report.
enum CheckFormat: String, CaseIterable, ExpressibleByArgument {
    /// Text for people; its wording may change.
    case text
    /// JSON for programs: always an array, each element with `schemaVersion`.
    case json
    /// JUnit's XML for CI systems.
    case junit
}
