import AdCore

/// A message of `vpaid.js`.
///
/// The program can forge it, so that it is validated and bounded.
enum VPAIDMessage: Hashable, Sendable {
    /// The program is loaded, with the version that it returned from `handshakeVersion`.
    case version(String)
    /// The program can't be used.
    case unusable(String)
    /// A method has thrown an exception.
    case threw(method: String, String)
    /// An event, with its values and the state of the ad.
    case event(String, [AdJSON], VPAIDState)

    init?(_ json: AdJSON) {
        switch json["k"]?.string {
        case "version":
            let version = json["version"].flatMap { $0.string ?? $0.number.map { AdJSON.double($0).text() } } ?? ""
            self = .version(version.excerpt(20))
        case "unusable": self = .unusable((json["text"]?.string ?? "").excerpt(300))
        case "threw":
            self = .threw(
                method: (json["method"]?.string ?? "").excerpt(40),
                (json["text"]?.string ?? "").excerpt(300)
            )
        case "event":
            guard let name = json["name"]?.string?.excerpt(40) else { return nil }
            self = .event(name, Array((json["values"]?.array ?? []).prefix(5)), VPAIDState(json["state"]))
        default: return nil
        }
    }
}

/// What a program says of itself.
struct VPAIDState: Hashable, Sendable {
    /// The duration; nil if the program does not know it.
    let duration: Duration?
    /// The volume, from 0 to 1; nil if the program does not know it.
    let volume: Double?
    let isLinear: Bool
    let isExpanded: Bool

    init(_ json: AdJSON?) {
        let seconds = json?["duration"]?.number ?? -1
        self.duration = seconds > 0 && seconds <= 3_600 ? .milliseconds(Int64(seconds * 1000)) : nil
        let volume = json?["volume"]?.number ?? -1
        self.volume = (0...1).contains(volume) ? volume : nil
        self.isLinear = json?["linear"] != false
        self.isExpanded = json?["expanded"] == true
    }
}
