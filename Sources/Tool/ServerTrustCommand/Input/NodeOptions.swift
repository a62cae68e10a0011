// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import ServerTrust

/// The options for the machines and names behind a host.
struct NodeOptions: ParsableArguments {
    @Flag(help: "Check each address of a host, IPv4 and IPv6, and show which differs.")
    var allAddresses = false

    @OptionGroup var sent: ServerNameOptions

    /// Refuses what can't be combined with every address of a host.
    func validate(_ connecting: ConnectOptions, _ proxies: ProxyOptions, follows: Bool) throws {
        guard allAddresses else { return }
        guard connecting.connect == nil else {
            throw ValidationError("--all-addresses asks each address of the host, --connect one that is given")
        }
        guard proxies.proxy == nil else {
            throw ValidationError("--all-addresses looks names up here, and with --proxy the proxy does")
        }
        guard !follows else { throw ValidationError("--all-addresses and --follow don't go together") }
    }
}

/// The option for the name in the handshake.
struct ServerNameOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The name to send in the handshake (SNI). The evaluation still uses the host. (default: the host)",
            valueName: "name"),
        transform: reading(EndpointArgument.host))
    var servername: Hostname?

    func validate() throws {
        if case .ip = servername?.kind {
            throw ValidationError("--servername is a name: an address has no place in SNI")
        }
    }
}
