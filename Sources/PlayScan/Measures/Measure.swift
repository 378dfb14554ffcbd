package import AdCore
import PlayConsole

/// One thing that `scan` measures of a creative; policies name it.
package struct Measure: Hashable, Sendable {
    /// What its values are.
    package enum Unit: String, Hashable, Sendable {
        case bytes, milliseconds, seconds, percent, count
        /// True or false.
        case flag
        /// A list of texts; a limit is about their number.
        case list
        /// One word of a few.
        case word
    }

    /// As in `bytes.initial`.
    package let name: String
    package let unit: Unit
    /// The beginning of a message, as in "Initial load".
    package let title: String
    /// What exactly is measured.
    package let summary: String

    /// The measure whose text explains a value of this one; nil if none does.
    let explanation: String?

    init(_ name: String, _ unit: Unit, _ title: String, _ summary: String, explainedBy explanation: String? = nil) {
        self.explanation = explanation
        self.name = name
        self.unit = unit
        self.title = title
        self.summary = summary
    }

    /// The measure with a name.
    package static func named(_ name: String) -> Measure? { Measure.byName[name] }

    private static let byName = Dictionary(uniqueKeysWithValues: Measure.all.map { ($0.name, $0) })

    /// A number of this measure as text.
    package func text(_ number: Double) -> String {
        switch self.unit {
        case .bytes: Quantity.bytes(Int(min(max(number, 0), 1e15)))
        case .milliseconds: "\(Measure.rounded(number, to: 1)) ms"
        case .seconds: "\(Measure.rounded(number, to: 10)) s"
        case .percent: "\(Measure.rounded(number, to: 1)) %"
        case .count, .flag, .list, .word: Measure.rounded(number, to: 10)
        }
    }

    private static func rounded(_ number: Double, to parts: Double) -> String {
        AdJSON.double((number * parts).rounded() / parts).text()
    }
}

/// The value of a measure.
package enum MeasureValue: Hashable, Sendable {
    case number(Double)
    case flag(Bool)
    case list([String])
    case word(String)

    /// What a limit is compared with: the number, or that of the texts.
    package var number: Double? {
        switch self {
        case .number(let number): number
        case .list(let texts): Double(texts.count)
        case .flag, .word: nil
        }
    }

    /// Whether there is something: a number that is not 0, true, or at least one text.
    var isPresent: Bool {
        switch self {
        case .number(let number): number != 0
        case .flag(let flag): flag
        case .list(let texts): !texts.isEmpty
        case .word(let word): !word.isEmpty
        }
    }

    package var json: AdJSON {
        switch self {
        case .number(let number): .double((number * 1_000).rounded() / 1_000)
        case .flag(let flag): .bool(flag)
        case .list(let texts): .array(texts.map { .string($0) })
        case .word(let word): .string(word)
        }
    }

    /// Reads a value of a measure; nil if it has another type.
    init?(_ json: AdJSON, of unit: Measure.Unit) {
        switch unit {
        case .bytes, .milliseconds, .seconds, .percent, .count:
            guard let number = json.number else { return nil }
            self = .number(number)
        case .flag:
            guard json == true || json == false else { return nil }
            self = .flag(json == true)
        case .list:
            guard let values = json.array else { return nil }
            self = .list(values.compactMap(\.string))
        case .word:
            guard let word = json.string else { return nil }
            self = .word(word)
        }
    }
}

/// The measures of one creative; one that does not apply to it, or is unknown, has no value.
package struct CreativeMeasures: Hashable, Sendable {
    private var values: [String: MeasureValue] = [:]

    package init() {}

    package subscript(measure: Measure) -> MeasureValue? { self.values[measure.name] }

    /// The value of a measure by its name, for the code that measures.
    subscript(name: String) -> MeasureValue? {
        get { self.values[name] }
        set {
            assert(Measure.named(name) != nil, "\(name) is not in Measure.all")
            self.values[name] = newValue
        }
    }

    package mutating func set(_ name: String, _ value: MeasureValue?) { self[name] = value }

    /// One member for each measure with a value, in the order of the table.
    package var json: AdJSON {
        .object(Measure.all.compactMap { measure in self[measure].map { AdJSON.Member(measure.name, $0.json) } })
    }

    /// Reads what `json` has written; unknown members are left out.
    package init(_ json: AdJSON) {
        for measure in Measure.all {
            self.values[measure.name] = json[measure.name].flatMap { MeasureValue($0, of: measure.unit) }
        }
    }
}
