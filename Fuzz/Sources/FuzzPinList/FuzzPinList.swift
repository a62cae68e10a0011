// SPDX-License-Identifier: Apache-2.0

import Foundation
import ServerTrust
import ServerTrustPins

/// Reads signed pin lists, which may be downloaded from anywhere. No fuzzer input may be accepted, and a readable list
/// must be equal after it is written and read again.
///
/// The target also wraps inputs as payloads, so that they reach the parser behind the signatures. With a stolen list
/// key (``Thief``), they reach the rules for keys and hosts behind that parser. An accepted list must have no other
/// keys, and a rule for every host that is always pinned.
#if !REPLAY
@c(LLVMFuzzerTestOneInput)
#endif
public func fuzz(_ start: UnsafeRawPointer?, _ count: Int) -> CInt {
    let bytes = Array(UnsafeRawBufferPointer(start: start, count: count))
    read(bytes)
    // The input as a payload in base64url, with a valid header.
    let header = "eyJhbGciOiJFZERTQSIsImtpZCI6IkEiLCJ0eXAiOiJwaW4tbGlzdCtqd3MifQ"
    read(
        Array(
            #"{"payload":"\#(base64URL(bytes))","signatures":[{"protected":"\#(header)","signature":"AAAA"}]}"#.utf8))
    let text = String(decoding: bytes, as: UTF8.self)
    if let key = try? PinSigningKey(pem: text) { precondition((try? PinSigningKey(pem: key.pem)) == key) }
    _ = try? PinSigningPrivateKey(pem: text)
    thief.sign(bytes)
    thief.attach(bytes)
    return 0
}

private func read(_ bytes: [UInt8]) {
    readDraft(bytes)
    guard let document = try? SignedPinList(bytes) else { return }
    precondition((try? SignedPinList(document.bytes)) == document)
    if let builtIn {
        // The private key of this list was deleted.
        precondition((try? builtIn.verify(document, at: Time(secondsSinceEpoch: 1_795_000_000))) == nil)
    }
    guard let list = try? document.unverifiedList() else { return }
    precondition(list.sequence > 0 && list.issued <= list.notBefore && list.notBefore < list.expires)
    precondition((1...list.signers.keys.count).contains(list.signers.threshold))
    if let root = list.root {
        precondition((1...root.keys.count).contains(root.threshold))
        precondition(Set(root.keys).isDisjoint(with: list.signers.keys))
    }
    _ = try? list.configuration.serverTrustManager()
}

/// Reads a list that may have no signature. The ordinary reader only accepts a list with a signature.
private func readDraft(_ bytes: [UInt8]) {
    guard let draft = try? SignedPinList(bytes, allowsNoSignature: true) else {
        precondition((try? SignedPinList(bytes)) == nil)
        return
    }
    precondition((try? SignedPinList(draft.bytes, allowsNoSignature: true)) == draft)
    guard let key = thief.builtIn.keys.first else { return }
    precondition(!draft.signingInput(for: key).isEmpty)
    // No input knows a private key.
    precondition((try? draft.adding(Array(bytes.suffix(64)), by: key)) == nil)
}

private let thief: Thief = {
    guard let thief = try? Thief() else { preconditionFailure("the app of the thief can't be made") }
    return thief
}()

private let builtIn: BuiltInPinList? = {
    guard let list = try? SignedPinList(Array(document.utf8)).unverifiedList(),
        let key = try? PinSigningPrivateKey(.ed25519),
        let signers = try? PinSigners([key.publicKey])
    else { preconditionFailure("the built-in list can't be read") }
    return BuiltInPinList(
        audience: list.audience, configuration: list.configuration, signers: signers, issued: list.issued)
}()

private func base64URL(_ bytes: [UInt8]) -> String {
    String(
        Data(bytes).base64EncodedString().compactMap { character in
            switch character {
            case "+": "-"
            case "/": "_"
            case "=": nil
            default: character
            }
        })
}

/// A list as `servertrust pins list sign` writes it, the same as Seeds/FuzzPinList/one.json.
private let document = """
    {"payload":"eyJ2ZXJzaW9uIjoxLCJhdWRpZW5jZSI6ImNvbS5leGFtcGxlLmFwcCIsInNlcXVlbmNlIjoxLCJpc3N1ZWQiOiIyMDI2LTExLT\
    IxVDE2OjI1OjUxWiIsIm5vdEJlZm9yZSI6IjIwMjYtMTEtMjFUMTY6MjU6NTFaIiwiZXhwaXJlcyI6IjIxMjYtMDEtMDFUMDA6MDA6MDBaIiwi\
    c2lnbmVycyI6eyJ0aHJlc2hvbGQiOjEsImtleXMiOlt7ImNydiI6IkVkMjU1MTkiLCJrdHkiOiJPS1AiLCJ4IjoieDE3bmxkVk5NY012dlh2VE\
    FhMkhaMkFPbm94VFA3aEVXUXJkTGpDSnprayJ9LHsiY3J2IjoiUC0yNTYiLCJrdHkiOiJFQyIsIngiOiJnbndlSWR1LWlmV1E4QmtFQkF0OE9J\
    Y2c4ZnhBU2RLT0pLMHhoQ1FEeEhJIiwieSI6IkZ6NVB1c2sxanFrM2FkZXRkcWZNeUxXQjFaa29iUG5nbnhfQmhLTnFUM3MifV19LCJkZW5pZW\
    RLZXlzIjpbXSwicGlucyI6eyJzY2hlbWFWZXJzaW9uIjoxLCJzZWxlY3Rpb24iOiJtb3N0U3BlY2lmaWMiLCJ1bmxpc3RlZEhvc3RzIjoiZXZh\
    bHVhdGVkQnlEZWZhdWx0IiwicnVsZXMiOlt7Im1vZGUiOiJlbmZvcmNlZCIsImhvc3RzIjpbeyJuYW1lIjoiZXhhbXBsZS5jb20iLCJpbmNsdW\
    Rlc05hbWUiOnRydWUsImJlbG93IjoiYW55RGVwdGgifV0sInBpbnMiOlt7ImtleSI6InNoYTI1Ni9xU3h4UWo2aXd4VTBOZkg3UFRScWRpbHo5\
    a21vckltZTJRQjR0K1NTajNRPSIsInNjb3BlIjoiYW55d2hlcmUiLCJyb2xlIjoiaW5Vc2UifSx7ImtleSI6InNoYTI1Ni9kbXVmVEZOY01zZ0\
    tVR2J6eU81djM3WGVXU3lSVzRLWXpjOHhZVXZnVXY0PSIsInNjb3BlIjoibGVhZiIsInJvbGUiOiJiYWNrdXAifV19XX19","signatures":[\
    {"protected":"eyJhbGciOiJFZERTQSIsImtpZCI6Ink0YVo4NnprVEE4czk5QjRXOERNLVZ5VTVJNmFmMFl2bTBySlVWVkoyNUkiLCJ0eXAi\
    OiJwaW4tbGlzdCtqd3MifQ","signature":"4rlRlegChkndiDWIYZzwGbqRUFC8vFDyJPVGAOC0uo3I5bATVmkvpyejILln8IU5RApx-1yaa\
    RCEVR7hYg1tDg"},{"protected":"eyJhbGciOiJFUzI1NiIsImtpZCI6InpKaWRPTTlMekRpMXFxWGhjSWxjUGM0Z2w0VkZFWHFaX3BubjNi\
    WWZCWmMiLCJ0eXAiOiJwaW4tbGlzdCtqd3MifQ","signature":"hCIEog4hNe0-jI3-zqrCKdoXmpF84Vys2pJxxsPMaxoxA8jREhfg-PZmy\
    crnCfNMXp9DfserZBcF0r9fskXVjA"}]}
    """
