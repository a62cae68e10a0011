// SPDX-License-Identifier: Apache-2.0

extension ErrorGuide {
    /// The guides to errors of the folder Testing.
    static let testing: [ErrorGuide] = [
        ErrorGuide(
            "labPortInUse", meaning: "Another socket listens on the port of a lab server or repository.",
            remedies: [
                "Leave the port out, and the system chooses a free one.",
                "Find the program on the port, and end it: `ss -ltnp`.",
            ]),
        ErrorGuide(
            "labPortNotPermitted",
            meaning: "The process lacks the permission to listen on the port. Ports below 1024 need it as a rule.",
            remedies: ["Choose a port of 1024 or higher, or leave the port out."]),
        ErrorGuide(
            "labPortFailed",
            meaning: "A lab server or repository can't listen on its port. The message has the system's reason.",
            remedies: [
                "Choose a port between 0 and 65535.",
                "If the address is `::1`, check that the machine has IPv6: containers often don't.",
            ]),
        ErrorGuide(
            "testInputUnusable",
            meaning: "A certificate, CRL, OCSP response or key for a test can't be made of the value.",
            remedies: ["Write the value in the form that the message names."]),
    ]
}
