import AdCore
import AdHTML
import AdMarkup

/// Checks a JSON ad response, and the markup in it.
///
/// Of YABBI's ad responses all fields are checked, of OpenRTB's and Prebid's only the markup.
struct ResponseLint {
    private let json: AdJSON
    private let places: FieldPlaces

    static func check(_ bytes: [UInt8], _ log: inout LintLog) -> LintReport.Kind {
        let read: (json: AdJSON, repairs: [AdIssue])
        do throws(AdJSON.ParseError) {
            read = try AdJSON.reading(bytes)
        } catch {
            log.add(.answerNoJson, SourcePlace(line: error.line), error.description)
            return .answer
        }
        guard case .object(let members) = read.json else {
            log.add(.answerNoObject, ResponseLint.start, "the response is \(read.json.kind)")
            return .answer
        }
        // `AdJSON.reading` repairs trailing commas, but strict parsers reject them (RFC 8259 §4, §5).
        for repair in read.repairs where repair.code == "json.comma" {
            if case .line(let line) = repair.place { log.add(.answerNoJson, line, repair.message) }
        }
        for repair in read.repairs where repair.code == "json.duplicate" {
            if case .line(let line) = repair.place {
                log.add(.answerFieldTwice, line, repair.message)
            } else {
                log.add(.answerFieldTwice, nil, repair.message)
            }
        }
        let lint = ResponseLint(json: read.json, places: FieldPlaces(bytes))
        switch AdResponseFormat(read.json) {
        case .openRTB: lint.checkMarkup(.openRTB, .tag, &log)
        case .prebid: lint.checkMarkup(.prebid, .tag, &log)
        case .yabbi: lint.check(members, &log)
        case nil where members.isEmpty: lint.check(members, &log)
        case .activeAds, .ceedAds, .attentionMarket, .smarticoMessage, nil:
            let shown = members.prefix(5).map { $0.name.excerpt() }.joined(separator: ", ")
            log.add(.answerForeign, ResponseLint.start, "the response has neither type nor adm, but \(shown)")
        }
        return .answer
    }

    private func place(_ name: String) -> SourcePlace { self.places.place(of: name) ?? ResponseLint.start }

    private static let start = SourcePlace(line: 1, column: 1)

    /// Checks the markup of a response: of bids, nothing else.
    private func checkMarkup(_ format: AdResponseFormat, _ state: ServingState, _ log: inout LintLog) {
        for markup in ResponseMarkup.all(in: self.json, format) {
            // JSON within JSON is not checked again.
            if MarkupKind(sniffing: markup.text) == .json { continue }
            var inner = LintLog()
            inner.isOfPrivateNetwork = log.isOfPrivateNetwork
            let bytes = Array(markup.text.utf8)
            let kind = Lint.check(bytes, "utf-8", from: nil, in: state, &inner)
            if log.markup != nil {
                log.markup?.append(LintPart(name: markup.name, bytes: bytes, report: inner.report(kind)))
            } else {
                log.add(inner, from: markup.name, at: self.places.place(of: markup.field))
            }
        }
    }

    private func check(_ members: [AdJSON.Member], _ log: inout LintLog) {
        self.fields(members, &log)
        let type = self.type(&log)
        let markup = self.markup(type, &log)
        self.timeout(type, &log)
        self.size(type, markup, &log)
        self.trackers(markup, &log)
        // Escaped or encoded markup can't be checked.
        if let markup, ResponseLint.coding(of: markup) == nil { self.checkMarkup(.yabbi, .delivered, &log) }
    }

    // MARK: Fields

    private static let known = ["type", "adm", "closeTimeout", "width", "height", "tracker"]

    private func fields(_ members: [AdJSON.Member], _ log: inout LintLog) {
        for member in members.prefix(100) where !ResponseLint.known.contains(member.name) {
            let small = member.name.asciiLowercased
            let suggestion =
                ResponseLint.known.first { $0.asciiLowercased == small }
                ?? log.suggestion(for: member.name, as: .field, among: ResponseLint.known)
            if let suggestion {
                log.add(.answerFieldMisspelt, self.place(member.name), "\(member.name.excerpt()) must be \(suggestion)")
            } else {
                log.add(
                    .answerFieldUnknown,
                    self.place(member.name),
                    "the protocol has no field \(member.name.excerpt())"
                )
            }
        }
    }

    /// The number in a field, also if it is written as a string.
    private func number(_ name: String, _ log: inout LintLog) -> Double? {
        switch self.json[name] {
        case nil, .null: return nil
        case .number(let number): return number.double
        case .string(let text):
            guard let number = Double(text.trimmed), number.isFinite else {
                log.add(.answerFieldWrong, self.place(name), "\(name) is the string \(text.quoted)")
                return nil
            }
            log.add(.answerNumberText, self.place(name), "\(name) is the string \(text.quoted)")
            return number
        case let other?:
            log.add(.answerFieldWrong, self.place(name), "\(name) is \(other.kind)")
            return nil
        }
    }

    private func type(_ log: inout LintLog) -> Int? {
        // Some servers send an empty object for no fill.
        if case .object(let members) = self.json, members.isEmpty { return nil }
        guard self.json["type"] ?? .null != .null else {
            log.add(.answerTypeMissing, ResponseLint.start, "type is missing")
            return nil
        }
        guard let number = self.number("type", &log) else { return nil }
        guard let type = Int(exactly: number), (1...3).contains(type) else {
            log.add(.answerTypeUnknown, self.place("type"), "type is \(AdJSON.double(number).text().excerpt())")
            return nil
        }
        return type
    }

    private func markup(_ type: Int?, _ log: inout LintLog) -> String? {
        switch self.json["adm"] {
        case nil, .null:
            log.add(.answerAdmMissing, ResponseLint.start, "adm is missing")
            return nil
        case .string(let text):
            // A server sends an empty text for no fill.
            guard !text.trimmed.isEmpty else { return nil }
            self.kind(text, type, &log)
            return text
        case let other?:
            log.add(.answerFieldWrong, self.place("adm"), "adm is \(other.kind)")
            return nil
        }
    }

    private func kind(_ text: String, _ type: Int?, _ log: inout LintLog) {
        if let rule = ResponseLint.coding(of: text) {
            return log.add(rule, self.place("adm"), "adm begins with \(text.trimmed.prefix(200).quoted)")
        }
        guard let type else { return }
        let kind = MarkupKind(sniffing: text)
        let fits =
            switch kind {
            case .html, .text: type == 1
            case .vast, .vmap: type != 1
            default: false
            }
        if !fits {
            log.add(.answerAdmMismatch, self.place("adm"), "type is \(type), but adm is \(kind.description.excerpt())")
        }
    }

    /// The rule that markup breaks because it is escaped or encoded; nil for plain markup.
    private static func coding(of text: String) -> LintRule? {
        let head = text.trimmed.prefix(200)
        if head.hasPrefix("&lt;") || head.hasPrefix("&#60;") { return .answerAdmEscaped }
        if head.hasPrefix("%3C") || head.hasPrefix("%3c") { return .answerAdmEncoded }
        let isBase64 =
            head.utf8.count >= 40
            && ["PFZBU1", "PD94bW", "PCFET0", "PGh0bW", "PGRpdi", "PGEga"].contains(where: head.hasPrefix)
        return isBase64 ? .answerAdmEncoded : nil
    }

    private static let maxTimeout = Double(ClosePlan.maximumCloseDelay.wholeMilliseconds)

    private func timeout(_ type: Int?, _ log: inout LintLog) {
        guard let time = self.number("closeTimeout", &log) else { return }
        let place = self.place("closeTimeout")
        if time < 0 {
            log.add(.answerTimeoutNegative, place, "closeTimeout is \(AdJSON.double(time).text())")
        } else if time > 0, time <= 120 {
            log.add(.answerTimeoutSeconds, place, "closeTimeout is \(AdJSON.double(time).text())")
        } else if time > 30_000, type == 1 {
            let isCut = time > ResponseLint.maxTimeout
            let bound = isCut ? "; the limit is ten minutes (\(Int(ResponseLint.maxTimeout)))" : ""
            log.add(.answerTimeoutLong, place, "closeTimeout is \(AdJSON.double(time).text())\(bound)")
        }
    }

    // MARK: Sizes

    private func size(_ type: Int?, _ markup: String?, _ log: inout LintLog) {
        guard markup != nil else { return }
        let sides = ["width", "height"].map { name -> Double? in
            guard self.json[name] ?? .null != .null else {
                log.add(.answerSizeMissing, ResponseLint.start, "there is no \(name)")
                return nil
            }
            guard let side = self.number(name, &log) else { return nil }
            guard side >= 0, side <= 100_000 else {
                log.add(.answerSizeWrong, self.place(name), "\(name) is \(AdJSON.double(side).text())")
                return nil
            }
            return side
        }
        guard let width = sides[0], let height = sides[1] else { return }
        if (width == 0) != (height == 0) {
            let shown = "\(AdJSON.double(width).text()) × \(AdJSON.double(height).text())"
            return log.add(.answerSizeHalf, self.place("width"), "the size is \(shown)")
        }
        guard type == 1, width > 0, let markup, let made = (try? HTMLDocument(parsing: markup))?.declaredSize,
            made.evidence != .image,
            Double(made.width) != width || Double(made.height) != height
        else { return }
        let shown = "\(AdJSON.double(width).text()) × \(AdJSON.double(height).text())"
        log.add(
            .answerSizeMismatch,
            self.place("width"),
            "the response says \(shown), the creative \(made.width) × \(made.height)"
        )
    }

    // MARK: Trackers

    private func trackers(_ markup: String?, _ log: inout LintLog) {
        guard let markup else { return }
        switch self.json["tracker"] {
        case nil, .null, .object: break
        case let other?: log.add(.answerFieldWrong, self.place("tracker"), "tracker is \(other.kind)")
        }
        let view = self.tracker("view", missing: .answerViewMissing, &log)
        let click = self.tracker("click", missing: .answerClickMissing, &log)
        guard let view else { return }
        if view == click { log.add(.answerTrackersSame, self.place("click"), "both are \(view.quotedURL)") }
        if ResponseLint.requests(view, in: markup) {
            log.add(.answerBillingTwice, self.place("adm"), "adm also contains \(view.quotedURL)")
        }
    }

    private func tracker(_ name: String, missing: LintRule, _ log: inout LintLog) -> String? {
        switch self.json["tracker"]?[name] {
        case nil, .null: log.add(missing, self.place("tracker"), "tracker.\(name) is missing")
        case .string(let text) where text.trimmed.isEmpty:
            log.add(missing, self.place(name), "tracker.\(name) is empty")
        case .string(let text):
            guard let url = HTTPURL(text) else {
                log.add(.answerTrackerBroken, self.place(name), "tracker.\(name) is \(text.quotedURL)")
                return nil
            }
            if !url.isSecure, !URLCheck.isOfPrivateServer(text, log) {
                log.add(.answerTrackerInsecure, self.place(name), "tracker.\(name) is \(text.quotedURL)")
            }
            for macro in LintMacros.macros(in: text) {
                log.add(.macroUnresolved, self.place(name), "\(macro.text.excerpt(70)) is in tracker.\(name)")
            }
            return text.trimmed
        case let other?: log.add(.answerFieldWrong, self.place(name), "tracker.\(name) is \(other.kind)")
        }
        return nil
    }

    /// Whether markup requests a URL itself, as a pixel or as an impression.
    private static func requests(_ address: String, in markup: String) -> Bool {
        switch MarkupKind(sniffing: markup) {
        case .vast, .vmap:
            guard let document = try? VASTDocument(parsing: markup) else { return false }
            return document.ads.contains { ad in ad.impressions.contains { $0.url.text == address } }
        default:
            guard let document = try? HTMLDocument(parsing: markup) else { return false }
            return document.pixels.contains { !$0.isInert && $0.template.text == address }
        }
    }
}

/// The places of the members of a JSON text, by their names.
struct FieldPlaces {
    private var places: [String: SourcePlace] = [:]

    init(_ bytes: [UInt8]) {
        var counter = SourcePlaces()
        var at = 0
        while at < bytes.count, self.places.count < 1000 {
            guard bytes[at] == UInt8(ascii: "\"") else {
                at += 1
                continue
            }
            let start = at + 1
            at = start
            while at < bytes.count, bytes[at] != UInt8(ascii: "\"") { at += bytes[at] == UInt8(ascii: "\\") ? 2 : 1 }
            let end = min(at, bytes.count)
            at += 1
            guard end - start < 200,
                bytes[min(at, bytes.count)...].first(where: { !$0.isWhiteSpace }) == UInt8(ascii: ":")
            else { continue }
            let name = String(decoding: bytes[start..<end], as: UTF8.self)
            self.places[name] = counter.place(at: start - 1, in: bytes)
        }
    }

    /// The place of the last member with a name; nil if there is none.
    func place(of name: String) -> SourcePlace? { self.places[name] }
}
