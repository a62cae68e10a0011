// SPDX-License-Identifier: Apache-2.0

extension ErrorGuide {
    /// The guides to errors of the folders Clients and Apple.
    static let clients: [ErrorGuide] = connections + requests + contexts + downloads + sockets

    /// Requests, redirects, clients and proxies.
    private static let requests: [ErrorGuide] = [
        ErrorGuide(
            "requestMalformedURL",
            meaning: "The client can't read the URL, or its host isn't a host name or an address.",
            remedies: ["Write the URL as `https://HOST/PATH`, with a host in ASCII and escaped characters in the path."]
        ),
        ErrorGuide(
            "requestUnsupportedScheme",
            meaning: "The URL has another scheme than `https` and `http`.",
            remedies: ["Use `https`.", "For a Unix socket, name it in `TrustedHTTPConfiguration.unixSockets`."]),
        ErrorGuide(
            "requestPlainHTTPRefused",
            meaning: "The URL has the scheme `http`, and the configuration doesn't allow its host in the clear.",
            remedies: [
                "Use `https`.",
                "If the host has no TLS and you accept that anyone on the way can read and change its answers, allow it in the configuration.",
            ]),
        ErrorGuide(
            "requestUserInURL",
            meaning: "The URL names a user. Such URLs are often made to be misread.",
            remedies: [
                "Send the credentials in the header `Authorization`.",
                "If the URL is from another source, check its real host: the part behind the `@`.",
            ]),
        ErrorGuide(
            "requestMalformed",
            meaning:
                "The method or a header field of the request has a character that it can't have, such as a line break. Nothing was sent.",
            remedies: ["Check values that come from outside before you put them into a request."]),
        ErrorGuide(
            "requestTLSConfiguration",
            meaning: "The request has a TLS configuration. The client has one configuration for all requests.",
            remedies: ["Set `TrustedHTTPConfiguration.tls`, or make a second client."]),
        ErrorGuide(
            "redirectToPlainHTTP", aliases: ["redirect"],
            meaning: "The server redirects from `https` to `http`, where anyone on the way can answer.",
            remedies: ["Ask the operator of the server to redirect to `https`."]),
        ErrorGuide(
            "redirectMalformed", aliases: ["redirect"],
            meaning: "The client can't read the location of the server's redirect, or it names an unusable URL.",
            remedies: ["Ask the operator of the server to fix the header `Location`."]),
        ErrorGuide(
            "redirectLimitExceeded", aliases: ["redirect"],
            meaning: "The server redirects more often than the client follows.",
            remedies: ["Check the first URL.", "Raise the limit: `TrustedHTTPConfiguration.redirects`."]),
        ErrorGuide(
            "redirectCycle", aliases: ["redirect"],
            meaning: "The server's redirects lead back to a URL that was asked for before.",
            remedies: [
                "Check whether the server expects a cookie or a header field.",
                "Ask the operator of the server to fix the redirects.",
            ]),
        ErrorGuide(
            "clientShutDown",
            meaning: "The client was shut down.",
            remedies: ["Send requests before you shut the client down, or make a new client."]),
        ErrorGuide(
            "clientShared",
            meaning: "The rules of the shared client can't be replaced.",
            remedies: ["Make a `TrustedHTTPClient` with your rules."]),
        ErrorGuide(
            "trustSettingUnused",
            meaning:
                "The settings of a rule have a key that its `trust` doesn't use, so the rule checks less than the settings say.",
            remedies: ["Set `trust` to `pins` or `roots`, or remove the key. The message names both."]),
        ErrorGuide(
            "proxyUnsupported",
            meaning:
                "The proxy that the environment or the configuration names is of an unsupported kind, or its address can't be read.",
            remedies: ["Name an HTTP proxy or a SOCKS 5 proxy: `http://HOST:PORT` or `socks5://HOST:PORT`."]),
    ]

    /// TLS configurations and gates.
    private static let contexts: [ErrorGuide] = [
        ErrorGuide(
            "tlsVerificationTurnedOff",
            meaning: "The TLS configuration turns verification off.",
            remedies: [
                "Leave `certificateVerification` at `.fullVerification`.",
                "To trust a server in development, use the rules of the manager for its host.",
            ]),
        ErrorGuide(
            "tlsTrustRootsNamed",
            meaning: "The TLS configuration names trust roots, which are not used.",
            remedies: ["Name them in `ServerTrustConfiguration.anchors`."]),
        ErrorGuide(
            "tlsRefusalIgnored",
            meaning: "With this TLS context a connection goes on when the server is refused.",
            remedies: ["Make the configuration with `TLSConfiguration.clientForServerTrust()`."]),
        ErrorGuide(
            "tlsHostCheckedTwice",
            meaning: "With this TLS context NIOSSL checks the host as well, by other rules.",
            remedies: ["Make the configuration with `TLSConfiguration.clientForServerTrust()`."]),
        ErrorGuide(
            "tlsPreSharedKey",
            meaning: "The TLS configuration has a pre-shared key. A server that has the key presents no certificate.",
            remedies: ["Remove the pre-shared key from the configuration."]),
        ErrorGuide(
            "tlsRenegotiation",
            meaning:
                "The TLS configuration allows renegotiation, with which a server can change its certificate after the verdict.",
            remedies: ["Set `renegotiationSupport` to `.none`."]),
        ErrorGuide(
            "tlsOutdatedVersion",
            meaning: "TLS below 1.2 is allowed, or the server speaks it.",
            remedies: [
                "Set `minimumTLSVersion` to `.tlsv12` or `.tlsv13`.", "Update a server that only has older versions.",
            ]),
        ErrorGuide(
            "tlsLayoutUnknown",
            meaning:
                "The linked swift-nio-ssl has another internal layout than the tested version, so the handshake can't be read.",
            remedies: ["Use a tested version of swift-nio-ssl.", "Use `TrustedHTTPClient` instead of a gate."]),
        ErrorGuide(
            "gateNotTLS",
            meaning: "The connection has no TLS by NIOSSL, so the gate refuses it.",
            remedies: ["Use `https`, and an event loop of NIOPosix."]),
        ErrorGuide(
            "gateNoServerName",
            meaning: "The client sent no server name, so the gate doesn't know the host.",
            remedies: ["Use a URL with a DNS name, or `TrustedHTTPClient`."]),
    ]

    /// Downloads.
    private static let downloads: [ErrorGuide] = [
        ErrorGuide(
            "downloadUnusableRequest",
            meaning: "The request isn't a `GET` without a body, or has the fields `Range` or `If-Range`.",
            remedies: ["Pass a plain `GET` request: the download sets the ranges."]),
        ErrorGuide(
            "downloadMalformedChecksum",
            meaning: "The expected digest isn't 64 hexadecimal digits.",
            remedies: ["Pass the SHA-256 of the file in hexadecimal."]),
        ErrorGuide(
            "downloadInUse",
            meaning: "Another download to the same path is under way.",
            remedies: ["Wait for it, or choose another path."]),
        ErrorGuide(
            "downloadStatus",
            meaning: "The server answered with another status than 200, or 206 for the rest of a file.",
            remedies: ["Read `status`, and check the URL and the credentials."]),
        ErrorGuide(
            "downloadTooLarge",
            meaning: "The file is larger than allowed.",
            remedies: ["Raise the limit of the options, if you expect a file of this size."]),
        ErrorGuide(
            "downloadIncomplete",
            meaning: "The response ended before the file was complete.",
            remedies: ["Download again: it goes on where it ended, if the server allows it."]),
        ErrorGuide(
            "downloadTooManyBytes",
            meaning: "The response had more bytes than it announced.",
            remedies: ["Download again. If it happens again, ask the operator of the server."]),
        ErrorGuide(
            "downloadChecksumMismatch",
            meaning: "The file has another SHA-256 than expected. Its bytes were discarded.",
            remedies: [
                "Check the expected digest.",
                "If it is right, the server has another file, or an attacker replaced it: don't use it.",
            ]),
        ErrorGuide(
            "downloadFileSystem",
            meaning: "The file can't be written or renamed, or another user can change the partial file.",
            remedies: ["Check the folder's permissions and the free space.", "Remove a partial file of another user."]),
    ]

    /// Web sockets and gRPC.
    private static let sockets: [ErrorGuide] = [
        ErrorGuide(
            "webSocketUnusableURL",
            meaning: "The client can't read the URL, or its scheme isn't `wss`.",
            remedies: ["Write the URL as `wss://HOST/PATH`."]),
        ErrorGuide(
            "webSocketUnusableField",
            meaning:
                "A header field or a subprotocol has a character that it can't have, or is one that the client sets.",
            remedies: ["Remove the field, or check values that come from outside."]),
        ErrorGuide(
            "webSocketNotUpgraded",
            meaning:
                "The server didn't open a web socket: it answered with another status than 101, or its answer doesn't fit the request.",
            remedies: [
                "Read `number`: it is the status of the answer.",
                "Check the path, the credentials and the subprotocols.",
            ]),
        ErrorGuide(
            "webSocketTimedOut",
            meaning: "The server's answer to the request for a web socket didn't come in time.",
            remedies: ["Check whether the server is overloaded.", "Set a longer time limit."]),
        ErrorGuide(
            "webSocketProtocolViolation",
            meaning: "The server broke the protocol of web sockets (RFC 6455).",
            remedies: ["Ask the operator of the server. The message names the violation."]),
        ErrorGuide(
            "webSocketTooLarge",
            meaning: "A frame or a message is larger than the client accepts.",
            remedies: ["Raise the limit, if you expect messages of this size."]),
        ErrorGuide(
            "webSocketCutOff",
            meaning: "The connection ended without a closing frame. The last messages may be missing.",
            remedies: ["Connect again, with a wait that grows."]),
        ErrorGuide(
            "webSocketClosedWithCode",
            meaning: "The server closed the web socket with a code other than 1000 and 1001.",
            remedies: ["Read `closing`: it has the code and the reason."]),
        ErrorGuide(
            "grpcHostMissing",
            meaning: "The gRPC target is an address or a socket, and no host was given for the evaluation.",
            remedies: ["Pass `host:` with the name in the server's certificate."]),
        ErrorGuide(
            "grpcHostDiffers",
            meaning: "The gRPC target or the authority names another host than the one given.",
            remedies: ["Pass the same host in both, or leave one out."]),
        ErrorGuide(
            "grpcHostUnreadable",
            meaning: "The name of the gRPC target isn't a host name.",
            remedies: ["Check the spelling of the target."]),
    ]
}
