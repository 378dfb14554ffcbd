import AdCore
import AdMarkup

/// A value of a script.
enum ScriptValue: Equatable {
    case undefined, null
    case boolean(Bool)
    case number(Double)
    case string(String)
    /// The index of an object.
    case object(Int)
    /// It can't be known without the device, the network or another script; the text names where it comes from.
    case unknown(String)

    /// What depends on a branch that may be taken or not.
    static let conditional = ScriptValue.unknown("a condition that can't be known here")

    /// Whether it counts as true (ECMA-262 §7.1.2); nil if that can't be known.
    var truth: Bool? {
        switch self {
        case .undefined, .null: false
        case .boolean(let value): value
        case .number(let value): value != 0 && !value.isNaN
        case .string(let value): !value.isEmpty
        case .object: true
        case .unknown: nil
        }
    }

    var isUnknown: Bool { if case .unknown = self { true } else { false } }

    var isMissing: Bool { self == .undefined || self == .null }

    /// A member of a value that can't be known; the words stay short, however long the path is.
    static func member(_ name: String, of source: String) -> ScriptValue {
        .unknown(source.utf8.count > 100 ? source : "\(source).\(name.excerpt(40))")
    }
}

/// An object of a script, or of the page around it.
struct ScriptObject {
    enum Kind: Equatable {
        case plain, array, event
        /// A regular expression.
        case regularExpression
        /// `URLSearchParams` of an address; nil if its text can't be known.
        case query(isEmpty: Bool?)
        /// A function of the script, the scope around it, and of an arrow function its `this`.
        case function(Int, scope: Int, this: ScriptValue?)
        /// A function of the browser, called on a value.
        case native(String, of: ScriptValue)
        /// A function with some arguments given.
        case bound(ScriptValue, this: ScriptValue, [ScriptValue])
        case element(Int)
        /// `style`, `dataset` or `classList` of an element.
        case part(String, Int)
        case host(ScriptHost)
    }

    /// What listeners have told an event (DOM §2.2).
    struct Marks: OptionSet {
        let rawValue: UInt8
        static let prevented = Marks(rawValue: 1)
        /// It was prevented under a condition that can't be known.
        static let maybePrevented = Marks(rawValue: 2)
        static let stopped = Marks(rawValue: 4)
        /// It was stopped under a condition that can't be known.
        static let maybeStopped = Marks(rawValue: 8)
        /// No other listener of the same element is told either.
        static let stoppedAtOnce = Marks(rawValue: 16)
        /// The listener that runs may not prevent anything.
        static let passive = Marks(rawValue: 32)
    }

    let kind: Kind
    /// What scripts have set, and nothing of the interpreter's own.
    var members: [String: ScriptValue] = [:]
    /// The names of the members in the order in which they were set.
    var names: [String] = []
    var items: [ScriptValue] = []
    var marks: Marks = []
    /// Under how many conditions that can't be known it was made.
    let uncertainty: Int
}

/// What the browser gives a script.
enum ScriptHost: String, CaseIterable {
    case window, outer, document, location, outerLocation, navigator, mraid, console, math = "Math", json = "JSON"
    case history, object = "Object", array = "Array", string = "String", number = "Number", date = "Date"
    /// A window that a script has opened, its address and its page.
    case opened, openedLocation, openedDocument

    /// Those that a script finds under their own name.
    static let named: Set<ScriptHost> = [
        .document, .location, .navigator, .console, .math, .json, .history, .object, .array, .string, .number, .date,
    ]
}

/// What a press leads to.
enum PressAction: Equatable {
    /// An address is opened, as the script gives it.
    case opens(String)
    /// The creative handles it.
    case creative(String)
    /// An address is opened that can't be known; the text names where it comes from.
    case opensUnknown(String)
}
