// SPDX-License-Identifier: Apache-2.0

extension ErrorGuide {
    /// The guides to errors of readers of files and folders.
    static let files: [ErrorGuide] = certificateFiles + certificateFolders

    private static let certificateFiles: [ErrorGuide] = [
        ErrorGuide(
            "certificateFileEmpty", meaning: "The file has no bytes, or the text has only white space.",
            remedies: [
                "Copy or export the certificate again.",
                "In a container, check that the secret or the volume is mounted before the program starts.",
            ]),
        ErrorGuide(
            "certificateFileWithoutCertificate",
            meaning:
                "The file has no certificate. A reader of pins also accepts public keys and certificate requests, and found none.",
            remedies: [
                "Run `servertrust inspect FILE`. It names every object of the file.",
                "Name the file with the certificate, in PEM (`-----BEGIN CERTIFICATE-----`) or DER.",
                "For PKCS #7 or PKCS #12, extract the certificates: `openssl pkcs7 -print_certs -in FILE` or `openssl pkcs12 -nokeys -in FILE`.",
            ]),
        ErrorGuide(
            "certificateFileUndecodable",
            meaning:
                "A PEM object has no END line, has header lines, or isn't base64. The error has the line and the byte.",
            remedies: [
                "Copy the whole object again, from `-----BEGIN` to the last hyphen after END.",
                "Remove quotation marks, escapes (`\\n`) and indentation characters that an editor or a template added.",
            ]),
        ErrorGuide(
            "certificateFileMalformed",
            meaning:
                "The bytes of an object aren't a certificate, key or request in strict DER. The error names the field.",
            remedies: [
                "Run `servertrust inspect FILE --format asn1` to see the bytes.",
                "Copy a file in DER in binary mode, and export it again if it was cut off.",
                "Have the certificate issued again if the CA wrote invalid DER.",
            ]),
        ErrorGuide(
            "certificateFileMislabelled", meaning: "A PEM object is of another kind than its BEGIN line says.",
            remedies: ["Write the right label on the BEGIN and END lines.", "Name the right file."]),
        ErrorGuide(
            "certificateFileTrustedCertificate",
            meaning:
                "The object is OpenSSL's `TRUSTED CERTIFICATE`. The library doesn't read its trust settings, so it doesn't use the certificate without them.",
            remedies: ["Convert it: `openssl x509 -in FILE -out new.pem`. The trust settings are lost."]),
        ErrorGuide(
            "certificateFilePrivateKey", meaning: "The file has a private key. No pin is made from it.",
            remedies: [
                "Keep the private key in its place, and write its public key to another file: `openssl pkey -in FILE -pubout -out public.pem`.",
                "If the key was in an app or a repository, replace it.",
            ]),
        ErrorGuide(
            "certificateFileUnlabelledKey",
            meaning:
                "The file in DER has two numbers. They can be an RSA public key of PKCS #1 or a signature, and only a PEM label says which.",
            remedies: ["Convert it: `openssl rsa -RSAPublicKey_in -inform DER -in FILE -pubout -out public.pem`."]),
        ErrorGuide(
            "certificateFileRequestInvalid",
            meaning:
                "The key of the certificate request doesn't verify its signature: the request was altered or damaged.",
            remedies: ["Copy the request again, or create a new one with the same key."]),
        ErrorGuide(
            "certificateFileRequestNotVerifiable",
            meaning: "The certificate request has a signature algorithm or a key that this package doesn't support.",
            remedies: ["Take the public key: `openssl req -in FILE -noout -pubkey -out public.pem`."]),
        ErrorGuide(
            "certificateFileEncodedTwice",
            meaning: "The text is base64 of a PEM text. Kubernetes encodes the values of secrets this way.",
            remedies: ["Decode it once: `base64 -d FILE`."]),
        ErrorGuide(
            "certificateFileOtherObjects",
            meaning:
                "The text has to be exactly one certificate, and it has other objects. The error has their labels.",
            remedies: [
                "Use only the certificate's own PEM object.",
                "Read a file of several certificates by `CertificateFile.certificates(in:name:)`.",
            ]),
        ErrorGuide(
            "certificateFileMissing", meaning: "Nothing exists at the path, or a symbolic link to it is broken.",
            remedies: ["Correct the path, or the link.", "Check that the volume is mounted."]),
        ErrorGuide(
            "certificateFileUnreadable", meaning: "The system doesn't permit reading the file.",
            remedies: ["Give the program's user read access: `ls -l FILE` shows who has it."]),
        ErrorGuide(
            "certificateFileNotRegular",
            meaning: "The path names a pipe, a socket or a device. Opening it could block, so it isn't opened.",
            remedies: ["Name a file, or write the certificates to one first."]),
        ErrorGuide(
            "certificateFileTooLarge", meaning: "The file is larger than 8 MiB. The error has its size.",
            remedies: [
                "Name the file with the certificates. All roots of the public web take 210 KB.",
                "Split a larger file into several.",
            ]),
    ]

    private static let certificateFolders: [ErrorGuide] = [
        ErrorGuide(
            "certificateFolderIsFile", meaning: "The path of a folder names a file.",
            remedies: [
                "Name the folder that the file is in.", "Read one file by `CertificateFile.certificates(in:name:)`.",
            ]),
        ErrorGuide(
            "certificateFolderUnreadable", meaning: "The system doesn't permit listing the folder.",
            remedies: ["Give the program's user read and search access to the folder: `chmod u+rx FOLDER`."]),
        ErrorGuide(
            "certificateFolderWithoutFiles",
            meaning:
                "The folder has no file that ends in `.cer`, `.crt`, `.der` or `.pem`. Folders inside it count only if they are read as well.",
            remedies: [
                "Rename the certificates, or name another folder.",
                "Pass `recursively: true` to read the folders inside it.",
            ]),
    ]
}
