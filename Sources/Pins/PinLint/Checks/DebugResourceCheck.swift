// SPDX-License-Identifier: Apache-2.0

import ServerTrustPins

/// Finds the parts of `NAME_debug.xml` that Android doesn't read (AOSP, XmlConfigSource.parseDebugOverridesResource).
enum DebugResourceCheck {
    private static let suffix = "_debug.xml"

    static func findings(among scopes: [PinLintContext]) -> [PinFinding] {
        var findings: [PinFinding] = []
        var byName: [Substring: PinLintContext] = [:]
        for scope in scopes where scope.format == .android {
            if let name = scope.resource(without: ".xml"), byName[name] == nil { byName[name] = scope }
        }
        for scope in scopes where scope.format == .android && scope.file.hasSuffix(suffix) {
            let location = PinFileLocation(file: scope.file)
            let configuration = scope.configuration
            let isMore =
                !configuration.rules.isEmpty || !configuration.anchors.isEmpty || !configuration.settings.isEmpty
            if isMore {
                findings.append(
                    PinFinding(
                        .debugResource, nil, at: location,
                        "Android reads only its debug-overrides, because a configuration of the same name without _debug exists",
                        fix: nil))
            }
            let main = scope.resource(without: suffix).flatMap { byName[$0] }
            if let main, !main.configuration.debugAnchors.isEmpty, !configuration.debugAnchors.isEmpty {
                findings.append(
                    PinFinding(
                        .debugResource, nil, at: location,
                        "Android doesn't read its debug-overrides, because \(main.file) has some", fix: nil))
            }
        }
        return findings
    }
}

extension PinLintContext {
    /// Returns the name of the file without folders and without the suffix, or nil if the file has a different suffix.
    fileprivate func resource(without suffix: String) -> Substring? {
        guard file.hasSuffix(suffix) else { return nil }
        let start = file.lastIndex(of: "/").map(file.index(after:)) ?? file.startIndex
        return file[start...].dropLast(suffix.count)
    }
}
