// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationNetworking)
import FoundationNetworking

/// Foundation's protocol of the same name, with the `async` forms of the challenge methods. See ``URLSessionDelegate``.
public protocol URLSessionDownloadDelegate: FoundationNetworking.URLSessionDownloadDelegate, URLSessionTaskDelegate {}
#endif
