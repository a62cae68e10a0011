import ServerTrust

/// A configuration reduced to what formats have that know domains with a flag for subdomains: for every name, what holds for itself, one
/// label below and further below.
struct PinProjection {
    struct Row {
        let name: Hostname
        let itself: PinRule?
        let oneLabel: PinRule?
        let further: PinRule?

        /// What the format can say about the name, where it can't say all: the pins of itself, else those of what is below it.
        /// Reaching too far is then told as a loss, as is all else.
        var main: PinRule? {
            let all = [itself, oneLabel, further].compactMap { $0 }
            return all.first { $0.mode != .unpinned } ?? all.first
        }

        /// Whether something is said about hosts below the name.
        var reachesBelow: Bool {
            guard main?.mode != .unpinned else { return oneLabel != nil || further != nil }
            return [oneLabel, further].contains { $0.map { $0.mode != .unpinned } ?? false }
        }
    }

    let rows: [Row]

    init(_ configuration: PinConfiguration) {
        let table = PinTable(configuration)
        rows = table.names.map { name in
            guard case .dns = name.kind else {
                return Row(name: name, itself: table.rule(for: PinHostClass(name, .none)), oneLabel: nil, further: nil)
            }
            return Row(
                name: name, itself: table.rule(for: PinHostClass(name, .none)),
                oneLabel: table.rule(for: PinHostClass(name, .oneLabel)),
                further: table.rule(for: PinHostClass(name, .further)))
        }
    }
}

extension PinRule {
    /// Whether both ask the same of a server, by whatever hosts they were found.
    func asksTheSame(as other: PinRule?) -> Bool {
        guard let other else { return false }
        return mode == other.mode && expiry == other.expiry && anchors == other.anchors
            && reportURIs == other.reportURIs && Set(pins.map(Demanded.init)) == Set(other.pins.map(Demanded.init))
    }

    /// The keys of one scope, or of all of them, each once; a certificate stands for its key.
    func keys(_ scope: PinScope? = nil) -> [Pin] {
        var seen: Set<SPKIPin> = []
        return pins.filter { scope == nil || $0.scope == scope }.filter { seen.insert($0.key).inserted }
    }

    /// The pins for a format in which they count anywhere: of a rule that asks for leaf and authority, the leaf's, which ask for more.
    var keysAnywhere: [Pin] { scopes == [.leaf, .authority] ? keys(.leaf) : keys() }
}
