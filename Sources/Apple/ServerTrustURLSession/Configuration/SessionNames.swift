// SPDX-License-Identifier: Apache-2.0

// `import ServerTrustURLSession` is enough for a session with rules and verdicts.
@_exported import ServerTrust

#if canImport(FoundationNetworking)
    @_exported import class FoundationNetworking.URLSession
    @_exported import class FoundationNetworking.URLSessionConfiguration
#endif
