import AdCore

extension Figure {
    /// Parses what `json` writes; nil for anything else.
    init?(_ json: AdJSON) {
        guard let benchmark = json["benchmark"]?.string, let what = json["what"]?.string,
            let symbol = json["unit"]?.string,
            let meaning = json["counts"]?.string.flatMap({ Unit.Meaning(rawValue: $0) }),
            let distribution = json["values"].flatMap({ Distribution($0) })
        else { return nil }
        self.benchmark = benchmark
        self.what = what
        self.unit = Unit(symbol: symbol, meaning: meaning)
        self.amount = json["amount"].flatMap { Amount($0) }
        self.distribution = distribution
        self.baseline = json["floor"].flatMap { Baseline($0) }
        self.target = json["aim"].flatMap { Target($0) }
    }

    /// The figure as a line of `--json`.
    var json: AdJSON {
        var members: [AdJSON.Member] = [
            .init("record", "figure"), .init("benchmark", .string(self.benchmark)), .init("what", .string(self.what)),
            .init("unit", .string(self.unit.symbol)), .init("counts", .string(self.unit.meaning.rawValue)),
        ]
        if let amount { members.append(.init("amount", amount.json)) }
        members.append(.init("values", self.distribution.json))
        if let baseline { members.append(.init("floor", baseline.json)) }
        if let target { members.append(.init("aim", target.json)) }
        if let isMet { members.append(.init("isMet", .bool(isMet))) }
        return .object(members)
    }
}

extension Figure.Amount {
    fileprivate init?(_ json: AdJSON) {
        guard let count = json["count"]?.number.flatMap({ Int(exactly: $0) }), let things = json["things"]?.string
        else { return nil }
        self.init(count, things)
    }

    fileprivate var json: AdJSON { ["count": .int(self.count), "things": .string(self.things)] }
}

extension Figure.Baseline {
    fileprivate init?(_ json: AdJSON) {
        guard let name = json["name"]?.string, let distribution = json["values"].flatMap({ Distribution($0) }),
            let ratio = json["ratio"].flatMap({ Distribution($0) })
        else { return nil }
        self.init(name: name, distribution: distribution, ratio: ratio)
    }

    fileprivate var json: AdJSON {
        ["name": .string(self.name), "values": self.distribution.json, "ratio": self.ratio.json]
    }
}

extension Figure.Target {
    fileprivate init?(_ json: AdJSON) {
        if let bound = json["atMost"]?.number {
            self = .atMost(bound)
        } else if let bound = json["atLeast"]?.number {
            self = .atLeast(bound)
        } else if let bound = json["valueAtMost"]?.number {
            self = .valueAtMost(bound)
        } else {
            return nil
        }
    }

    fileprivate var json: AdJSON {
        switch self {
        case .atMost(let bound): ["atMost": .double(bound)]
        case .atLeast(let bound): ["atLeast": .double(bound)]
        case .valueAtMost(let bound): ["valueAtMost": .double(bound)]
        }
    }
}
