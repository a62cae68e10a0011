// SPDX-License-Identifier: Apache-2.0

/// The extensions of Netscape, Microsoft and Entrust.
enum VendorExtensions {
    static let table: [String: Form] = [
        "2.16.840.1.113730.1.1": .bits([
            "SSL client", "SSL server", "S/MIME", "object signing", "reserved", "SSL CA", "S/MIME CA",
            "object signing CA",
        ]),
        "2.16.840.1.113730.1.2": .text,
        "2.16.840.1.113730.1.3": .text,
        "2.16.840.1.113730.1.4": .text,
        "2.16.840.1.113730.1.7": .text,
        "2.16.840.1.113730.1.8": .text,
        "2.16.840.1.113730.1.12": .text,
        "2.16.840.1.113730.1.13": .text,
        "1.3.6.1.4.1.311.20.2": .text,
        // The version of a CA. The low 16 bits are the number of its certificate, the bits above are the number of its
        // key.
        "1.3.6.1.4.1.311.21.1": Form { value in
            value.number.flatMap { $0 >= 0 ? "V\($0 & 0xffff).\($0 >> 16)" : nil }
        },
        "1.3.6.1.4.1.311.21.2": .octets,
        "1.3.6.1.4.1.311.21.3": .number,
        "1.3.6.1.4.1.311.21.4": .time,
        // `SEQUENCE { templateID OBJECT IDENTIFIER, major INTEGER, minor INTEGER OPTIONAL }`.
        "1.3.6.1.4.1.311.21.7": .record([
            Field(.any, "template", .identifier), Field(.type(.integer), "major version", .words),
            Field(.type(.integer), "minor version", .words),
        ]),
        "1.3.6.1.5.5.7.1.31": .octets,
        "1.2.840.113533.7.65.0": .record([
            Field(.any, "version", .plain), Field(.type(.bitString), "flags", .words),
        ]),
    ]
}
