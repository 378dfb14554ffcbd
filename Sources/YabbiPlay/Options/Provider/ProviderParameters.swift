import AdCore
import PlayConsole

/// The values of `--set <name>=<value>`, by the provider's own field names.
struct ProviderParameters: Sendable {
    private let values: [(name: String, value: String)]

    /// The values that are not printed.
    let secrets: [String]

    /// Throws for unknown names, and for repeated names that take one value.
    init(_ values: [(name: String, value: String)], for provider: ProviderChoice) throws(UsageError) {
        var seen: Set<String> = []
        var secrets: [String] = []
        for (name, text) in values {
            let declared = try ProviderParameters.declaration(of: name, for: provider)
            guard seen.insert(name).inserted || declared.isRepeatable else {
                throw UsageError("--set \(name)=… was given twice; give it once")
            }
            if declared.isPrivate || Redaction.isSecret(name) { secrets.append(text) }
        }
        self.values = values
        self.secrets = secrets
    }

    private static func declaration(
        of name: String,
        for provider: ProviderChoice
    ) throws(UsageError) -> ProviderValue {
        let known = provider.values
        guard !known.isEmpty else {
            throw UsageError(
                "--set is not for --provider \(provider.rawValue); use --unit, --format and the --app-… options"
            )
        }
        if let value = known.first(where: { $0.name == name }) { return value }
        let names = known.map(\.name)
        let hint = Suggestion.nearest(to: name, among: names).map { "did you mean \($0)?" }
        let fix = hint ?? "known names: \(names.joined(separator: ", "))"
        throw UsageError("unknown name \u{201C}\(name)\u{201D} in --set for \(provider.rawValue); \(fix)")
    }

    /// Parses `<name>=<value>`.
    static func pair(_ text: String, _ option: String) throws(UsageError) -> (name: String, value: String) {
        guard let equals = text.firstIndex(of: "="), equals > text.startIndex else {
            throw OptionValue.invalid(
                text,
                for: option,
                expected: "<name>=<value>; see yabbi-play help providers"
            )
        }
        return (String(text[..<equals]), String(text[text.index(after: equals)...]))
    }

    /// The text that was given; nil if none was.
    subscript(value: ProviderValue) -> String? { self.values.last { $0.name == value.name }?.value }

    /// The text that was given, or the default.
    subscript(defaulted: DefaultedProviderValue) -> String { self[defaulted.value] ?? defaulted.standard }

    /// All texts that were given, in order.
    func all(_ value: ProviderValue) -> [String] { self.values.filter { $0.name == value.name }.map(\.value) }
}
