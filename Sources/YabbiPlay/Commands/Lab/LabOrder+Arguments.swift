import AdCore
import PlayConsole
import PlayLab
import PlayStages

/// The command line of an order.
struct LabArguments {
    /// The words of `show` for the lab.
    let words: [String]
    /// The command line that repeats the run.
    let command: String
    /// The bytes of the source, if the page sent them; nil if the command reads them.
    let bytes: [UInt8]?
    /// The name of the source; nil for a placement.
    let name: String?
    /// The provider and the id of a placement.
    private let placement: String?

    /// The name for lists: what was pasted is told apart by its beginning.
    var title: String? {
        guard let bytes, self.name == LabOrder.pastedName else { return self.name ?? self.placement }
        return "pasted: \(String(decoding: bytes.prefix(400), as: UTF8.self).trimmed.excerpt(60))"
    }

    /// Options that the lab sets itself or that have no effect in it.
    private static let refused: Set<String> = [
        "json", "stage", "report", "trace", "trace-secrets", "screenshot", "ledger", "open", "headful", "clock",
        "repeat", "dry-run", "verbose", "creatives", "no-sandbox", "resend",
    ]

    init(_ order: LabOrder, _ settings: LabSettings) throws(LabError) {
        var words: [String] = []
        var (name, bytes): (String?, [UInt8]?) = (nil, nil)
        switch order.source {
        case .document(let data, let called): (name, bytes) = (called, data)
        case .address(let text): name = text
        case .bundled(let unit): words += ["--unit", unit]
        case .placement(let provider, let fields):
            words += try LabArguments.words(ofPlacement: fields, at: provider)
        }
        for option in order.options {
            guard !LabArguments.refused.contains(option.name) else {
                throw LabError("--\(option.name) has no effect in the lab", field: option.name)
            }
            words += try LabArguments.words(of: option)
        }
        if !order.options.contains(where: { $0.name == "device" || $0.name == "size" }) {
            words += ["--device", SimulatedDevice.iPhone.name]
        }
        words += ["--stage", settings.engine.rawValue] + LabArguments.words(of: settings, for: order.source)
        // A name may begin with a hyphen.
        let file = name.map { ["--", $0] } ?? []
        (self.words, self.bytes, self.name) = (["--json"] + words + file, bytes, name)
        self.placement = order.source.placement
        // What was pasted is saved from the page first, like a file that was sent.
        let input = order.file.map { ["--", $0.name] } ?? file
        self.command = (["yabbi-play", "show"] + (words + input).map(LabArguments.quoted)).joined(separator: " ")
    }

    /// The words of a placement, checked so that an error names its field.
    private static func words(ofPlacement fields: [LabField], at name: String) throws(LabError) -> [String] {
        guard let provider = ProviderChoice(rawValue: name) else {
            throw LabError("unknown provider \(name.excerpt(60))", field: "provider")
        }
        let endpoint = fields.value(of: "endpoint")
        let isBuiltIn = endpoint == nil
        if let endpoint {
            let isURL = provider.isConnected ? SocketURL(endpoint) != nil : HTTPURL(endpoint) != nil
            let kind = provider.isConnected ? "a ws or wss" : "an http or https"
            guard isURL else {
                throw LabError("\(endpoint.excerpt(100)) can't be an endpoint; enter \(kind) URL", field: "endpoint")
            }
        }
        if provider.takesUnit, fields.value(of: "unit") == nil {
            let example =
                isBuiltIn ? "; of the built-in server it is the name of a creative, for example banner-320x50" : ""
            throw LabError("enter the id of the placement\(example)", field: "unit")
        }
        for value in provider.values where value.isRequired && !isBuiltIn && fields.value(of: value.name) == nil {
            let name = value.name.replacing("_", with: " ")
            throw LabError("enter the \(name), which an endpoint requires", field: value.name)
        }
        var words = ["--provider", name]
        for field in fields {
            switch field.name {
            case "unit": words += ["--unit=\(field.value)"]
            case "endpoint": words += try self.words(of: field)
            default: words += ["--set", "\(field.name)=\(field.value)"]
            }
        }
        return words
    }

    /// The options of the whole lab, as words of `show`.
    private static func words(of settings: LabSettings, for source: LabOrder.Source) -> [String] {
        let sandbox = settings.isSandboxed ? [] : ["--no-sandbox"]
        guard let creatives = settings.creatives else { return sandbox }
        switch source {
        case .bundled: return sandbox + ["--creatives", creatives]
        case .placement(let provider, let fields):
            let takesUnit = ProviderChoice(rawValue: provider)?.takesUnit ?? false
            return takesUnit && fields.value(of: "endpoint") == nil ? sandbox + ["--creatives", creatives] : sandbox
        case .document, .address: return sandbox
        }
    }

    /// The words of an option, checked so that an error names its field.
    private static func words(of option: LabField) throws(LabError) -> [String] {
        let name = "--\(option.name)"
        guard let declared = ShowCommand.options.first(where: { $0.name == name }) else {
            let hint = OptionValue.hint(for: name, among: ShowCommand.options.map(\.name))
            throw LabError("unknown option \(name)\(hint)", field: option.name)
        }
        do throws(UsageError) {
            if declared.argument.placeholder != nil { try declared.validate(option.value) }
        } catch {
            throw LabError(error.message, field: option.name)
        }
        // With an equals sign a value may begin with a hyphen.
        return [option.value.isEmpty ? name : "\(name)=\(option.value)"]
    }

    private static func quoted(_ word: String) -> String {
        let isPlain = word.utf8.allSatisfy { $0.isASCIILetter || $0.isDigit || "-_./:=,@%+".utf8.contains($0) }
        return isPlain && !word.isEmpty ? word : "'" + word.replacing("'", with: "'\\''") + "'"
    }
}

extension LabOrder.Source {
    /// The provider and the id of a placement, as in `openrtb: home-top`.
    fileprivate var placement: String? {
        guard case .placement(let provider, let fields) = self else { return nil }
        return fields.value(of: "unit").map { "\(provider): \($0)" } ?? provider
    }
}

extension [LabField] {
    /// The first value of a field; nil if it is not filled.
    fileprivate func value(of name: String) -> String? { self.first { $0.name == name }?.value }
}
