// SPDX-License-Identifier: Apache-2.0

#if GRPC || HTTP || Everything

extension TLSPrologue {
    /// FTP's `AUTH TLS` on the control connection (RFC 4217 § 4), usually on port 21. It doesn't cover data
    /// connections.
    public static let ftp = TLSPrologue(
        "FTP",
        [.command(nil, of: "FTP", expecting: ["220"]), .command("AUTH TLS", of: "FTP", expecting: ["234"])])

    /// NNTP's `STARTTLS` (RFC 4642), usually on port 119.
    public static let nntp = TLSPrologue(
        "NNTP",
        [
            .command(nil, of: "NNTP", expecting: ["200", "201"]),
            .command("STARTTLS", of: "NNTP", expecting: ["382"]),
        ])
}

#endif
