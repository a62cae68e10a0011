// SPDX-License-Identifier: Apache-2.0

import PKIX

extension CTLogList {
    /// Returns a list in version 3 of the format, with only the logs that occur in a chain's leaf and handshake.
    func recordExcerpt(for chain: PresentedChain) -> [UInt8] {
        var texts = [chain.leaf?.der ?? [], chain.signedCertificateTimestampList ?? []]
        if case .given(let staple) = chain.staple { texts.append(staple) }
        let used = logs.filter { id, _ in
            texts.contains { text in text.indices.contains { text[$0] == id[0] && text[$0...].starts(with: id) } }
        }
        let byOperator = Dictionary(grouping: used.values) { $0.currentOperator }
        var json = JSONWriter(isIndented: false)
        json.object { json in
            json.member("log_list_timestamp", date.description)
            json.objects("operators", of: byOperator.sorted { $0.key < $1.key }) { json, provider in
                json.member("name", provider.key)
                json.logs("logs", provider.value.filter { !$0.isTiled })
                json.logs("tiled_logs", provider.value.filter(\.isTiled))
            }
        }
        return json.bytes
    }
}

extension JSONWriter {
    fileprivate mutating func logs(_ name: StaticString, _ logs: [CTLogList.Log]) {
        let sorted = logs.sorted { $0.key.logID.lexicographicallyPrecedes($1.key.logID) }
        objects(name, of: sorted) { $1.writeMembers(to: &$0) }
    }
}

extension CTLogList.Log {
    fileprivate func writeMembers(to json: inout JSONWriter) {
        json.member("description", description)
        json.member("log_id", Base64.encode(key.logID))
        json.member("key", Base64.encode(publicKey))
        json.object("state") { json in
            json.key(escaping: state.kind.rawValue)
            json.object { $0.member("timestamp", state.since.description) }
        }
        if let shard {
            json.object("temporal_interval") { json in
                json.member("start_inclusive", shard.start.description)
                json.member("end_exclusive", shard.end.description)
            }
        }
        if !previousOperators.isEmpty {
            json.objects("previous_operators", of: previousOperators) { json, previous in
                json.member("name", previous.name)
                json.member("end_time", previous.end.description)
            }
        }
    }
}
