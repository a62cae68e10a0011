// SPDX-License-Identifier: Apache-2.0

#if HTTP || Everything

// `import ServerTrustWebSocket` is all you need for a connection with rules and verdicts.
@_exported import ServerTrust

#endif
