// SPDX-License-Identifier: Apache-2.0

import PKIX

/// The error thrown if exceptions can't be read or written.
public struct ExceptionStoreError: TrustError, Hashable {
    /// The kind of error, one of the `exceptionFile…` codes.
    public let code: ErrorCode
    /// The path of the file.
    public let file: String
    /// The size in bytes for `ErrorCode.exceptionFileTooLarge`, otherwise nil.
    let size: Int?
    /// The permissions, such as 0o664, for `ErrorCode.exceptionFileWritableByOthers`, otherwise nil.
    let permissions: Int?
    public let message: String

    private init(_ code: ErrorCode, _ file: String, _ text: String, size: Int? = nil, permissions: Int? = nil) {
        self.code = code
        self.file = file
        self.size = size
        self.permissions = permissions
        self.message = "\(file): \(text)"
    }

    init(malformed file: String, _ difference: String) {
        self.init(.exceptionFileMalformed, file, "not a file of trust exceptions: \(difference)")
    }

    init(_ file: String, _ problem: AtomicFile.Problem) {
        switch problem {
        case .notReadable(let reason): self.init(.exceptionFileNotReadable, file, "can't be read: \(reason)")
        case .notWritable(let reason): self.init(.exceptionFileNotWritable, file, "can't be written: \(reason)")
        case .tooLarge(let count):
            self.init(
                .exceptionFileTooLarge, file, "\(count) bytes, expected at most \(ExceptionStore.maximumSize)",
                size: count)
        case .writableByOthers(let mode):
            self.init(
                .exceptionFileWritableByOthers, file,
                "others can write to it (mode \(String(mode, radix: 8))), expected 600; use \"chmod go-w\"",
                permissions: mode)
        }
    }
}

extension ErrorCode {
    /// The file of exceptions can't be read.
    public static let exceptionFileNotReadable = ErrorCode("exceptionFileNotReadable")
    /// The file of exceptions, or its lock, can't be written.
    static let exceptionFileNotWritable = ErrorCode("exceptionFileNotWritable")
    /// The file isn't a file of exceptions.
    public static let exceptionFileMalformed = ErrorCode("exceptionFileMalformed")
    /// The file of exceptions is larger than 16 MiB.
    static let exceptionFileTooLarge = ErrorCode("exceptionFileTooLarge")
    /// The group or others have write permission for the file, so they could add exceptions in its owner's name.
    public static let exceptionFileWritableByOthers = ErrorCode("exceptionFileWritableByOthers")
}
