// SPDX-License-Identifier: Apache-2.0

/// The meaning and the remedies of a problem in a pin file. Lint rules and `servertrust explain` show them.
package struct PinFileGuide: Sendable {
    /// The name of the problem's `ErrorCode`.
    package let code: String
    package let meaning: String
    /// The measures that fix the problem, the most frequent first.
    package let remedies: [String]

    private init(_ code: String, meaning: String, remedies: [String]) {
        self.code = code
        self.meaning = meaning
        self.remedies = remedies
    }

    private static let lint = "List all problems with their lines: `servertrust pins lint FILE`."

    /// All guides.
    package static let all: [PinFileGuide] = [
        PinFileGuide(
            "pinFileUnreadable",
            meaning: "The file is missing, or can't be read as XML, JSON, a property list or source code.",
            remedies: [
                "Fix the file at the line that the message names.",
                "If the format was detected incorrectly, name it: `--from`.",
            ]),
        PinFileGuide(
            "pinFileTooLarge",
            meaning: "The file is larger than 32 MiB, is nested too deeply, or has too many problems to report.",
            remedies: ["Split the file, or remove the parts that aren't about pins.", lint]),
        PinFileGuide(
            "pinFileFormatUnclear",
            meaning: "The file has none of the known formats, or fits several of them.",
            remedies: [
                "Name the format with the command's `--from` option or `PinConfiguration`'s `format` parameter. `servertrust help pins convert --all` lists the formats."
            ]),
        PinFileGuide(
            "pinFileEntity",
            meaning: "The XML declares or uses an entity. An entity could load other files or use up memory.",
            remedies: ["Remove the document type, and replace the entities with their values."]),
        PinFileGuide(
            "pinFileUnknownKey",
            meaning:
                "The file has a key, element or attribute that the format doesn't define. This is often a typo.",
            remedies: ["Correct or remove the key.", lint]),
        PinFileGuide(
            "pinFileMissingKey",
            meaning: "The file lacks a key that the format requires.",
            remedies: ["Add the key that the message names.", lint]),
        PinFileGuide(
            "pinFileDuplicateKey",
            meaning: "A key occurs twice. Different readers use different values.",
            remedies: ["Remove one of the two keys.", lint]),
        PinFileGuide(
            "pinFileWrongType",
            meaning: "A value has a different type than the format defines, such as a string instead of a list.",
            remedies: ["Use the type that the message names.", lint]),
        PinFileGuide(
            "pinFileBadValue",
            meaning: "A value has the right type, but the format doesn't define it.",
            remedies: ["Use one of the values that the message names.", lint]),
        PinFileGuide(
            "pinFileBadBase64",
            meaning: "A pin isn't base64 of 32 bytes in the form that the format requires.",
            remedies: ["Copy the whole pin again.", "Create it again: `servertrust pins make HOST`."]),
        PinFileGuide(
            "pinFileWrongLength",
            meaning: "A pin isn't 32 bytes long, so it isn't a SHA-256 digest.",
            remedies: ["Copy the whole pin again.", "Create it again: `servertrust pins make HOST`."]),
        PinFileGuide(
            "pinFileBadDigest",
            meaning: "A pin uses a digest other than SHA-256.",
            remedies: ["Create the pin again with SHA-256: `servertrust pins make HOST`."]),
        PinFileGuide(
            "pinFileBadDate",
            meaning: "A value isn't a date in the format's form.",
            remedies: ["Write the date as the message says, such as `2027-12-31`."]),
        PinFileGuide(
            "pinFileBadHost",
            meaning: "A value isn't a host name, or is a name that the format's implementation can't match.",
            remedies: [
                "Write the host without scheme, port and path.",
                "Use the format's wildcards. `servertrust help pins convert --all` lists them.",
            ]),
        PinFileGuide(
            "pinFileUnmatchableHost",
            meaning:
                "The format's implementation accepts the domain, but no host can have this form. Its rule never applies.",
            remedies: ["Write the name as in URLs: in lower case, without a trailing dot."]),
        PinFileGuide(
            "pinFileMisplacedKey",
            meaning:
                "The file has pins in a place where the format's implementation doesn't look. The file can't be enforced.",
            remedies: ["Move the pins to the place that the message names.", lint]),
        PinFileGuide(
            "pinFileNothingPinned",
            meaning:
                "The format's implementation accepts an entry, but the entry pins no host. The file can't be enforced.",
            remedies: ["Write the host without scheme, port, path or star, and add pins for it.", "Remove the entry."]),
        PinFileGuide(
            "pinFileDuplicateHost",
            meaning: "A domain occurs twice, perhaps in a different case or with a trailing dot.",
            remedies: ["Write one entry for the domain, with all its pins."]),
        PinFileGuide(
            "pinFileEmptyList",
            meaning: "A list has no elements, so it pins nothing.",
            remedies: ["Add at least one element.", "Remove the list."]),
        PinFileGuide(
            "pinFileDuplicatePin",
            meaning: "A pin occurs twice. A repeated pin isn't a backup.",
            remedies: ["Replace one of the two with the pin of a second key."]),
        PinFileGuide(
            "pinFileUnmatchablePin",
            meaning: "A pin isn't base64 of 32 bytes. The format's implementation skips it, and no key matches it.",
            remedies: ["Create the pin again: `servertrust pins make HOST`."]),
        PinFileGuide(
            "pinFileTooFewPins",
            meaning: "The host has fewer pins than the format's implementation requires.",
            remedies: ["Add the pin of a backup key."]),
        PinFileGuide(
            "pinFileBadCertificate",
            meaning: "Data in the file isn't a certificate in DER.",
            remedies: [
                "Convert the certificate: `openssl x509 -in FILE -outform der`.",
                "Find out what the data is: `servertrust inspect FILE`.",
            ]),
        PinFileGuide(
            "pinFileBadURI",
            meaning: "A value isn't a URL to which reports can be sent.",
            remedies: ["Write an absolute URL with `https` and a host."]),
        PinFileGuide(
            "pinFileNotLiteral",
            meaning:
                "A host or pin in the source code isn't a literal, so its value isn't known. The file can't be enforced.",
            remedies: [
                "Write hosts and pins as literals, or as constants in the same file.",
                "Keep the pins in a pin file, and read the pin file instead.",
            ]),
        PinFileGuide(
            "pinFileContradiction",
            meaning: "Keys exclude each other, or a domain lacks the parent domain that it requires.",
            remedies: ["Remove one of the keys that the message names.", lint]),
    ]
}
