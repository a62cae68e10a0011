// SPDX-License-Identifier: Apache-2.0

#if HTTP || Everything

import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import NIOHTTP2
import NIOSSL

extension Error {
    /// Whether the error means that a connection or a stream ended or broke in the middle of an exchange.
    package var isCutOff: Bool {
        switch self {
        case let error as HTTPClientError: error == .remoteConnectionClosed || error == .uncleanShutdown
        case let error as HTTPParserError: error == .invalidEOFState
        case is IOError, is ChannelError, is NIOSSLError, is BoringSSLError, is any NIOHTTP2Error,
            is HTTP2ConnectionError:
            true
        default: false
        }
    }
}

#endif
