// SPDX-License-Identifier: Apache-2.0

import Foundation
import ServerTrust
import Testing

@testable import ServerTrustPins

/// The folder with pin files from public repositories.
enum PinFileCorpus {
    static let folder: String? = {
        let beside = FileManager.default.currentDirectoryPath + "/../shared/corpora"
        let folder = (ProcessInfo.processInfo.environment["SERVERTRUST_CORPORA"] ?? beside) + "/pinfiles"
        return FileManager.default.fileExists(atPath: folder) ? folder : nil
    }()
}

/// Reads files from public repositories as their apps contain them.
@Suite(.enabled(if: PinFileCorpus.folder != nil, "no corpus of pin files: see SERVERTRUST_CORPORA"))
struct RealFilesTests {
    /// The file that its owner refuses: Android doesn't know a digest `sha256`, so the app crashes at its first
    /// connection.
    static let refused =
        "kafaat__sahool-unified-v15-idp__apps__mobile__android__app__src__main__res__xml__network_security_config.xml"

    @Test("Every file that its owner accepts is read")
    func everyAcceptedFileIsRead() throws {
        let folder = try #require(PinFileCorpus.folder)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder).sorted().filter {
            $0.hasSuffix(".xml") || $0.hasSuffix(".plist")
        }
        #expect(names.count == 63)
        var refused: [String] = []
        for name in names {
            let bytes = Array(try Data(contentsOf: URL(fileURLWithPath: "\(folder)/\(name)")))
            do throws(PinFileError) {
                let configuration = try PinConfiguration(reading: bytes, file: name)
                let hosts = configuration.rules.flatMap(\.hosts).count
                let pins = configuration.rules.flatMap(\.pins).count
                print("\(name)\t\(configuration.oddities.count) odd\t\(hosts) hosts\t\(pins) pins")
            } catch {
                refused.append(name)
                print("\(name)\trefused\t\(error.problems.filter { $0.grade == .refused })")
            }
        }
        #expect(refused == [Self.refused])
    }
}
