// SPDX-License-Identifier: Apache-2.0

import ServerTrust

/// Recognizes files without certificates, keys or revocation data by their first bytes.
enum ForeignFile {
    private typealias Signature = (prefix: [UInt8], code: InspectionProblem.Code, words: String, remedy: String?)

    private static let signatures: [Signature] = [
        (Array("PK\u{3}\u{4}".utf8), .zip, "a ZIP archive", "unpack it: unzip FILE"),
        (Array("PK\u{5}\u{6}".utf8), .zip, "an empty ZIP archive", nil),
        ([0x1f, 0x8b], .compressed, "a file compressed with gzip", "unpack it: gunzip FILE, or tar -xzf FILE"),
        ([0x42, 0x5a, 0x68], .compressed, "a file compressed with bzip2", "unpack it: bunzip2 FILE"),
        ([0xfd, 0x37, 0x7a, 0x58, 0x5a], .compressed, "a file compressed with xz", "unpack it: unxz FILE"),
        ([0x28, 0xb5, 0x2f, 0xfd], .compressed, "a file compressed with zstd", "unpack it: unzstd FILE"),
        ([0x37, 0x7a, 0xbc, 0xaf], .compressed, "a 7-Zip archive", "unpack it: 7z x FILE"),
        ([0xfe, 0xed, 0xfe, 0xed], .javaKeyStore, "a Java key store (JKS)", javaRemedy),
        ([0xce, 0xce, 0xce, 0xce], .javaKeyStore, "a Java key store (JCEKS)", javaRemedy),
        (
            Array("SQLite format 3\0".utf8), .database,
            "an SQLite database, perhaps an NSS certificate database (cert9.db)", nssRemedy
        ),
        (
            [0x00, 0x06, 0x15, 0x61], .database,
            "a Berkeley database, perhaps an NSS certificate database (cert8.db)", nssRemedy
        ),
        ([0x7f, 0x45, 0x4c, 0x46], .executable, "a program (ELF)", nil),
        (Array("MZ".utf8), .executable, "a Windows program", nil),
        ([0x89, 0x50, 0x4e, 0x47], .image, "an image (PNG)", nil),
        ([0xff, 0xd8, 0xff], .image, "an image (JPEG)", nil),
        (Array("%PDF".utf8), .pdf, "a PDF document", nil),
        (Array("openssh-key-v1\0".utf8), .sshPrivateKey, "an SSH private key", nil),
    ]

    private static let javaRemedy =
        "convert it: keytool -importkeystore -srckeystore FILE -destkeystore new.p12 -deststoretype PKCS12"
    private static let nssRemedy = "export the certificates: certutil -L -d FOLDER -n NAME -a"

    /// Returns the problem of a binary file of a known kind, or nil for other files.
    static func binary(_ bytes: [UInt8]) -> InspectionProblem? {
        for signature in signatures where bytes.starts(with: signature.prefix) {
            return InspectionProblem(signature.code, signature.words, remedy: signature.remedy)
        }
        // These are OpenPGP packets in the old and the new format (RFC 9580 § 4.2): a key, a signature or an encrypted
        // message.
        if bytes.count > 16, [0x85, 0x95, 0x99, 0xc6, 0xc5].contains(bytes[0]),
            bytes[0] >= 0xc0 || bytes[3] == 3 || bytes[3] == 4
        {
            return InspectionProblem(.pgp, "an OpenPGP key or message", remedy: pgpRemedy)
        }
        return nil
    }

    private static let pgpRemedy = "OpenPGP doesn't use X.509 certificates; request a certificate in PEM"
    private static let sshRemedy =
        "SSH keys aren't TLS certificates; to write the public key in PEM, use ssh-keygen -e -m PKCS8 -f FILE"

    /// Returns the problem of a text without objects.
    static func text(_ bytes: [UInt8]) -> InspectionProblem {
        let start = String(decoding: bytes.prefix(4_096), as: UTF8.self).drop { $0.isWhitespace }
        let lower = start.lowercased()
        for (prefix, code, words, remedy) in prefixes where lower.hasPrefix(prefix) {
            return InspectionProblem(code, words, remedy: remedy)
        }
        if lower.contains("<html") || lower.contains("<!doctype html") {
            return InspectionProblem(.htmlPage, "an HTML page", remedy: htmlRemedy)
        }
        if lower.hasPrefix("<") {
            return InspectionProblem(.xml, "an XML or HTML document without a certificate")
        }
        if lower.contains("ssh-rsa ") || lower.contains("ssh-ed25519 ") {
            return InspectionProblem(.sshPublicKey, "a list of SSH public keys", remedy: sshRemedy)
        }
        if lower.contains("begin certificate") || lower.contains("begin public key") || lower.contains("begin rsa") {
            return InspectionProblem(
                .pemDashes,
                "PEM text whose BEGIN line is damaged, expected five hyphens on each side: -----BEGIN CERTIFICATE-----",
                remedy: "copy the file again without a word processor or mail program; they turn hyphens into dashes")
        }
        let line = String(start.prefix { !$0.isNewline })
        let isPath = line.hasPrefix("/") && !line.contains(" ") || line.dropFirst().hasPrefix(":\\")
        return InspectionProblem(
            .text, "text without PEM that starts with \"\(clipped(line, to: 60))\"",
            remedy: isPath
                ? "the text is a path: name the file at that path, or put the file's contents here" : nil)
    }

    private static let htmlRemedy =
        "a server returned a page (a login, an error) instead of the file: check the address and fetch the file again"

    private static let jsonRemedy =
        "read the document: it may be an error from the service that should return the file"

    private static let prefixes: [(String, InspectionProblem.Code, String, String?)] = [
        ("<!doctype html", .htmlPage, "an HTML page", htmlRemedy),
        ("<html", .htmlPage, "an HTML page", htmlRemedy),
        ("<?xml", .xml, "an XML document without a certificate", nil),
        ("{", .json, "a JSON document without a certificate", jsonRemedy),
        ("[{", .json, "a JSON document without a certificate", jsonRemedy),
        ("[\"", .json, "a JSON document without a certificate", jsonRemedy),
        ("ssh-rsa ", .sshPublicKey, "an SSH public key", sshRemedy),
        ("ssh-ed25519 ", .sshPublicKey, "an SSH public key", sshRemedy),
        ("ssh-dss ", .sshPublicKey, "an SSH public key", sshRemedy),
        ("ecdsa-sha2-", .sshPublicKey, "an SSH public key", sshRemedy),
        ("sk-ssh-", .sshPublicKey, "an SSH public key", sshRemedy),
        ("---- begin ssh2 public key ----", .sshPublicKey, "an SSH public key", sshRemedy),
        ("putty-user-key-file", .puttyKey, "a PuTTY private key", "PuTTY's keys are for SSH, not for TLS"),
        ("age-secret-key-", .ageKey, "an age private key", nil),
        ("# created: ", .ageKey, "an age private key", nil),
        ("sha256/", .pinList, "a list of pins", "pass pins with --pin, or convert them with servertrust pins convert"),
        (
            "https://", .address, "an address, not the file at that address",
            "fetch the file, or name the address itself"
        ),
        ("http://", .address, "an address, not the file at that address", "fetch the file first"),
        ("-----end ", .pemBeginMissing, "PEM text without its beginning", pemBeginRemedy),
    ]

    static let pemBeginRemedy = "copy the whole object, from -----BEGIN to the last hyphen after END"

    /// Returns the problem of a PEM object from software that doesn't use X.509, or nil for other labels.
    static func pemLabel(_ label: String) -> InspectionProblem? {
        if label.hasPrefix("PGP ") {
            return InspectionProblem(.pgp, "an OpenPGP key or message (\(clipped(label, to: 64)))", remedy: pgpRemedy)
        }
        if label == "OPENSSH PRIVATE KEY" || label == "SSH2 ENCRYPTED PRIVATE KEY" {
            return InspectionProblem(
                .sshPrivateKey, "an SSH private key (\(label))", kind: .privateKey,
                remedy: "SSH keys aren't TLS certificates; to convert a copy to PEM, use ssh-keygen -p -m PEM -f COPY")
        }
        if label.hasPrefix("AGE ENCRYPTED") {
            return InspectionProblem(.ageKey, "a file encrypted with age", remedy: "age -d")
        }
        return nil
    }
}
