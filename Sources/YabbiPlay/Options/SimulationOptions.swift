import AdCore
import PlayConsole
import PlayStages
import WebStage

/// What a run simulates: the device and its network, consent, values of macros, and whether beacons are sent.
struct SimulationOptions: Sendable {
    /// Which beacons and tracking requests are sent.
    enum Beacons: Equatable, Sendable {
        case sent
        /// Beacons are not sent. Tracking requests of the creative are.
        case withheld
        /// Neither beacons nor tracking requests of the creative are sent, as far as these are recognized.
        case allWithheld
    }

    static let device = Option(
        "--device",
        .word(SimulatedDevice.all.map(\.name)),
        "The device: its screen, pixel ratio, User-Agent and touch, for the tag, the browser and the beacons.",
        otherwise: "a phone of 390x844"
    ) { (text, name) throws(UsageError) in
        guard let device = SimulatedDevice.all.first(where: { $0.name == text }) else {
            let words = SimulatedDevice.all.map(\.name)
            let hint = OptionValue.hint(for: text, among: words)
            throw OptionValue.invalid(text, for: name, expected: OptionValue.list(words) + hint)
        }
        return device
    }
    static let userAgent = Option(
        "--user-agent",
        .other("<text>"),
        "The User-Agent of the tag's requests, the browser and the beacons.",
        otherwise: "the device's"
    ) { (text, name) throws(UsageError) in
        guard !text.isEmpty, AdHTTPHeaders.Field("User-Agent", text) != nil else {
            throw OptionValue.invalid(text, for: name, expected: "a text without line breaks")
        }
        return text
    }
    static let header = Option(
        "--header",
        .other("<name>: <value>"),
        "A header of the tag's request and of ad requests. Repeatable.",
        isRepeatable: true
    ) { (text, name) throws(UsageError) in
        let parts = text.split(separator: ":", maxSplits: 1).map(\.trimmed)
        guard parts.count == 2, let field = AdHTTPHeaders.Field(parts[0], parts[1]) else {
            throw OptionValue.invalid(
                Redaction.address(text),
                for: name,
                expected: "<name>: <value>, for example \"X-Test: 1\""
            )
        }
        return field
    }
    static let cookie = Option(
        "--cookie",
        .other("<name>=<value>"),
        "A cookie of the tag's request and of ad requests. Repeatable.",
        isRepeatable: true
    ) { (text, name) throws(UsageError) in
        guard let equals = text.firstIndex(of: "="), equals > text.startIndex,
            AdHTTPHeaders.Field("Cookie", text) != nil, !text.contains(";")
        else { throw OptionValue.invalid("…", for: name, expected: "<name>=<value>") }
        return text
    }
    static let macro = Option(
        "--macro",
        .other("<name>=<value>"),
        """
        The value of a macro, in the tag and in its wrappers: for %%NAME%%, [NAME], ${NAME} and {NAME}. Repeatable.
        """,
        isRepeatable: true
    ) { (text, name) throws(UsageError) in
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2, let value = MacroValue(named: parts[0], parts[1]) else {
            throw OptionValue.invalid(
                text,
                for: name,
                expected:
                    "<name>=<value>, with a name of letters, digits, _ - . : for example CLICK_URL=https://x.example/"
            )
        }
        return value
    }
    static let consent = Option(
        "--consent",
        .other("tcf=…|gpp=…|usp=…|coppa"),
        "A consent signal, for ad requests and macros: a TCF, GPP or US Privacy string, or coppa. Repeatable.",
        isRepeatable: true
    ) { (text, name) throws(UsageError) in try ConsentOption(text, name) }
    static let network = Option(
        "--network",
        .word(NetworkProfile.all.map(\.name)),
        "A simulated network for the tag, the browser and the beacons.",
        otherwise: "this computer's"
    ) { (text, name) throws(UsageError) in
        guard let profile = NetworkProfile.all.first(where: { $0.name == text }) else {
            let words = NetworkProfile.all.map(\.name)
            let hint = OptionValue.hint(for: text, among: words)
            throw OptionValue.invalid(text, for: name, expected: OptionValue.list(words) + hint)
        }
        return profile
    }
    static let locale = Option(
        "--locale",
        .other("<language>"),
        "The language of the browser and of ad requests, for example de-DE.",
        otherwise: "the browser's"
    ) { (text, name) throws(UsageError) in
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard (1...4).contains(parts.count), (2...8).contains(parts[0].utf8.count),
            parts.allSatisfy({
                (1...8).contains($0.utf8.count) && $0.utf8.allSatisfy { $0.isASCIILetter || $0.isDigit }
            })
        else { throw OptionValue.invalid(text, for: name, expected: "a language tag, for example de-DE") }
        return text
    }
    static let timeZone = Option(
        "--timezone",
        .other("<name>"),
        "The browser's time zone, for example Europe/Berlin.",
        otherwise: "this computer's"
    ) { (text, name) throws(UsageError) in
        let isName = text.utf8.allSatisfy { $0.isASCIILetter || $0.isDigit || "/_+-".utf8.contains($0) }
        guard !text.isEmpty, text.utf8.count <= 64, isName else {
            throw OptionValue.invalid(text, for: name, expected: "a time zone, for example Europe/Berlin")
        }
        return text
    }
    static let noBeacons = Option(
        "--no-beacons",
        .optionalWord("all"),
        "Send no beacons: each is listed as withheld. With =all, block the creative's own known tracking requests too."
    ) { (text, name) throws(UsageError) in
        switch text {
        case "": return Beacons.withheld
        case "all": return .allWithheld
        default: throw OptionValue.invalid(text, for: name, expected: "all, or no value")
        }
    }

    static let vpaid = Flag(
        "--vpaid",
        "Run VPAID programs in the browser, in place of a video file. Without it such an ad fails with error 901."
    )

    static let captions = Option(
        "--captions",
        .other("<language>"),
        "Show the captions of videos in this language, for example en, from the start.",
        otherwise: "off; the player has a button"
    ) { (text, name) throws(UsageError) in
        let isTag = text.utf8.allSatisfy { $0.isASCIILetter || $0.isDigit || $0 == UInt8(ascii: "-") }
        guard !text.isEmpty, text.utf8.count <= 35, isTag else {
            throw OptionValue.invalid(text, for: name, expected: "a language, for example en or pt-BR")
        }
        return text
    }

    /// The options of commands that show ads.
    static let options: [any OptionDeclaration] = [
        device, userAgent, header, cookie, macro, consent, network, locale, timeZone, noBeacons, vpaid, captions,
    ]

    /// Nil if the command line names none.
    private(set) var device: SimulatedDevice?
    private var givenUserAgent: String?
    private(set) var headers: [AdHTTPHeaders.Field] = []
    private var cookies: [String] = []
    private var givenMacros: [MacroValue] = []
    private(set) var consent = AdContext.Consent()
    private(set) var network: EngineNetwork?
    private var locale: String?
    private var timeZone: String?
    private(set) var beacons = Beacons.sent
    var runsVPAID = false
    private(set) var captionLanguage: String?

    /// Simulates nothing.
    init() {}

    init(_ arguments: Arguments) throws(UsageError) {
        self.device = try arguments.value(Self.device)
        self.givenUserAgent = try arguments.value(Self.userAgent)
        self.headers = try arguments.values(Self.header)
        self.cookies = try arguments.values(Self.cookie)
        self.givenMacros = try arguments.values(Self.macro)
        for signal in try arguments.values(Self.consent) { signal.apply(to: &self.consent) }
        self.network = try arguments.value(Self.network)?.network
        self.locale = try arguments.value(Self.locale)
        self.timeZone = try arguments.value(Self.timeZone)
        self.beacons = try arguments.value(Self.noBeacons) ?? .sent
        self.runsVPAID = arguments.has(Self.vpaid)
        self.captionLanguage = try arguments.value(Self.captions)
        if !self.cookies.isEmpty, let field = AdHTTPHeaders.Field("Cookie", self.cookies.joined(separator: "; ")) {
            self.headers.append(field)
        }
    }

    /// The values of macros: those of the command line, and those of the consent that ad servers' tags have.
    var macros: [MacroValue] {
        let consent = [
            ("GDPR", self.consent.tcf == nil ? nil : "1"), ("GDPR_CONSENT", self.consent.tcf),
            // The form of Google's tags: its number in the list of vendors (IAB TCF, "Global Vendor List").
            ("GDPR_CONSENT_755", self.consent.tcf), ("GPP", self.consent.gpp), ("US_PRIVACY", self.consent.usPrivacy),
        ]
        let known = Set(self.givenMacros.map(\.name))
        return self.givenMacros
            + consent.compactMap { name, value in
                known.contains(name) ? nil : value.flatMap { MacroValue(named: name, $0) }
            }
    }

    var withholdsBeacons: Bool { self.beacons != .sent }

    /// The User-Agent of every request of the run.
    ///
    /// Without a device, the browser has that of a phone, and so have the requests of the runtime.
    func userAgent(inBrowser: Bool) -> String {
        if let name = self.givenUserAgent ?? self.device?.userAgent { return name }
        return inBrowser ? "\(SimulatedDevice.android.userAgent) \(CommandVersion.userAgent)" : CommandVersion.userAgent
    }

    /// What the browser simulates.
    var engineDevice: EngineDevice {
        guard let device else {
            return SimulatedDevice.android.engineDevice(
                userAgent: self.userAgent(inBrowser: true),
                locale: self.locale,
                timeZone: self.timeZone
            )
        }
        return device.engineDevice(userAgent: self.givenUserAgent, locale: self.locale, timeZone: self.timeZone)
    }

    /// Adds the device, its language and the consent to the context of ad requests.
    func apply(to context: inout AdContext, inBrowser: Bool) {
        context.userAgent = self.userAgent(inBrowser: inBrowser)
        if let device { context.device = device.contextDevice(locale: self.locale) }
        context.device.language = self.locale
        context.consent = self.consent
    }
}

/// One consent signal of the command line.
struct ConsentOption: Sendable {
    private enum Signal {
        case tcf(String), gpp(String), usPrivacy(String), coppa
    }

    private let signal: Signal

    init(_ text: String, _ name: String) throws(UsageError) {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        switch (parts[0], parts.count == 2 ? parts[1] : nil) {
        case ("tcf", let value?) where !value.isEmpty: self.signal = .tcf(value)
        case ("gpp", let value?) where !value.isEmpty: self.signal = .gpp(value)
        case ("usp", let value?) where !value.isEmpty: self.signal = .usPrivacy(value)
        case ("coppa", nil): self.signal = .coppa
        default:
            throw OptionValue.invalid(
                text,
                for: name,
                expected: "tcf=<string>, gpp=<string>, usp=<string> or coppa"
            )
        }
    }

    func apply(to consent: inout AdContext.Consent) {
        switch self.signal {
        case .tcf(let text):
            consent.tcf = text
            consent.gdprApplies = true
        case .gpp(let text): consent.gpp = text
        case .usPrivacy(let text): consent.usPrivacy = text
        case .coppa: consent.coppa = true
        }
    }
}
