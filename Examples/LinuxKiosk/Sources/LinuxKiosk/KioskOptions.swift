import AdCore
import AdProviders

/// What the kiosk was asked to do on its command line.
struct KioskOptions: Equatable, Sendable {
    /// A browser.
    enum Engine: String, CaseIterable, Sendable { case chromium, webkit }

    /// A command line that can't be understood.
    struct Mistake: Error, Equatable, CustomStringConvertible {
        let description: String
        init(_ description: String) { self.description = description }
    }

    static let help = """
        Shows ads in a loop.

        LinuxKiosk --url URL [options] UNIT...

        UNIT               the id of a placement of full-screen ads: HTML or videos
        --url URL          the URL of the ad server's load call
        --allow-host URL   a server on this computer or its network that creatives may request; repeatable
        --publisher ID     the publisher's id
        --engine NAME      chromium or webkit (default: chromium)
        --windowed         a window for each ad; --headless, the default, has none
        --screen WxH       the size of the screen (default: 1920x1080)
        --ledger DIR       where beacons are kept (default: STATE_DIRECTORY, which systemd sets)
        --at-least-once    send beacons again whose delivery is unknown: the server counts each Idempotency-Key once
        --show TIME        how long an ad is on screen, videos until their end (default: 10s)
        --pause TIME       the pause after an ad (default: 1s)
        --for TIME         end after this time
        --count N          end after N ads

        TIME is as in 30s, 5m or 8h.
        """

    var engine = Engine.chromium
    var url: HTTPURL
    var allowedHosts: [HTTPURL] = []
    var publisher = "00000000-0000-0000-0000-000000000001"
    var isWindowed = false
    var screen = Size(width: 1920, height: 1080)
    var folder: String
    var guarantee = DeliveryGuarantee.atMostOnce
    var plan = KioskLoop.Plan(placements: [])

    /// Reads a command line.
    ///
    /// - Parameters:
    ///   - arguments: The arguments, without the program's name.
    ///   - stateFolder: Where beacons are kept if the command line does not say it.
    /// - Throws: `Mistake` with what is wrong.
    init(_ arguments: [String], stateFolder: String?) throws(Mistake) {
        var (url, folder) = (HTTPURL?.none, stateFolder)
        var words = Words(arguments)
        while let word = words.next() {
            switch word {
            case "--engine": self.engine = try words.value("chromium or webkit", Engine.init)
            case "--url": url = try words.value("a URL, as in https://ssp.example/load", HTTPURL.init)
            case "--allow-host": self.allowedHosts.append(try words.value("a URL", HTTPURL.init))
            case "--publisher": self.publisher = try words.value("an id") { $0 }
            case "--windowed": self.isWindowed = true
            case "--headless": self.isWindowed = false
            case "--screen": self.screen = try words.value("a size, as in 1920x1080", KioskOptions.size)
            case "--ledger": folder = try words.value("an absolute path") { $0.hasPrefix("/") ? $0 : nil }
            case "--at-least-once": self.guarantee = .atLeastOnce
            case "--show": self.plan.showTime = try words.value("a time, as in 30s", KioskOptions.time)
            case "--pause": self.plan.pause = try words.value("a time, as in 30s", KioskOptions.time)
            case "--for": self.plan.time = try words.value("a time, as in 30s", KioskOptions.time)
            case "--count": self.plan.count = try words.value("a number", Int.init)
            case _ where word.hasPrefix("-"): throw Mistake("there is no option \(word)")
            default: self.plan.placements.append(.interstitial(unit: word))
            }
        }
        guard let url else { throw Mistake("--url is missing: the URL of the ad server's load call") }
        guard let folder else { throw Mistake("--ledger is missing: the folder where beacons are kept") }
        guard !self.plan.placements.isEmpty else { throw Mistake("there is no UNIT: the id of a placement") }
        (self.url, self.folder) = (url, folder)
    }

    private static func size(_ text: String) -> Size? {
        let sides = text.split(separator: "x").compactMap { Double($0) }
        guard sides.count == 2, sides.allSatisfy({ (1...16_384).contains($0) }) else { return nil }
        return Size(width: sides[0], height: sides[1])
    }

    private static func time(_ text: String) -> Duration? {
        guard let number = Double(text.dropLast()), (0...1_000_000).contains(number) else { return nil }
        return switch text.last {
        case "s": .seconds(number)
        case "m": .seconds(number * 60)
        case "h": .seconds(number * 3_600)
        default: nil
        }
    }
}

/// The words of a command line.
private struct Words {
    private var rest: ArraySlice<String>
    private var last = ""

    init(_ words: [String]) { self.rest = words[...] }

    mutating func next() -> String? {
        guard let word = self.rest.popFirst() else { return nil }
        self.last = word
        return word
    }

    /// The value of the option before it.
    mutating func value<Value>(
        _ expected: String,
        _ parse: (String) -> Value?
    ) throws(KioskOptions.Mistake) -> Value {
        guard let text = self.rest.popFirst(), let value = parse(text) else {
            throw KioskOptions.Mistake("\(self.last) needs \(expected)")
        }
        return value
    }
}
