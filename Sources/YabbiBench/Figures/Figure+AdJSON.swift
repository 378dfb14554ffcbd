import AdCore

extension Figure {
    /// Reads what `json` has written; nil where that is something else.
    init?(_ json: AdJSON) {
        guard let benchmark = json["benchmark"]?.string, let what = json["what"]?.string,
            let symbol = json["unit"]?.string,
            let meaning = json["counts"]?.string.flatMap({ Unit.Meaning(rawValue: $0) }),
            let spread = json["values"].flatMap({ Spread($0) })
        else { return nil }
        self.benchmark = benchmark
        self.what = what
        self.unit = Unit(symbol: symbol, meaning: meaning)
        self.amount = json["amount"].flatMap { Amount($0) }
        self.spread = spread
        self.floor = json["floor"].flatMap { Floor($0) }
        self.aim = json["aim"].flatMap { Aim($0) }
    }

    /// The figure as a line of `--json` has it.
    var json: AdJSON {
        var members: [AdJSON.Member] = [
            .init("record", "figure"), .init("benchmark", .string(self.benchmark)), .init("what", .string(self.what)),
            .init("unit", .string(self.unit.symbol)), .init("counts", .string(self.unit.meaning.rawValue)),
        ]
        if let amount { members.append(.init("amount", amount.json)) }
        members.append(.init("values", self.spread.json))
        if let floor { members.append(.init("floor", floor.json)) }
        if let aim { members.append(.init("aim", aim.json)) }
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

extension Figure.Floor {
    fileprivate init?(_ json: AdJSON) {
        guard let name = json["name"]?.string, let spread = json["values"].flatMap({ Spread($0) }),
            let ratio = json["ratio"].flatMap({ Spread($0) })
        else { return nil }
        self.init(name: name, spread: spread, ratio: ratio)
    }

    fileprivate var json: AdJSON {
        ["name": .string(self.name), "values": self.spread.json, "ratio": self.ratio.json]
    }
}

extension Figure.Aim {
    fileprivate init?(_ json: AdJSON) {
        if let bound = json["atMost"]?.number {
            self = .atMost(bound)
        } else if let bound = json["atLeast"]?.number {
            self = .atLeast(bound)
        } else {
            return nil
        }
    }

    fileprivate var json: AdJSON {
        switch self {
        case .atMost(let bound): ["atMost": .double(bound)]
        case .atLeast(let bound): ["atLeast": .double(bound)]
        }
    }
}
