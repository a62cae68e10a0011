// SPDX-License-Identifier: Apache-2.0

import Foundation
import PKIX

/// A reader for the files and folders of the system's store.
struct SystemStoreReader {
    var certificates: [Certificate] = []
    var files: [String] = []
    /// The entries that were skipped.
    var warnings: [CertificateFileError] = []
    /// The paths without a certificate, each with the reason.
    var places: [CertificateFileError] = []

    /// The paths and entries that can't be used, each once.
    var unusable: [CertificateFileError] {
        let isNamed = { (place: CertificateFileError) in
            warnings.contains { $0.file == place.file || $0.file?.hasPrefix((place.file ?? "") + "/") == true }
        }
        return places.filter { !isNamed($0) } + warnings
    }

    /// Reads a file. Returns whether the file exists and is readable, even if it contains no certificates.
    @discardableResult
    mutating func readFile(_ path: String) -> Bool {
        do throws(SystemError) {
            let contents = try FileContents(ofFile: path, maximumSize: .max)
            if !take(contents.bytes, from: path) { note(.certificateFileWithoutCertificate, path) }
            return true
        } catch {
            note(Self.code(error), path)
            return false
        }
    }

    /// Reads every file of a folder. Returns whether any of them contains a certificate.
    @discardableResult
    mutating func readDirectory(_ path: String) -> Bool {
        var isFolder = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
            note(.certificateFileMissing, path)
            return false
        }
        guard isFolder, let names = try? FileManager.default.contentsOfDirectory(atPath: path) else {
            note(isFolder ? .certificateFolderUnreadable : .certificateFolderIsFile, path)
            return false
        }
        var unreadable: [CertificateFileError] = []
        var hasCertificate = false
        for file in names.sorted().map({ path + "/" + $0 }) {
            do throws(SystemError) {
                let contents = try FileContents(ofFile: file, maximumSize: .max, onlyRegular: true)
                if take(contents.bytes, from: file) { hasCertificate = true }
            } catch {
                // A subfolder, a pipe or a socket is no entry of the store.
                guard error.code != EINVAL, error.code != ENXIO else { continue }
                unreadable.append(CertificateFileError(Self.code(error), file: file))
            }
        }
        if hasCertificate {
            warnings += unreadable
        } else {
            warnings += unreadable.filter { $0.code != .certificateFileMissing }
            let links = unreadable.count { $0.code == .certificateFileMissing }
            note(.certificateFolderWithoutFiles, path) { $0.brokenLinks = links }
        }
        return hasCertificate
    }

    private static func code(_ error: SystemError) -> ErrorCode {
        error.isAbsence ? .certificateFileMissing : .certificateFileUnreadable
    }

    /// Takes a file's certificates. Returns whether there are any.
    private mutating func take(_ bytes: [UInt8], from file: String) -> Bool {
        let count = certificates.count
        for entry in CertificateFile.entries(in: bytes, name: file) {
            switch entry {
            case .success(let certificate): certificates.append(certificate)
            case .failure(let error): warnings.append(error)
            }
        }
        guard certificates.count > count else { return false }
        files.append(file)
        return true
    }

    private mutating func note(
        _ code: ErrorCode, _ path: String, _ change: (inout CertificateFileError) -> Void = { _ in }
    ) {
        places.append(CertificateFileError(code, file: path).with(change))
    }
}
