// SPDX-License-Identifier: Apache-2.0

extension ErrorGuide {
    /// The guides to errors that readers of files and folders throw.
    static let files: [ErrorGuide] = certificateFiles + certificateFolders

    private static let certificateFiles: [ErrorGuide] = [
        ErrorGuide(
            "certificateFileEmpty", meaning: "The file is empty, or its text is only white space.",
            remedies: [
                "Copy or export the certificate again.",
                "In a container, check that the secret or the volume is mounted before the program starts.",
            ]),
        ErrorGuide(
            "certificateFileWithoutCertificate",
            meaning:
                "The file contains no certificate. A reader of pins also accepts public keys and certificate requests, but found none.",
            remedies: [
                "Run `servertrust inspect FILE`. It lists every object in the file.",
                "Pass the file with the certificate, in PEM (`-----BEGIN CERTIFICATE-----`) or DER.",
                "For PKCS #7 or PKCS #12, extract the certificates: `openssl pkcs7 -print_certs -in FILE` or `openssl pkcs12 -nokeys -in FILE`.",
            ]),
        ErrorGuide(
            "certificateFileUndecodable",
            meaning:
                "A PEM object has no END line, has header lines, or isn't base64. The error names the line and the byte.",
            remedies: [
                "Copy the whole object again, from `-----BEGIN` to the last hyphen after `END`.",
                "Remove quotation marks, escapes (`\\n`) and indentation that an editor or a template added.",
            ]),
        ErrorGuide(
            "certificateFileMalformed",
            meaning:
                "The bytes of an object aren't a certificate, key or request in strict DER. The error names the field.",
            remedies: [
                "Run `servertrust inspect FILE --format asn1` to see the bytes.",
                "Copy a DER file in binary mode. If the file was cut off, export it again.",
                "If the CA wrote invalid DER, have the certificate reissued.",
            ]),
        ErrorGuide(
            "certificateFileMislabelled",
            meaning: "The contents of a PEM object don't match the label on its BEGIN line.",
            remedies: ["Write the correct label on the BEGIN and END lines.", "Pass the correct file."]),
        ErrorGuide(
            "certificateFileTrustedCertificate",
            meaning:
                "The object is an OpenSSL `TRUSTED CERTIFICATE`. The library doesn't read its trust settings, and it doesn't use the certificate without them.",
            remedies: ["Convert it: `openssl x509 -in FILE -out new.pem`. This drops the trust settings."]),
        ErrorGuide(
            "certificateFilePrivateKey",
            meaning: "The file contains a private key. The library doesn't make pins from private keys.",
            remedies: [
                "Leave the private key where it is, and write its public key to another file: `openssl pkey -in FILE -pubout -out public.pem`.",
                "If the key was in an app or a repository, replace it.",
            ]),
        ErrorGuide(
            "certificateFileUnlabelledKey",
            meaning:
                "The DER file contains two numbers. They can be a PKCS #1 RSA public key or a signature, and only a PEM label shows which.",
            remedies: ["Convert it: `openssl rsa -RSAPublicKey_in -inform DER -in FILE -pubout -out public.pem`."]),
        ErrorGuide(
            "certificateFileRequestInvalid",
            meaning:
                "The signature of the certificate request doesn't verify with its key. The request was changed or damaged.",
            remedies: ["Copy the request again, or create a new one with the same key."]),
        ErrorGuide(
            "certificateFileRequestNotVerifiable",
            meaning: "The certificate request has a signature algorithm or a key that this package doesn't support.",
            remedies: ["Extract the public key: `openssl req -in FILE -noout -pubkey -out public.pem`."]),
        ErrorGuide(
            "certificateFileEncodedTwice",
            meaning: "The text is PEM, encoded in base64 again. Kubernetes encodes the values of secrets this way.",
            remedies: ["Decode it once: `base64 -d FILE`."]),
        ErrorGuide(
            "certificateFileOtherObjects",
            meaning:
                "The text has to be exactly one certificate, but it contains other objects. The error lists their labels.",
            remedies: [
                "Use only the certificate's own PEM object.",
                "Read a file of several certificates with `CertificateFile.certificates(in:name:)`.",
            ]),
        ErrorGuide(
            "certificateFileMissing", meaning: "There is no file at the path, or a symbolic link to it is broken.",
            remedies: ["Correct the path or the link.", "Check that the volume is mounted."]),
        ErrorGuide(
            "certificateFileUnreadable", meaning: "The system doesn't permit reading the file.",
            remedies: ["Give the program's user read access. `ls -l FILE` shows who has it."]),
        ErrorGuide(
            "certificateFileNotRegular",
            meaning:
                "The path names a pipe, a socket or a device. The library doesn't open it, because that could block.",
            remedies: ["Pass a file, or write the certificates to a file first."]),
        ErrorGuide(
            "certificateFileTooLarge", meaning: "The file is larger than 8 MiB. The error states its size.",
            remedies: [
                "Pass the file with the certificates. All roots of the public web together are about 210 KB.",
                "Split a larger file into several.",
            ]),
    ]

    private static let certificateFolders: [ErrorGuide] = [
        ErrorGuide(
            "certificateFolderIsFile", meaning: "The path should name a folder, but names a file.",
            remedies: [
                "Pass the folder that contains the file.",
                "Read a single file with `CertificateFile.certificates(in:name:)`.",
            ]),
        ErrorGuide(
            "certificateFolderUnreadable", meaning: "The system doesn't permit listing the folder.",
            remedies: ["Give the program's user read and search access to the folder: `chmod u+rx FOLDER`."]),
        ErrorGuide(
            "certificateFolderWithoutFiles",
            meaning:
                "The folder has no file with the extension `.cer`, `.crt`, `.der` or `.pem`. Files in nested folders only count if you read those folders too.",
            remedies: [
                "Rename the certificates, or pass another folder.",
                "Pass `recursively: true` to read nested folders.",
            ]),
    ]
}
