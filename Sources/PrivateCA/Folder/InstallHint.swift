// SPDX-License-Identifier: Apache-2.0

/// How a platform is made to trust a root: commands for people to read and run. Nothing here runs them.
package struct InstallHint: Sendable, Hashable {
    package enum Platform: String, Sendable, Hashable, CaseIterable {
        case debian
        case fedora
        case macos
        case iosSimulator = "ios-simulator"
        case java
        case firefox
    }

    package let platform: Platform
    /// The platform's name for people.
    package let title: String
    /// For a POSIX shell, the root's path quoted where it has to be.
    package let install: [String]
    /// What takes it back.
    package let remove: [String]
    /// What else there is to know; empty for nothing.
    package let note: String

    /// - Parameters:
    ///   - platform: where the root is to be trusted.
    ///   - rootPath: the file with the root's certificate in PEM.
    ///   - name: under which stores that have names keep it: letters, digits and hyphens.
    package init(_ platform: Platform, rootPath: String, name: String) {
        let root = Self.quoted(rootPath)
        self.platform = platform
        switch platform {
        case .debian:
            self.title = "Debian, Ubuntu"
            self.install = [
                "sudo cp \(root) /usr/local/share/ca-certificates/\(name).crt", "sudo update-ca-certificates",
            ]
            self.remove = [
                "sudo rm /usr/local/share/ca-certificates/\(name).crt", "sudo update-ca-certificates --fresh",
            ]
            self.note = "the name has to end in .crt"
        case .fedora:
            self.title = "Fedora, RHEL"
            self.install = [
                "sudo cp \(root) /etc/pki/ca-trust/source/anchors/\(name).pem", "sudo update-ca-trust",
            ]
            self.remove = ["sudo rm /etc/pki/ca-trust/source/anchors/\(name).pem", "sudo update-ca-trust"]
            self.note = ""
        case .macos:
            self.title = "macOS"
            self.install = [
                "sudo security add-trusted-cert -d -r trustRoot -k /Library/Keychains/System.keychain \(root)"
            ]
            self.remove = ["sudo security remove-trusted-cert -d \(root)"]
            self.note = "for all users; asks for a password"
        case .iosSimulator:
            self.title = "iOS simulators"
            self.install = ["xcrun simctl keychain booted add-root-cert \(root)"]
            self.remove = ["xcrun simctl keychain booted reset"]
            self.note = "for the booted simulator; reset takes away everything else that was added to its keychain too"
        case .java:
            self.title = "Java (9 and later)"
            self.install = [
                "keytool -importcert -noprompt -cacerts -storepass changeit -alias \(name) -file \(root)"
            ]
            self.remove = ["keytool -delete -cacerts -storepass changeit -alias \(name)"]
            self.note =
                "for the JDK whose keytool it is, with sudo where that is the system's; changeit is the usual password"
        case .firefox:
            self.title = "Firefox"
            self.install = ["certutil -A -n \(name) -t C,, -i \(root) -d sql:\"$PROFILE\""]
            self.remove = ["certutil -D -n \(name) -d sql:\"$PROFILE\""]
            self.note =
                "PROFILE is the folder that about:profiles names; certutil comes with libnss3-tools or nss-tools"
        }
    }

    /// As it is where a shell takes it as it is, otherwise in single quotes.
    private static func quoted(_ text: String) -> String {
        let isPlain = text.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "-"):
                true
            default: false
            }
        }
        let path = text.hasPrefix("-") ? "./" + text : text
        if isPlain { return path }
        var quoted = "'"
        for character in path { quoted += character == "'" ? "'\\''" : String(character) }
        return quoted + "'"
    }
}

extension AuthorityFolder {
    /// How every platform takes this root.
    /// - Parameter rootPath: as it is to stand in the commands.
    package func installHints(rootPath: String) -> [InstallHint] {
        let name = "servertrust-\(root.serialNumber.description.suffix(8))"
        return InstallHint.Platform.allCases.map { InstallHint($0, rootPath: rootPath, name: name) }
    }
}
