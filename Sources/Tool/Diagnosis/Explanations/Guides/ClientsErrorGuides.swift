// SPDX-License-Identifier: Apache-2.0

extension ErrorGuide {
    /// The guides to errors of the targets in the folders Clients and Apple.
    static let clients: [ErrorGuide] = connections + requests + contexts + downloads + sockets

    /// The guides to errors of requests, redirects, clients and proxies.
    private static let requests: [ErrorGuide] = [
        ErrorGuide(
            "requestMalformedURL",
            meaning: "The client can't read the URL, or its host isn't a host name or an address.",
            remedies: [
                "Write the URL as `https://HOST/PATH`. The host has to be in ASCII, and special characters in the path have to be escaped."
            ]
        ),
        ErrorGuide(
            "requestUnsupportedScheme",
            meaning: "The URL's scheme is neither `https` nor `http`.",
            remedies: ["Use `https`.", "For a Unix socket, name it in `TrustedHTTPConfiguration.unixSockets`."]),
        ErrorGuide(
            "requestPlainHTTPRefused",
            meaning: "The URL has the `http` scheme, but the configuration doesn't allow plain HTTP for its host.",
            remedies: [
                "Use `https`.",
                "If the host has no TLS, allow it in the configuration. Anyone on the network path can then read and change its responses.",
            ]),
        ErrorGuide(
            "requestUserInURL",
            meaning: "The URL contains a user name. Such URLs are often made to mislead readers about the host.",
            remedies: [
                "Send the credentials in the `Authorization` header.",
                "If the URL comes from another source, check its real host: the part after the `@`.",
            ]),
        ErrorGuide(
            "requestMalformed",
            meaning:
                "The method or a header field of the request contains a forbidden character, such as a line break. The client sent nothing.",
            remedies: ["Check values from outside before you put them into a request."]),
        ErrorGuide(
            "responseMalformed",
            meaning:
                "The response breaks HTTP: its status isn't a number from 100 to 599, it is 101 without a request to upgrade, or a body or the end comes before a final status. The error names the status.",
            remedies: [
                "Ask the server's operator to fix the response. `curl -v URL` shows the status line.",
                "Check whether a proxy or another device changes the response.",
            ]),
        ErrorGuide(
            "http2ConnectionEnded",
            meaning:
                "The server broke HTTP/2, or ended the connection with GOAWAY. The message has the reason. The client doesn't use the connection again.",
            remedies: [
                "Send the request again if the server may process it twice.",
                "If this happens again, report the message to the server's operator, or set `TrustedHTTPConfiguration.httpVersion` to `.http1Only`.",
            ]),
        ErrorGuide(
            "requestTLSConfiguration",
            meaning: "The request has its own TLS configuration. The client uses one configuration for all requests.",
            remedies: ["Set `TrustedHTTPConfiguration.tls`, or create a second client."]),
        ErrorGuide(
            "redirectToPlainHTTP", aliases: ["redirect"],
            meaning: "The server redirects from `https` to `http`, where anyone on the network path can answer.",
            remedies: ["Ask the server's operator to redirect to `https`."]),
        ErrorGuide(
            "redirectMalformed", aliases: ["redirect"],
            meaning: "The client can't read the location of the server's redirect, or can't use its URL.",
            remedies: ["Ask the server's operator to fix the `Location` header."]),
        ErrorGuide(
            "redirectLimitExceeded", aliases: ["redirect"],
            meaning: "The server sends more redirects than the client follows.",
            remedies: ["Check the first URL.", "Raise the limit: `TrustedHTTPConfiguration.redirects`."]),
        ErrorGuide(
            "redirectCycle", aliases: ["redirect"],
            meaning: "The server redirects to a URL that the client has already requested.",
            remedies: [
                "Check whether the server expects a cookie or a header field.",
                "Ask the server's operator to fix the redirects.",
            ]),
        ErrorGuide(
            "decompressionLimitExceeded",
            meaning: "The decoded body of the response is larger than the client's limit for decompression.",
            remedies: [
                "Raise the limit if you trust the server: `TrustedHTTPConfiguration.decompression`.",
                "Read the body without decompression.",
            ]),
        ErrorGuide(
            "clientShutDown",
            meaning: "The client is shut down.",
            remedies: ["Send requests before you shut down the client, or create a new client."]),
        ErrorGuide(
            "clientShared",
            meaning: "You can't replace the rules of the shared client.",
            remedies: ["Create a `TrustedHTTPClient` with your rules."]),
        ErrorGuide(
            "trustSettingUnused",
            meaning:
                "The settings of a rule have a key that its `trust` doesn't use, so the rule checks less than the settings say.",
            remedies: ["Set `trust` to `pins` or `roots`, or remove the key. The message names both."]),
        ErrorGuide(
            "proxyUnsupported",
            meaning:
                "The client doesn't support the kind of proxy that the environment or the configuration names, or can't read its address.",
            remedies: [
                "Configure an HTTP proxy or a SOCKS 5 proxy: `http://HOST:PORT`, `https://HOST:PORT` or `socks5://HOST:PORT`.",
                "Percent-encode special characters in the user name and the password. With SOCKS, both need 1 to 255 bytes.",
            ]),
    ]

    /// The guides to errors of TLS configurations and gates.
    private static let contexts: [ErrorGuide] = [
        ErrorGuide(
            "tlsVerificationTurnedOff",
            meaning: "The TLS configuration turns off verification.",
            remedies: [
                "Leave `certificateVerification` at `.fullVerification`.",
                "To trust a server in development, add a rule for its host to the manager.",
            ]),
        ErrorGuide(
            "tlsTrustRootsNamed",
            meaning: "The TLS configuration names trust roots, but the client doesn't use them.",
            remedies: ["Set `ServerTrustConfiguration.anchors` instead."]),
        ErrorGuide(
            "tlsRefusalIgnored",
            meaning: "With this TLS context, a connection continues even if the server is refused.",
            remedies: ["Create the configuration with `TLSConfiguration.clientForServerTrust()`."]),
        ErrorGuide(
            "tlsHostCheckedTwice",
            meaning: "With this TLS context, NIOSSL also checks the host, by different rules.",
            remedies: ["Create the configuration with `TLSConfiguration.clientForServerTrust()`."]),
        ErrorGuide(
            "tlsPreSharedKey",
            meaning: "The TLS configuration has a pre-shared key. A server that has the key presents no certificate.",
            remedies: ["Remove the pre-shared key from the configuration."]),
        ErrorGuide(
            "tlsRenegotiation",
            meaning:
                "The TLS configuration allows renegotiation. A server could then change its certificate after the verdict.",
            remedies: ["Set `renegotiationSupport` to `.none`."]),
        ErrorGuide(
            "tlsOutdatedVersion",
            meaning: "The configuration allows TLS below 1.2, or the server uses it.",
            remedies: [
                "Set `minimumTLSVersion` to `.tlsv12` or `.tlsv13`.",
                "Update a server that only supports older versions.",
            ]),
        ErrorGuide(
            "tlsLayoutUnknown",
            meaning:
                "The linked version of swift-nio-ssl has a different internal layout than the tested version, so the client can't read the handshake.",
            remedies: ["Use a tested version of swift-nio-ssl.", "Use `TrustedHTTPClient` instead of a gate."]),
        ErrorGuide(
            "gateNotTLS",
            meaning: "The connection doesn't use NIOSSL for TLS, so the gate refuses it.",
            remedies: ["Use `https`, and an event loop of NIOPosix."]),
        ErrorGuide(
            "gateNoServerName",
            meaning: "The client sent no server name, so the gate doesn't know the host.",
            remedies: ["Use a URL with a DNS name, or `TrustedHTTPClient`."]),
        ErrorGuide(
            "gateClientCertificate",
            meaning:
                "The TLS configuration has a client certificate. A server would receive it before the gate evaluates the server.",
            remedies: [
                "Use `TrustedHTTPClient`. It presents the certificate only to trusted servers.",
                "Remove the certificate, the private key and `sslContextCallback` from the TLS configuration.",
            ]),
        ErrorGuide(
            "gateProtocolChanged",
            meaning:
                "The server selected HTTP/1.1 although its other open connections use HTTP/2, or the other way round. The gate refuses this connection.",
            remedies: [
                "Send the request again when the other connections are closed.",
                "Set `httpVersion = .http1Only` in the client's configuration.",
                "Have the server's operator configure all servers behind the name alike, or use `TrustedHTTPClient`.",
            ]),
    ]

    /// The guides to errors of downloads.
    private static let downloads: [ErrorGuide] = [
        ErrorGuide(
            "downloadUnusableRequest",
            meaning: "The request isn't a `GET` without a body, or has a `Range` or `If-Range` field.",
            remedies: ["Pass a plain `GET` request. The download sets the ranges itself."]),
        ErrorGuide(
            "downloadMalformedChecksum",
            meaning: "The expected digest isn't 64 hexadecimal digits.",
            remedies: ["Pass the file's SHA-256 digest in hexadecimal."]),
        ErrorGuide(
            "downloadInUse",
            meaning: "Another download to the same path is in progress.",
            remedies: ["Wait for the other download, or choose another path."]),
        ErrorGuide(
            "downloadStatus",
            meaning: "The server's status is neither 200 nor, for the rest of a file, 206.",
            remedies: ["Read `status`, and check the URL and your credentials."]),
        ErrorGuide(
            "downloadTooLarge",
            meaning: "The file is larger than allowed.",
            remedies: ["If you expect a file of this size, raise the limit in the options."]),
        ErrorGuide(
            "downloadIncomplete",
            meaning: "The response ended before the file was complete.",
            remedies: ["Download again. If the server allows it, the download continues where it stopped."]),
        ErrorGuide(
            "downloadTooManyBytes",
            meaning: "The response contains more bytes than it announced.",
            remedies: ["Download again. If this happens again, ask the server's operator."]),
        ErrorGuide(
            "downloadChecksumMismatch",
            meaning: "The file's SHA-256 digest differs from the expected one. The client discarded the bytes.",
            remedies: [
                "Check the expected digest.",
                "If the digest is right, the server has a different file, or an attacker replaced it. Don't use it.",
            ]),
        ErrorGuide(
            "downloadFileSystem",
            meaning: "The client can't write or rename the file, or another user can change the partial file.",
            remedies: [
                "Check the folder's permissions and the free space.",
                "Remove a partial file that belongs to another user.",
            ]),
    ]

    /// The guides to errors of WebSocket and gRPC.
    private static let sockets: [ErrorGuide] = [
        ErrorGuide(
            "webSocketUnusableURL",
            meaning: "The client can't read the URL, or its scheme isn't `wss`.",
            remedies: ["Write the URL as `wss://HOST/PATH`."]),
        ErrorGuide(
            "webSocketUnusableField",
            meaning:
                "A header field or a subprotocol contains a forbidden character, or the client sets this field itself.",
            remedies: ["Remove the field, or check values from outside."]),
        ErrorGuide(
            "webSocketNotUpgraded",
            meaning:
                "The server didn't open a WebSocket: its status isn't 101, or its response doesn't match the request.",
            remedies: [
                "Read `number`. It is the status of the response.",
                "Check the path, your credentials and the subprotocols.",
            ]),
        ErrorGuide(
            "webSocketTimedOut",
            meaning: "The server didn't answer the WebSocket request, or a ping, in time.",
            remedies: ["Check whether the server is overloaded.", "Set a longer time limit."]),
        ErrorGuide(
            "webSocketProtocolViolation",
            meaning: "The server violated the WebSocket protocol (RFC 6455).",
            remedies: ["Report the violation to the server's operator. The message names it."]),
        ErrorGuide(
            "webSocketTooLarge",
            meaning: "A frame or a message is larger than the client accepts.",
            remedies: ["If you expect messages of this size, raise the limit."]),
        ErrorGuide(
            "webSocketCutOff",
            meaning: "The connection ended without a close frame. The last messages may be missing.",
            remedies: ["Connect again, and wait longer after each failure."]),
        ErrorGuide(
            "webSocketClosedWithCode",
            meaning: "The server closed the WebSocket with a code other than 1000 and 1001.",
            remedies: ["Read `closing`. It has the code and the reason."]),
        ErrorGuide(
            "grpcHostMissing",
            meaning: "The gRPC target is an address or a socket, and you passed no host for the evaluation.",
            remedies: ["Pass `host:` with the name in the server's certificate."]),
        ErrorGuide(
            "grpcHostDiffers",
            meaning: "The gRPC target or the authority names a different host than the one you passed.",
            remedies: ["Pass the same host in both, or leave one out."]),
        ErrorGuide(
            "grpcHostUnreadable",
            meaning: "The name of the gRPC target isn't a host name.",
            remedies: ["Check the spelling of the target."]),
    ]
}
