import AdCore

/// What happened to hits, in words.
enum ArrivalText {
    /// The most groups of hits that are told, and the most numbers in one.
    private static let maxGroups = 6
    private static let maxNumbers = 4

    /// What happened to each hit; those side by side with the same fate together.
    static func story(_ arrivals: [Arrival]) -> String {
        var groups: [(fate: String, numbers: [Int])] = []
        for arrival in arrivals {
            let fate = self.fate(arrival)
            if groups.last?.fate == fate {
                groups[groups.count - 1].numbers.append(arrival.n)
            } else {
                groups.append((fate, [arrival.n]))
            }
        }
        var parts = groups.prefix(self.maxGroups).map { group in
            "\(self.named(group.numbers)) \(group.numbers.count == 1 ? "was" : "were") \(group.fate)"
        }
        let untold = groups.dropFirst(self.maxGroups).reduce(0) { $0 + $1.numbers.count }
        if untold > 0 { parts.append("and so on with \(untold) more") }
        return parts.joined(separator: "; ")
    }

    private static func named(_ numbers: [Int]) -> String {
        guard let last = numbers.last else { return "no hit" }
        if numbers.count == 1 { return "hit \(last)" }
        if numbers.count > self.maxNumbers {
            let first = numbers.prefix(self.maxNumbers - 1).map(String.init).joined(separator: ", ")
            return "hits \(first) and \(numbers.count - self.maxNumbers + 1) more"
        }
        return "hits \(numbers.dropLast().map(String.init).joined(separator: ", ")) and \(last)"
    }

    private static func fate(_ arrival: Arrival) -> String {
        guard let fault = arrival.fault else {
            if arrival.isCounted { return "counted" }
            return arrival.path == "/loop" ? "sent round again" : "not taken"
        }
        guard arrival.isCounted else {
            return fault == "redirectLoop" ? "sent round in circles (redirectLoop)" : "refused (\(fault))"
        }
        return switch fault {
        case "delay": "counted, and its answer delayed (delay)"
        case "dropBeforeReply": "counted, and its answer dropped (dropBeforeReply)"
        case "truncate": "counted, and its answer cut short (truncate)"
        case "garbage": "counted, and its answer garbled (garbage)"
        case "slow": "counted, and its answer slowed (slow)"
        case "status": "counted, and answered with another status of success (status)"
        default: "counted, and met the fault \(fault)"
        }
    }

    /// A duration in seconds, to the tenth.
    static func seconds(_ duration: Duration) -> String {
        let tenths = duration.wholeMilliseconds / 100
        return tenths % 10 == 0 ? "\(tenths / 10) s" : "\(tenths / 10).\(tenths % 10) s"
    }
}
