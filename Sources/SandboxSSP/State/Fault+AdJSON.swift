import AdCore

extension FaultTable {
    /// Parses the body of `POST /sandbox/faults`.
    ///
    /// Unknown kinds and members are errors, because a misspelled fault would never act.
    static func changes(_ fields: Fields) throws(FieldError) -> [String: [Sandbox.Fault]] {
        var changes: [String: [Sandbox.Fault]] = [:]
        for prefix in fields.names {
            var faults: [Sandbox.Fault] = []
            for (index, element) in try fields.array(prefix, atMost: FaultTable.maxFaults).enumerated() {
                faults.append(try Sandbox.Fault(Fields(element, at: "\(prefix)[\(index)]")))
            }
            changes[prefix] = faults
        }
        return changes
    }
}

extension Sandbox.Fault {
    init(_ fields: Fields) throws(FieldError) {
        let name = try fields.text("kind")
        let own: Set<String>
        let kind: Kind
        switch name {
        case "status":
            own = ["status", "retryAfter", "headers"]
            kind = .status(
                try fields.integer("status", in: Sandbox.Fault.statuses),
                retryAfter: try fields["retryAfter"].map { _ throws(FieldError) in
                    try fields.integer("retryAfter", in: Sandbox.Fault.seconds)
                },
                headers: try Sandbox.Fault.headers(fields)
            )
        case "delay":
            own = ["ms"]
            kind = .delay(milliseconds: try fields.integer("ms", in: Sandbox.Fault.delays))
        case "slow":
            own = ["bytesPerSecond"]
            kind = .slow(bytesPerSecond: try fields.integer("bytesPerSecond", in: Sandbox.Fault.rates))
        case "dropBeforeReply": (own, kind) = ([], .dropBeforeReply)
        case "truncate": (own, kind) = ([], .truncate)
        case "garbage": (own, kind) = ([], .garbage)
        case "redirectLoop": (own, kind) = ([], .redirectLoop)
        default:
            guard let fault = Sandbox.SocketFault(rawValue: name) else {
                throw fields.error("kind", "is unknown: \"\(name)\"; allowed: \(Kind.names.joined(separator: ", "))")
            }
            (own, kind) = ([], .socket(fault))
        }
        if let unknown = fields.names.first(where: { $0 != "kind" && $0 != "times" && !own.contains($0) }) {
            let known = (own.sorted() + ["times"]).joined(separator: ", ")
            throw fields.error(unknown, "is not a member of the fault \"\(name)\"; allowed: \(known)")
        }
        self.init(kind, times: fields["times"] == nil ? 1 : try fields.integer("times", in: Sandbox.Fault.repetitions))
    }

    private static func headers(_ fields: Fields) throws(FieldError) -> [String: String] {
        guard fields["headers"] != nil else { return [:] }
        let members = try fields.object("headers")
        var headers: [String: String] = [:]
        for name in members.names { headers[name] = try members.text(name, mayBeEmpty: true) }
        return headers
    }

    private static let statuses = 200...599
    private static let seconds = 0...86_400
    private static let delays = 0...600_000
    private static let rates = 1...1_000_000_000
    private static let repetitions = 1...1_000_000_000
    /// The headers that the server sets itself: another value would break the connection instead of the response.
    private static let framing: Set<String> = ["content-length", "transfer-encoding", "connection"]

    /// Throws when a value is out of bounds; `path` is that of the fault in the request.
    func validate(at path: String) throws(FieldError) {
        func check(_ value: Int, _ bounds: ClosedRange<Int>, _ name: String) throws(FieldError) {
            guard bounds.contains(value) else {
                throw FieldError("\(path).\(name)", "must be between \(bounds.lowerBound) and \(bounds.upperBound)")
            }
        }
        try check(self.times, Sandbox.Fault.repetitions, "times")
        switch self.kind {
        case .status(let status, let retryAfter, let headers):
            try check(status, Sandbox.Fault.statuses, "status")
            if let retryAfter { try check(retryAfter, Sandbox.Fault.seconds, "retryAfter") }
            for (name, value) in headers.sorted(by: { $0.key < $1.key }) {
                guard AdHTTPHeaders.Field(name, value) != nil, !Sandbox.Fault.framing.contains(name.asciiLowercased)
                else {
                    throw FieldError("\(path).headers.\(name)", "is not a header that a response can have")
                }
            }
        case .delay(let milliseconds): try check(milliseconds, Sandbox.Fault.delays, "ms")
        case .slow(let bytesPerSecond): try check(bytesPerSecond, Sandbox.Fault.rates, "bytesPerSecond")
        case .dropBeforeReply, .truncate, .garbage, .redirectLoop, .socket: break
        }
    }

    /// The fault as a JSON object, as `POST /sandbox/faults` reads it.
    var json: AdJSON {
        var members: [AdJSON.Member] = [.init("kind", .string(self.kind.name))]
        switch self.kind {
        case .status(let status, let retryAfter, let headers):
            members.append(.init("status", .int(status)))
            if let retryAfter { members.append(.init("retryAfter", .int(retryAfter))) }
            if !headers.isEmpty {
                let fields = headers.sorted { $0.key < $1.key }.map { AdJSON.Member($0.key, .string($0.value)) }
                members.append(.init("headers", .object(fields)))
            }
        case .delay(let milliseconds): members.append(.init("ms", .int(milliseconds)))
        case .slow(let bytesPerSecond): members.append(.init("bytesPerSecond", .int(bytesPerSecond)))
        case .dropBeforeReply, .truncate, .garbage, .redirectLoop, .socket: break
        }
        members.append(.init("times", .int(self.times)))
        return .object(members)
    }
}
