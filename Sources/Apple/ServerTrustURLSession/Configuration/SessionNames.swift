// SPDX-License-Identifier: Apache-2.0

#if HTTP || Everything

// With this, a file that uses sessions, rules and verdicts only needs `import ServerTrustURLSession`.
@_exported import ServerTrust

#if canImport(FoundationNetworking)
@_exported import class FoundationNetworking.URLSession
@_exported import class FoundationNetworking.URLSessionConfiguration
import FoundationNetworking

/// The key for the data that resumes a download, in the `userInfo` of a failed download's error. Foundation on
/// Linux uses another name. Sessions with a server trust policy provide no such data, so a failed download starts
/// again from the beginning.
public let NSURLSessionDownloadTaskResumeData: String = URLSessionDownloadTaskResumeData
#endif

#endif
