import AdCore
import WebStage

// What pages send as JSON.

extension LabOrder {
    /// The greatest size of a document, in bytes.
    package static let maxDocumentBytes = 32 << 20

    /// The name of what was pasted.
    package static let pastedName = "pasted"

    /// Reads the body of `POST /ads`; `again` is the order of an earlier ad.
    init(_ json: AdJSON, again: (String) -> LabOrder?) throws(LabError) {
        guard let source = json["source"] else { throw LabError("source is missing", field: "source") }
        let options = try LabOrder.options(json["options"] ?? [:])
        switch source["kind"]?.string {
        case "markup": self.init(try .markup(source), options: options)
        case "url":
            self.init(try .address(source), options: options)
        case "file": self.init(try .file(source), options: options)
        case "placement": self.init(try .placement(source), options: options)
        case "bundled":
            guard let name = source["name"]?.string, !name.isEmpty else {
                throw LabError("choose a creative", field: "bundled")
            }
            self.init(.bundled(name), options: options)
        case "ad":
            guard let order = source["id"]?.string.flatMap(again) else {
                throw LabError("the ad is not kept any more; send its source again", field: "source", status: 404)
            }
            self.init(order.source, options: json["options"] == nil ? order.options : options)
        default:
            throw LabError("source.kind must be markup, url, file, placement, bundled or ad", field: "source")
        }
    }

    /// The options as words of the command line: a flag is true, a list gives an option several times.
    private static func options(_ json: AdJSON) throws(LabError) -> [LabField] {
        guard case .object(let members) = json else { throw LabError("options must be an object", field: "options") }
        var options: [LabField] = []
        for member in members {
            let isName = member.name.utf8.allSatisfy { $0.isASCIILetter || $0 == UInt8(ascii: "-") }
            guard isName, !member.name.isEmpty else {
                throw LabError("unknown option \(member.name.excerpt(60))", field: member.name)
            }
            switch member.value {
            case .null, .bool(false): break
            case .bool(true): options.append(LabField(member.name, ""))
            case .array(let values):
                guard values.count <= 100 else { throw LabError("too many values", field: member.name) }
                for value in values { options.append(LabField(member.name, value.string ?? value.text())) }
            default: options.append(LabField(member.name, member.value.string ?? member.value.text()))
            }
        }
        return options
    }
}

extension LabOrder.Source {
    fileprivate static func markup(_ json: AdJSON) throws(LabError) -> LabOrder.Source {
        guard let text = json["text"]?.string, text.contains(where: { !$0.isWhitespace }) else {
            throw LabError("paste a tag, VAST, or an ad response", field: "text")
        }
        // A pasted address is that of a tag.
        if HTTPURL(text.trimmed) != nil { return .address(text.trimmed) }
        return .document(Array(text.utf8), name: json["name"]?.string?.excerpt(200) ?? LabOrder.pastedName)
    }

    /// A URL; one without a scheme could be the path of a file of this computer.
    fileprivate static func address(_ json: AdJSON) throws(LabError) -> LabOrder.Source {
        guard let text = json["text"]?.string?.trimmed, !text.isEmpty else {
            throw LabError("the address is empty; write an http or https URL", field: "url")
        }
        if HTTPURL(text) != nil { return .address(text) }
        if !text.contains("://"), let url = HTTPURL("https://\(text)"), url.host.contains(".") {
            throw LabError("the address has no scheme; write https://\(text.excerpt(200))", field: "url")
        }
        let fix = "write an http or https URL; a file is sent with the tab File"
        throw LabError("\(text.excerpt(200)) can't be fetched; \(fix)", field: "url")
    }

    /// A file: its bytes, or its path on this computer.
    fileprivate static func file(_ json: AdJSON) throws(LabError) -> LabOrder.Source {
        // A hyphen would read the command's standard input.
        guard let name = json["name"]?.string, !name.isEmpty, name != "-" else {
            throw LabError("choose a file", field: "file")
        }
        guard let data = json["data"]?.string else { return .address(name) }
        guard let bytes = Base64.bytes(data) else { throw LabError("the file's data is not base64", field: "file") }
        guard bytes.count <= LabOrder.maxDocumentBytes else {
            throw LabError("\(name) has more than \(LabOrder.maxDocumentBytes >> 20) MB", field: "file", status: 413)
        }
        return .document(bytes, name: name.excerpt(200))
    }

    fileprivate static func placement(_ json: AdJSON) throws(LabError) -> LabOrder.Source {
        guard let provider = json["provider"]?.string else { throw LabError("choose a provider", field: "provider") }
        guard case .object(let members)? = json["fields"] else { return .placement(provider: provider, fields: []) }
        var fields: [LabField] = []
        for member in members {
            let values = member.value.array ?? [member.value]
            for value in values {
                let text = value.string ?? value.text()
                if !text.isEmpty, value != .null { fields.append(LabField(member.name, text)) }
            }
        }
        return .placement(provider: provider, fields: fields)
    }
}

extension LabInput {
    /// Reads the body of `POST /ads/ID/input`.
    init(_ json: AdJSON) throws(LabError) {
        func number(_ name: String) throws(LabError) -> Double {
            guard let value = json[name]?.number, abs(value) <= 100_000 else {
                throw LabError("\(name) must be a number of points", field: name)
            }
            return value
        }
        switch json["type"]?.string {
        case "tap": self = .tap(x: try number("x"), y: try number("y"))
        case "scroll":
            self = .scroll(x: try number("x"), y: try number("y"), dx: try number("dx"), dy: try number("dy"))
        case "key":
            self = .key(
                EngineKey(
                    isDown: json["phase"] != "up",
                    key: (json["key"]?.string ?? "").excerpt(40),
                    code: (json["code"]?.string ?? "").excerpt(40),
                    text: (json["text"]?.string ?? "").excerpt(40),
                    modifiers: json["modifiers"]?.number.flatMap { Int(exactly: $0) } ?? 0
                )
            )
        case let type:
            guard let step = type.flatMap(BrowserStage.PointerStep.init) else {
                throw LabError("type must be press, move, release, tap, scroll or key", field: "type")
            }
            self = .point(step, x: try number("x"), y: try number("y"))
        }
    }
}

extension LabAction {
    /// Reads the body of `POST /ads/ID/do`; nil for the end of the ad.
    static func read(_ json: AdJSON) throws(LabError) -> LabAction? {
        guard let text = json["action"]?.string?.trimmed, !text.isEmpty else {
            throw LabError("action is missing", field: "action")
        }
        switch text {
        case "end": return nil
        case "offline": return .online(false)
        case "online": return .online(true)
        default: break
        }
        guard text == "resize" || text.hasPrefix("resize ") else { return .step(text) }
        let sides = text.dropFirst(7).lowercased().split(separator: "x").map { Double($0) }
        guard sides.count == 2, let width = sides[0], let height = sides[1], (50...4_000).contains(width),
            (50...4_000).contains(height)
        else { throw LabError("resize takes a size from 50x50 to 4000x4000", field: "action") }
        return .resize(Size(width: width, height: height))
    }
}
