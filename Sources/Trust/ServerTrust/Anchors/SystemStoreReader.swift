// SPDX-License-Identifier: Apache-2.0

import Foundation
import PKIX

/// A reader for the files and folders of the system's store.
struct SystemStoreReader {
    var certificates: [Certificate] = []
    var files: [String] = []
    var warnings: [CertificateFileError] = []
    var places: [SystemAnchorsError.Place] = []
    var unreadable: [SystemAnchorsError.Place] = []

    /// Reads a file. Returns whether the file exists and is readable, even if it contains no certificates.
    @discardableResult
    mutating func readFile(_ path: String) -> Bool {
        let bytes: [UInt8]
        do throws(SystemError) { bytes = try FileContents(ofFile: path, maximumSize: .max).bytes } catch {
            note(path, error.isAbsence ? "missing" : "not readable", isUnreadable: true)
            return false
        }
        let before = certificates.count
        take(CertificateFile.entries(in: bytes, name: path))
        if certificates.count > before {
            files.append(path)
        } else {
            note(path, "no certificate in it", isUnreadable: false)
        }
        return true
    }

    /// Reads every file of a folder. Returns whether any of them contains a certificate.
    @discardableResult
    mutating func readDirectory(_ path: String) -> Bool {
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: path) else {
            note(path, "missing or not readable", isUnreadable: true)
            return false
        }
        let before = certificates.count
        for name in names.sorted() {
            let file = path + "/" + name
            guard let contents = try? FileContents(ofFile: file, maximumSize: .max, onlyRegular: true) else { continue }
            let count = certificates.count
            take(CertificateFile.entries(in: contents.bytes, name: file))
            if certificates.count > count { files.append(file) }
        }
        if certificates.count == before { note(path, "no certificate in it", isUnreadable: false) }
        return certificates.count > before
    }

    private mutating func take(_ entries: [Result<Certificate, CertificateFileError>]) {
        for entry in entries {
            switch entry {
            case .success(let certificate): certificates.append(certificate)
            case .failure(let error): warnings.append(error)
            }
        }
    }

    private mutating func note(_ path: String, _ finding: String, isUnreadable: Bool) {
        let place = SystemAnchorsError.Place(path: path, finding: finding)
        places.append(place)
        if isUnreadable { unreadable.append(place) }
    }
}
