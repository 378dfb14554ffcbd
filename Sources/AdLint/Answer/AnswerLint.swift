import AdCore
import AdHTML
import AdMarkup

/// Looks at an answer of YABBI's server, and at the markup that it carries.
struct AnswerLint {
    private let json: AdJSON
    private let places: FieldPlaces

    static func check(_ bytes: [UInt8], _ log: inout LintLog) -> LintReport.Kind {
        let read: (json: AdJSON, repairs: [AdIssue])
        do throws(AdJSON.Fault) {
            read = try AdJSON.reading(bytes)
        } catch {
            log.add(.answerNoJson, SourcePlace(line: error.line), error.description)
            return .answer
        }
        guard case .object(let members) = read.json else {
            log.add(.answerNoObject, AnswerLint.start, "the answer is \(read.json.kind)")
            return .answer
        }
        // It is read here, and refused by every strict reader.
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
        let lint = AnswerLint(json: read.json, places: FieldPlaces(bytes))
        switch AnswerShape(read.json) {
        case .openRTB: lint.bids(&log)
        case .prebid: lint.prebid(&log)
        case .yabbi: lint.check(members, &log)
        case nil where members.isEmpty: lint.check(members, &log)
        case .activeAds, .ceedAds, .attentionMarket, nil:
            let shown = members.prefix(5).map { $0.name.excerpt() }.joined(separator: ", ")
            log.add(.answerForeign, AnswerLint.start, "the answer has neither type nor adm, but \(shown)")
        }
        return .answer
    }

    private func place(_ name: String) -> SourcePlace { self.places.place(of: name) ?? AnswerLint.start }

    private static let start = SourcePlace(line: 1, column: 1)

    /// The markup in an answer of OpenRTB; the rest of it is another protocol's.
    private func bids(_ log: inout LintLog) {
        let bids = self.json["seatbid"]?.array?.flatMap { $0["bid"]?.array ?? [] } ?? []
        for (index, bid) in bids.prefix(20).enumerated() {
            guard let markup = bid["adm"]?.string, !markup.trimmed.isEmpty else { continue }
            self.markup(markup, called: "adm of bid \(index + 1)", .tag, &log)
        }
    }

    /// The markup in Prebid's bids; the rest of them is another protocol's.
    private func prebid(_ log: inout LintLog) {
        for markup in PrebidMarkup.all(in: self.json) {
            self.markup(markup.text, called: markup.name, .tag, field: markup.field, &log)
        }
    }

    private func markup(
        _ markup: String,
        called name: String,
        _ stage: LintStage,
        field: String = "adm",
        _ log: inout LintLog
    ) {
        // An answer in an answer is none: what is in it is not looked at again.
        if MarkupKind(sniffing: markup) == .json { return }
        var inner = LintLog()
        _ = Lint.check(Array(markup.utf8), "utf-8", from: nil, at: stage, &inner)
        log.add(inner, from: name, at: self.places.place(of: field))
    }

    private func check(_ members: [AdJSON.Member], _ log: inout LintLog) {
        self.fields(members, &log)
        let type = self.type(&log)
        let markup = self.markup(type, &log)
        self.timeout(type, &log)
        self.size(type, markup, &log)
        self.trackers(markup, &log)
        // Of markup that has to be decoded before it is any, nothing more can be said.
        if let markup, AnswerLint.coding(of: markup) == nil { self.markup(markup, called: "adm", .delivered, &log) }
    }

    // MARK: Fields

    private static let known = ["type", "adm", "closeTimeout", "width", "height", "tracker"]

    private func fields(_ members: [AdJSON.Member], _ log: inout LintLog) {
        for member in members.prefix(100) where !AnswerLint.known.contains(member.name) {
            let small = member.name.asciiLowercased
            let meant =
                AnswerLint.known.first { $0.asciiLowercased == small }
                ?? log.meant(by: member.name, as: .field, among: AnswerLint.known)
            if let meant {
                log.add(.answerFieldMisspelt, self.place(member.name), "\(member.name.excerpt()) must be \(meant)")
            } else {
                log.add(.answerFieldUnknown, self.place(member.name), "the protocol has no \(member.name.excerpt())")
            }
        }
    }

    /// A number, also one that was written as text.
    private func number(_ name: String, _ log: inout LintLog) -> Double? {
        switch self.json[name] {
        case nil, .null: return nil
        case .number(let number): return number.double
        case .string(let text):
            guard let number = Double(text.trimmed), number.isFinite else {
                log.add(.answerFieldWrong, self.place(name), "\(name) is the text \(text.quoted)")
                return nil
            }
            log.add(.answerNumberText, self.place(name), "\(name) is the text \(text.quoted)")
            return number
        case let other?:
            log.add(.answerFieldWrong, self.place(name), "\(name) is \(other.kind)")
            return nil
        }
    }

    private func type(_ log: inout LintLog) -> Int? {
        // An empty object is how some servers say that there is no ad.
        if case .object(let members) = self.json, members.isEmpty { return nil }
        guard self.json["type"] ?? .null != .null else {
            log.add(.answerTypeMissing, AnswerLint.start, "there is no type")
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
            log.add(.answerAdmMissing, AnswerLint.start, "there is no adm")
            return nil
        case .string(let text):
            // Empty is how a server says that there is no ad.
            guard !text.trimmed.isEmpty else { return nil }
            self.kind(text, type, &log)
            return text
        case let other?:
            log.add(.answerFieldWrong, self.place("adm"), "adm is \(other.kind)")
            return nil
        }
    }

    private func kind(_ text: String, _ type: Int?, _ log: inout LintLog) {
        if let rule = AnswerLint.coding(of: text) {
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
            log.add(.answerAdmMismatch, self.place("adm"), "type is \(type), and adm is \(kind.description.excerpt())")
        }
    }

    /// What is wrong with markup that is not there as it is; nil if it is.
    private static func coding(of text: String) -> LintRule? {
        let head = text.trimmed.prefix(200)
        if head.hasPrefix("&lt;") || head.hasPrefix("&#60;") { return .answerAdmEscaped }
        if head.hasPrefix("%3C") || head.hasPrefix("%3c") { return .answerAdmEncoded }
        let isBase64 =
            head.utf8.count >= 40
            && ["PFZBU1", "PD94bW", "PCFET0", "PGh0bW", "PGRpdi", "PGEga"].contains(where: head.hasPrefix)
        return isBase64 ? .answerAdmEncoded : nil
    }

    private static let longestTimeout = Double(ClosePlan.longestTimeout.wholeMilliseconds)

    private func timeout(_ type: Int?, _ log: inout LintLog) {
        guard let time = self.number("closeTimeout", &log) else { return }
        let place = self.place("closeTimeout")
        if time < 0 {
            log.add(.answerTimeoutNegative, place, "closeTimeout is \(AdJSON.double(time).text())")
        } else if time > 0, time <= 120 {
            log.add(.answerTimeoutSeconds, place, "closeTimeout is \(AdJSON.double(time).text())")
        } else if time > 30_000, type == 1 {
            let isCut = time > AnswerLint.longestTimeout
            let bound = isCut ? "; no more than ten minutes (\(Int(AnswerLint.longestTimeout))) are honoured" : ""
            log.add(.answerTimeoutLong, place, "closeTimeout is \(AdJSON.double(time).text())\(bound)")
        }
    }

    // MARK: Sizes

    private func size(_ type: Int?, _ markup: String?, _ log: inout LintLog) {
        guard markup != nil else { return }
        let sides = ["width", "height"].map { name -> Double? in
            guard self.json[name] ?? .null != .null else {
                log.add(.answerSizeMissing, AnswerLint.start, "there is no \(name)")
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
            "the answer says \(shown), and the creative \(made.width) × \(made.height)"
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
        if view == click { log.add(.answerTrackersSame, self.place("click"), "both are \(view.quotedAddress)") }
        if AnswerLint.calls(view, in: markup) {
            log.add(.answerBillingTwice, self.place("adm"), "adm has \(view.quotedAddress) in it as well")
        }
    }

    private func tracker(_ name: String, missing: LintRule, _ log: inout LintLog) -> String? {
        switch self.json["tracker"]?[name] {
        case nil, .null: log.add(missing, self.place("tracker"), "there is no tracker.\(name)")
        case .string(let text) where text.trimmed.isEmpty:
            log.add(missing, self.place(name), "tracker.\(name) is empty")
        case .string(let text):
            guard let url = HTTPURL(text) else {
                log.add(.answerTrackerBroken, self.place(name), "tracker.\(name) is \(text.quotedAddress)")
                return nil
            }
            if !url.isSecure {
                log.add(.answerTrackerInsecure, self.place(name), "tracker.\(name) is \(text.quotedAddress)")
            }
            for macro in LintMacros.macros(in: text) {
                log.add(.macroUnresolved, self.place(name), "\(macro.text.excerpt(70)) stands in tracker.\(name)")
            }
            return text.trimmed
        case let other?: log.add(.answerFieldWrong, self.place(name), "tracker.\(name) is \(other.kind)")
        }
        return nil
    }

    /// Whether markup calls an address by itself: as a pixel, or as an impression.
    private static func calls(_ address: String, in markup: String) -> Bool {
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

/// Where the members of a JSON text are, by their names.
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

    /// Where a name stands last; nil if it stands nowhere.
    func place(of name: String) -> SourcePlace? { self.places[name] }
}
