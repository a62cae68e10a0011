// SPDX-License-Identifier: Apache-2.0

extension ErrorGuide {
    private static let lint = "List all problems with their lines: `servertrust pins lint FILE`."

    /// The guides to problems of files of pins.
    static let pinFiles: [ErrorGuide] = [
        ErrorGuide(
            "pinFileUnreadable",
            meaning: "The file is missing or can't be read as XML, JSON, a property list or source code.",
            remedies: [
                "Repair the file at the line of the message.",
                "Name the format if it was recognized wrongly: `--from`.",
            ]),
        ErrorGuide(
            "pinFileTooLarge",
            meaning: "The file is over 32 MiB, is nested too deeply, or has more problems than are reported.",
            remedies: ["Split the file, or remove what isn't about pins.", lint]),
        ErrorGuide(
            "pinFileFormatUnclear",
            meaning: "The file is in none of the formats, or in several of them.",
            remedies: [
                "Name the format: `--from` of the command, or the parameter `format` of `PinConfiguration`. `servertrust help pins convert --all` lists the formats."
            ]),
        ErrorGuide(
            "pinFileEntity",
            meaning: "The XML declares or uses an entity. Entities could load other files or fill the memory.",
            remedies: ["Remove the document type, and replace the entities by their values."]),
        ErrorGuide(
            "pinFileUnknownKey",
            meaning:
                "The file has a key, element or attribute that the format doesn't have. It is often a typing error.",
            remedies: ["Correct or remove the key.", lint]),
        ErrorGuide(
            "pinFileMissingKey",
            meaning: "A key that the format requires is missing.",
            remedies: ["Add the key that the message names.", lint]),
        ErrorGuide(
            "pinFileDuplicateKey",
            meaning: "A key occurs twice. Readers take one of the two values, and not all the same one.",
            remedies: ["Remove one of the two.", lint]),
        ErrorGuide(
            "pinFileWrongType",
            meaning: "A value has another type than the format defines, such as a text in place of a list.",
            remedies: ["Write the value in the type that the message names.", lint]),
        ErrorGuide(
            "pinFileBadValue",
            meaning: "A value has the right type, and the format doesn't define it.",
            remedies: ["Write one of the values that the message names.", lint]),
        ErrorGuide(
            "pinFileBadBase64",
            meaning: "A pin isn't the base64 of 32 bytes in the form that the format requires.",
            remedies: ["Copy the whole pin again.", "Create it again: `servertrust pins make HOST`."]),
        ErrorGuide(
            "pinFileWrongLength",
            meaning: "A pin isn't 32 bytes, so it is no SHA-256.",
            remedies: ["Copy the whole pin again.", "Create it again: `servertrust pins make HOST`."]),
        ErrorGuide(
            "pinFileBadDigest",
            meaning: "A pin has another digest than SHA-256.",
            remedies: ["Create the pin again with SHA-256: `servertrust pins make HOST`."]),
        ErrorGuide(
            "pinFileBadDate",
            meaning: "A text is no date in the format's form.",
            remedies: ["Write the date as the message says, such as `2027-12-31`."]),
        ErrorGuide(
            "pinFileBadHost",
            meaning: "A text is no host name, or a name that the format's implementation can't match.",
            remedies: [
                "Write the host without scheme, port and path.",
                "Use the format's wildcards, which `servertrust help pins convert --all` lists.",
            ]),
        ErrorGuide(
            "pinFileUnmatchableHost",
            meaning:
                "The format's implementation accepts the domain, and no host has this form. Its rule is never used.",
            remedies: ["Write the name as in URLs: in lower case, without a dot at its end."]),
        ErrorGuide(
            "pinFileMisplacedKey",
            meaning:
                "The file has pins in a place where the format's implementation doesn't look for them, so it can't be enforced.",
            remedies: ["Move the pins to the place that the message names.", lint]),
        ErrorGuide(
            "pinFileNothingPinned",
            meaning:
                "The format's implementation accepts an entry, and pins no host by it. The file can't be enforced.",
            remedies: ["Name the host without scheme, port, path or star, and give it pins.", "Remove the entry."]),
        ErrorGuide(
            "pinFileDuplicateHost",
            meaning: "A domain occurs twice, perhaps in another case or with a dot at its end.",
            remedies: ["Write one entry for the domain, with all its pins."]),
        ErrorGuide(
            "pinFileEmptyList",
            meaning: "A list has no element, so it pins nothing.",
            remedies: ["Add at least one element.", "Remove the list."]),
        ErrorGuide(
            "pinFileDuplicatePin",
            meaning: "A pin occurs twice. The second one is no backup.",
            remedies: ["Replace one of the two by the pin of a second key."]),
        ErrorGuide(
            "pinFileUnmatchablePin",
            meaning: "A pin isn't 32 bytes in base64. The format's implementation skips it, and no key matches it.",
            remedies: ["Create the pin again: `servertrust pins make HOST`."]),
        ErrorGuide(
            "pinFileTooFewPins",
            meaning: "The host has fewer pins than the format's implementation requires.",
            remedies: ["Add the pin of a backup key."]),
        ErrorGuide(
            "pinFileBadCertificate",
            meaning: "Data in the file is no certificate in DER.",
            remedies: [
                "Convert the certificate: `openssl x509 -in FILE -outform der`.",
                "Find out what the data is: `servertrust inspect FILE`.",
            ]),
        ErrorGuide(
            "pinFileBadURI",
            meaning: "A text is no URL to which reports can be sent.",
            remedies: ["Write an absolute URL with `https` and a host."]),
        ErrorGuide(
            "pinFileNotLiteral",
            meaning: "A host or pin in source code isn't a literal, so it isn't known. The file can't be enforced.",
            remedies: [
                "Write hosts and pins as literals, or as constants of the same file.",
                "Keep the pins in a pin file, and read that one.",
            ]),
        ErrorGuide(
            "pinFileContradiction",
            meaning: "Keys exclude each other, or a domain lacks the parent domain that it requires.",
            remedies: ["Remove one of the keys that the message names.", lint]),
    ]
}
