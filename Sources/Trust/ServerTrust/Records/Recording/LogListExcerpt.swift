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
            json.key("log_list_timestamp")
            json.string(date.description)
            json.key("operators")
            json.array(of: byOperator.sorted { $0.key < $1.key }) { json, provider in
                json.object { json in
                    json.key("name")
                    json.string(provider.key)
                    for (key, isTiled) in [("logs", false), ("tiled_logs", true)] {
                        json.key(escaping: key)
                        let logs = provider.value.filter { $0.isTiled == isTiled }
                            .sorted { $0.key.logID.lexicographicallyPrecedes($1.key.logID) }
                        json.array(of: logs) { $1.write(to: &$0) }
                    }
                }
            }
        }
        return json.bytes
    }
}

extension CTLogList.Log {
    fileprivate func write(to json: inout JSONWriter) {
        json.object { json in
            json.key("description")
            json.string(description)
            json.key("log_id")
            json.string(Base64.encode(key.logID))
            json.key("key")
            json.string(Base64.encode(publicKey))
            json.key("state")
            json.object { json in
                json.key(escaping: state.kind.rawValue)
                json.object { json in
                    json.key("timestamp")
                    json.string(state.since.description)
                }
            }
            if let shard {
                json.key("temporal_interval")
                json.object { json in
                    json.key("start_inclusive")
                    json.string(shard.start.description)
                    json.key("end_exclusive")
                    json.string(shard.end.description)
                }
            }
            if !previousOperators.isEmpty {
                json.key("previous_operators")
                json.array(of: previousOperators) { json, previous in
                    json.object { json in
                        json.key("name")
                        json.string(previous.name)
                        json.key("end_time")
                        json.string(previous.end.description)
                    }
                }
            }
        }
    }
}
