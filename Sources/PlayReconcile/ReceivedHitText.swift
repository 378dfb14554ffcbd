import AdCore

/// How a server handled hits, as text.
enum ArrivalText {
    /// For example `twice` or `3 times`.
    static func times(_ count: Int) -> String { count == 2 ? "twice" : "\(count) times" }

    /// What the server did with a hit, as in "hit 1 was …".
    static func handling(_ arrival: ReceivedHit) -> String {
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
