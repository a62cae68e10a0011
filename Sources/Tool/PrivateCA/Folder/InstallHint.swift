// SPDX-License-Identifier: Apache-2.0

import ServerTrust

/// The commands that make a platform trust a root, for people to read and run. The package doesn't run them.
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
    /// The commands for a POSIX shell. The root's path is quoted if necessary.
    package let install: [String]
    /// The commands that remove the root.
    package let remove: [String]
    /// A note about the commands, or an empty text.
    package let note: String

    /// - Parameters:
    ///   - platform: the platform that must trust the root.
    ///   - rootPath: the path of the root's certificate in PEM.
    ///   - name: the root's name in stores that use names: letters, digits and hyphens.
    init(_ platform: Platform, rootPath: String, name: String) {
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
            self.note = "the file name must end in .crt"
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
            self.note = "for the booted simulator; reset also removes everything else that was added to its keychain"
        case .java:
            self.title = "Java (9 and later)"
            self.install = [
                "keytool -importcert -noprompt -cacerts -storepass changeit -alias \(name) -file \(root)"
            ]
            self.remove = ["keytool -delete -cacerts -storepass changeit -alias \(name)"]
            self.note =
                "for the JDK that keytool belongs to; a system JDK requires sudo; changeit is the usual password"
        case .firefox:
            self.title = "Firefox"
            self.install = ["certutil -A -n \(name) -t C,, -i \(root) -d sql:\"$PROFILE\""]
            self.remove = ["certutil -D -n \(name) -d sql:\"$PROFILE\""]
            self.note =
                "PROFILE is a profile folder from about:profiles; certutil comes with libnss3-tools or nss-tools"
        }
    }

    /// Returns a path as a word of a shell.
    private static func quoted(_ path: String) -> String { (path.hasPrefix("-") ? "./" + path : path).shellWord }
}

extension AuthorityFolder {
    /// Returns the commands for this root on every platform.
    /// - Parameter rootPath: the path to use in the commands.
    package func installHints(rootPath: String) -> [InstallHint] {
        let name = "servertrust-\(root.serialNumber.description.suffix(8))"
        return InstallHint.Platform.allCases.map { InstallHint($0, rootPath: rootPath, name: name) }
    }
}
