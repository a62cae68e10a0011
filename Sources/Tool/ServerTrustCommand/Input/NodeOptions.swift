// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import ServerTrust

/// The options for the machines and names behind a host.
struct NodeOptions: ParsableArguments {
    @Flag(help: "Check each address of a host, IPv4 and IPv6, and show how they differ.")
    var allAddresses = false

    @OptionGroup var sent: ServerNameOptions

    /// Rejects options that can't be combined with checking every address.
    func validate(_ connecting: ConnectOptions, _ proxies: ProxyOptions, follows: Bool) throws {
        try OptionRule.check(
            .excludes(
                ["--all-addresses": allAddresses, "--connect": connecting.connect],
                ": the first connects to every address of the host, the second to one"),
            .excludes(
                ["--all-addresses": allAddresses, "--proxy": proxies.proxy],
                ": the first looks names up on this machine, with the second the proxy does"),
            .excludes(["--all-addresses": allAddresses, "--follow": follows]))
    }
}

/// The option for the server name in the handshake.
struct ServerNameOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Send this name in the handshake (SNI). The evaluation still uses the host. (default: the host)",
            valueName: "name"),
        transform: reading(EndpointArgument.host))
    var servername: Hostname?

    func validate() throws {
        if case .ip = servername?.kind {
            throw ValidationError("--servername takes a name: SNI can't contain an address")
        }
    }
}
