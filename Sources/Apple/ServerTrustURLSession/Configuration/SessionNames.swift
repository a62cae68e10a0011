// SPDX-License-Identifier: Apache-2.0

// `import ServerTrustURLSession` is enough for a session with rules and verdicts.
@_exported import ServerTrust

#if canImport(FoundationNetworking)
    @_exported import class FoundationNetworking.URLSession
    @_exported import class FoundationNetworking.URLSessionConfiguration
    import FoundationNetworking

    /// The key for the data that resumes a download, in the `userInfo` of a failed download's error. Foundation on Linux has it under
    /// another name. Sessions with a server trust policy have no such data: a failed download starts anew.
    public let NSURLSessionDownloadTaskResumeData: String = URLSessionDownloadTaskResumeData
#endif
