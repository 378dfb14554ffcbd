import AdCore

/// How a server handled hits, as text.
enum ArrivalText {
    /// How many groups of hits are listed, and how many numbers in one.
    private static let maxGroups = 6
    private static let maxNumbers = 4

    /// How each hit was handled; consecutive hits that were handled the same are one group.
    static func text(_ arrivals: [ReceivedHit]) -> String {
        var groups: [(handling: String, numbers: [Int])] = []
        for arrival in arrivals {
            let handling = self.handling(arrival)
            if groups.last?.handling == handling {
                groups[groups.count - 1].numbers.append(arrival.n)
            } else {
                groups.append((handling, [arrival.n]))
            }
        }
        var parts = groups.prefix(self.maxGroups).map { group in
            "\(self.name(group.numbers)) \(group.numbers.count == 1 ? "was" : "were") \(group.handling)"
        }
        let unlisted = groups.dropFirst(self.maxGroups).reduce(0) { $0 + $1.numbers.count }
        if unlisted > 0 { parts.append("and \(unlisted) more") }
        return parts.joined(separator: "; ")
    }

    /// For example `twice` or `3 times`.
    static func times(_ count: Int) -> String { count == 2 ? "twice" : "\(count) times" }

    private static func name(_ numbers: [Int]) -> String {
        guard let last = numbers.last else { return "no hit" }
        if numbers.count == 1 { return "hit \(last)" }
        if numbers.count > self.maxNumbers {
            let first = numbers.prefix(self.maxNumbers - 1).map(String.init).joined(separator: ", ")
            return "hits \(first) and \(numbers.count - self.maxNumbers + 1) more"
        }
        return "hits \(numbers.dropLast().map(String.init).joined(separator: ", ")) and \(last)"
    }

    private static func handling(_ arrival: ReceivedHit) -> String {
        guard let fault = arrival.fault else {
            if arrival.isCounted { return "counted" }
            return arrival.path == "/loop" ? "redirected again" : "not counted"
        }
        guard arrival.isCounted else {
            return fault == "redirectLoop" ? "redirected in a loop (redirectLoop)" : "rejected (\(fault))"
        }
        return switch fault {
        case "delay": "counted, with a delayed response (delay)"
        case "dropBeforeReply": "counted, without a response (dropBeforeReply)"
        case "truncate": "counted, with a truncated response (truncate)"
        case "garbage": "counted, with a garbled response (garbage)"
        case "slow": "counted, with a slow response (slow)"
        case "status": "counted, with another 2xx status (status)"
        default: "counted, with the fault \(fault)"
        }
    }

    /// A duration in seconds with one decimal.
    static func seconds(_ duration: Duration) -> String {
        let tenths = duration.wholeMilliseconds / 100
        return tenths % 10 == 0 ? "\(tenths / 10) s" : "\(tenths / 10).\(tenths % 10) s"
    }
}
