// SPDX-License-Identifier: Apache-2.0

import Foundation
import PKIX
import ServerTrust

/// A reader of blocks of chains from a PEM stream, one chain after the other.
///
/// A CA certificate belongs to the chain before it if its subject is the issuer of that chain's last certificate (RFC
/// 8446 § 4.4.2: each certificate certifies the one before it). The last certificate must not be self-issued. A
/// certificate is a CA certificate if its basic constraints say so, or if it is of version 1, which has no basic
/// constraints. Every other certificate starts a new chain. So each leaf of a bundle is a separate row.
///
/// The reader skips other objects between certificates. If a damaged object may have been a certificate, it gets an
/// answer.
final class PEMBlockReader: BlockReader {
    /// The number of bytes of text that complete a block.
    private static let blockSize = ByteStream.readSize

    private let window: StreamWindow
    private let maximumObjectSize: Int
    /// The chain that may continue, and its position.
    private var open: (chain: RowChain, last: Certificate?, start: InputPosition?)?
    private var hasEnded = false
    /// The error of the stream. It is thrown after the chains before it.
    private var failure: CommandFailure?
    /// Whether the next END line belongs to an object that was too large.
    private var isWithinLarge = false
    /// The number of bytes in the window that were searched and don't contain the start of an END line.
    private var searched = 0
    /// The number of bytes in the window that were searched and don't contain the end of that line.
    private var searchedForFeed = 0

    init(_ window: StreamWindow, maximumObjectSize: Int) {
        self.window = window
        self.maximumObjectSize = maximumObjectSize
    }

    func next() throws(CommandFailure) -> RowBlock? {
        if let failure { throw failure }
        var chains: [RowChain] = []
        let first = window.position.line + 1
        var size = 0
        while size < Self.blockSize, chains.count < RowBlock.maximumRows {
            guard let end = objectEnd() else {
                if !hasEnded, window.count <= maximumObjectSize {
                    do throws(CommandFailure) { hasEnded = try !window.readMore(to: maximumObjectSize) } catch {
                        guard !chains.isEmpty else { throw error }
                        failure = error
                        break
                    }
                    continue
                }
                if window.count > maximumObjectSize { tooLarge(&chains) }
                guard hasEnded else { continue }
                // No END line follows: this is a truncated object, or other text.
                if window.count > 0 { take(window.count, end: nil, &chains) }
                close(&chains)
                break
            }
            size += end
            take(end, end: searched, &chains)
        }
        // At the end of the stream, a block of other objects may leave a chain open or objects unread.
        guard !chains.isEmpty || !hasEnded || open != nil || window.count > 0 else { return nil }
        var block = window.mark(.chains(chains), skipping: 0, isWhole: true, line: chains.first?.line ?? first)
        block.isResumable = !isWithinLarge
        // If a run resumes later, it reads the chain that may continue again.
        if let open { block.end = open.start }
        return block
    }

    /// Returns the offset after the first END line in the window, or nil if there isn't one yet. If another BEGIN or END
    /// follows on the same line, returns its offset. This happens if files without a final line end were joined.
    private func objectEnd() -> Int? {
        let bytes = window.bytes
        guard let start = bytes.firstIndex(of: Self.end, from: searched) else {
            searched = max(0, bytes.count - Self.end.utf8CodeUnitCount)
            return nil
        }
        // The line end belongs to the object, and may not have been read yet.
        searched = start
        for index in max(start + Self.end.utf8CodeUnitCount, searchedForFeed)..<bytes.count {
            switch bytes[index] {
            case UInt8(ascii: "\n"): return index + 1
            case UInt8(ascii: "-"):
                if bytes.has(Self.begin, at: index) || bytes.has(Self.end, at: index) { return index }
            default: break
            }
        }
        // The last bytes may be the start of a BEGIN.
        searchedForFeed = max(start + Self.end.utf8CodeUnitCount, bytes.count - Self.begin.utf8CodeUnitCount)
        return hasEnded ? bytes.count : nil
    }

    private static let end: StaticString = "-----END "

    /// Reads the objects from the first bytes of the window, and removes these bytes.
    /// - Parameter end: the offset of their END line, or nil if there isn't one.
    private func take(_ size: Int, end: Int?, _ chains: inout [RowChain]) {
        let bytes = UnsafeRawBufferPointer(rebasing: window.bytes[..<size])
        let text = Array(bytes)
        let start = window.position
        let objects = PEM.blocks(in: text)
        // The line of the next object, and the offset up to which lines have been counted.
        var (line, counted) = (start.line + 1, 0)
        var damaged = 0
        for object in objects {
            let begin = bytes.firstIndex(of: Self.begin, from: counted) ?? counted
            line += UnsafeRawBufferPointer(rebasing: bytes[counted..<begin]).lineFeeds
            counted = min(begin + Self.begin.utf8CodeUnitCount, size)
            if case .failure(let error) = object, error.mayBeCertificate {
                damaged += 1
                // A million BEGIN lines without an END must not produce a million rows.
                guard damaged <= Self.maximumDamaged else { continue }
            }
            // A run can't resume after an object that already got an answer.
            add(object, line, objects.count == 1 ? start : nil, &chains)
        }
        if damaged > Self.maximumDamaged {
            let problem = "\(damaged - Self.maximumDamaged) more objects before the next END line can't be read"
            // This comes before the last object, which may be a chain that continues.
            chains.append(RowChain(line: start.line + 1, problem: problem))
        }
        if !isWithinLarge, let end, Self.isOrphan(end, bytes, behind: objects.last) {
            close(&chains)
            let line = start.line + 1 + UnsafeRawBufferPointer(rebasing: bytes[..<end]).lineFeeds
            chains.append(RowChain(line: line, problem: "an END line without its BEGIN line"))
        }
        isWithinLarge = false
        skip(size)
    }

    /// Whether a certificate's END line belongs to no object that was read or answered, because its BEGIN line is
    /// damaged or missing.
    private static func isOrphan(
        _ end: Int, _ bytes: UnsafeRawBufferPointer, behind last: Result<PEM.Block, PEM.BlockError>?
    ) -> Bool {
        switch last {
        case nil: break
        case .success: return false
        case .failure(let error): guard error.code == .pemNotTerminated, !error.mayBeCertificate else { return false }
        }
        return ChainText.isCertificate(labelAt: end + Self.end.utf8CodeUnitCount, in: bytes)
    }

    private static let begin: StaticString = "-----BEGIN "
    /// The maximum number of damaged objects before an END line that get their own answers.
    private static let maximumDamaged = 20

    private func add(
        _ object: Result<PEM.Block, PEM.BlockError>, _ line: Int, _ start: InputPosition?, _ chains: inout [RowChain]
    ) {
        switch object {
        case .failure(let error):
            // This skips keys with headers, and other objects that aren't certificates.
            guard error.mayBeCertificate else { return }
            close(&chains)
            chains.append(RowChain(line: line, problem: error.description))
        case .success(let block):
            guard ChainText.isCertificate(label: block.label) else {
                // These are certificates in an unsupported form. Without an answer they would be lost.
                guard ChainText.isUnread(label: block.label) else { return }
                close(&chains)
                chains.append(RowChain(line: line, problem: ChainText.problem(ofLabel: block.label)))
                return
            }
            let certificate = try? Certificate(der: block.der)
            if let open, let last = open.last, let certificate, !last.isSelfIssued,
                last.issuer == certificate.subject, Self.mayIssue(certificate),
                open.chain.certificates.count < ChainText.maximumCount,
                open.chain.size < maximumObjectSize
            {
                self.open?.chain.certificates.append(block.der)
                self.open?.last = certificate
                return
            }
            close(&chains)
            open = (RowChain(line: line, certificates: [block.der]), certificate, start)
        }
    }

    /// Whether a certificate is a CA's, or has version 1, which doesn't say.
    private static func mayIssue(_ certificate: Certificate) -> Bool {
        certificate.basicConstraints?.isCertificateAuthority ?? (certificate.version == 1)
    }

    private func close(_ chains: inout [RowChain]) {
        if let chain = open?.chain { chains.append(chain) }
        open = nil
    }

    /// Answers an object that is too large, and continues after the part that was read.
    private func tooLarge(_ chains: inout [RowChain]) {
        close(&chains)
        chains.append(
            RowChain(line: window.position.line + 1, problem: "no END line within \(maximumObjectSize) bytes"))
        isWithinLarge = true
        skip(window.count)
    }

    private func skip(_ size: Int) {
        window.skip(size)
        (searched, searchedForFeed) = (0, 0)
    }
}

extension PEM.BlockError {
    /// Whether one of the object's labels is a certificate's.
    fileprivate var mayBeCertificate: Bool {
        endLabel.map(ChainText.holdsCertificates) == true || ChainText.holdsCertificates(label)
    }
}
