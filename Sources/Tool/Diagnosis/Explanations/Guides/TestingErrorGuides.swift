// SPDX-License-Identifier: Apache-2.0

extension ErrorGuide {
    /// The guides to errors of the targets in the folder Testing.
    static let testing: [ErrorGuide] = [
        ErrorGuide(
            "labPortInUse", meaning: "Another socket listens on the port of a lab server or repository.",
            remedies: [
                "Leave out the port. The system then chooses a free one.",
                "Find the program that uses the port, and end it: `ss -ltnp`.",
            ]),
        ErrorGuide(
            "labPortNotPermitted",
            meaning: "The process has no permission to listen on the port. Ports below 1024 usually need it.",
            remedies: ["Choose port 1024 or higher, or leave out the port."]),
        ErrorGuide(
            "labPortFailed",
            meaning: "A lab server or repository can't listen on its port. The message has the system's reason.",
            remedies: [
                "Choose a port between 0 and 65535.",
                "If the address is `::1`, check that the machine has IPv6. Containers often don't.",
            ]),
        ErrorGuide(
            "testInputUnusable",
            meaning: "The value can't be turned into a certificate, CRL, OCSP response or key for a test.",
            remedies: ["Write the value in the form that the message names."]),
    ]
}
