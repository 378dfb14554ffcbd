import AdCore
import AdMarkup

/// A value of a script.
enum ScriptValue: Equatable {
    case undefined, null
    case boolean(Bool)
    case number(Double)
    case string(String)
    /// An object, by its index.
    case object(Int)
    /// A value that depends on the device, the network or another script; the associated value names its source.
    case unknown(String)

    /// A value that depends on a condition whose value is unknown.
    static let conditional = ScriptValue.unknown("a condition that only a browser can evaluate")

    /// The value as a boolean (ECMA-262 §7.1.2); nil if it is unknown.
    var booleanValue: Bool? {
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

    /// A member of an unknown value; the name of its source is kept short.
    static func member(_ name: String, of source: String) -> ScriptValue {
        .unknown(source.utf8.count > 100 ? source : "\(source).\(name.excerpt(40))")
    }
}

/// An object of a script, the page or the browser.
struct ScriptObject {
    enum Kind: Equatable {
        case plain, array, event
        /// A regular expression.
        case regularExpression
        /// `URLSearchParams`; `isEmpty` is nil if its string is unknown.
        case query(isEmpty: Bool?)
        /// A function of the script with the scope around it, and with the `this` of an arrow function.
        case function(Int, scope: Int, this: ScriptValue?)
        /// A function of the browser as a member of a value.
        case native(String, of: ScriptValue)
        /// A function with bound arguments.
        case bound(ScriptValue, this: ScriptValue, [ScriptValue])
        case element(Int)
        /// `style`, `dataset` or `classList` of an element.
        case part(String, Int)
        case host(ScriptHost)
    }

    /// The flags of an event (DOM §2.2).
    struct EventFlags: OptionSet {
        let rawValue: UInt8
        static let prevented = EventFlags(rawValue: 1)
        /// `preventDefault()` was called under an unknown condition.
        static let maybePrevented = EventFlags(rawValue: 2)
        static let stopped = EventFlags(rawValue: 4)
        /// `stopPropagation()` was called under an unknown condition.
        static let maybeStopped = EventFlags(rawValue: 8)
        /// `stopImmediatePropagation()` was called.
        static let stoppedImmediately = EventFlags(rawValue: 16)
        /// The running listener is passive and can't cancel the event.
        static let passive = EventFlags(rawValue: 32)
    }

    let kind: Kind
    /// The properties that scripts have set.
    var members: [String: ScriptValue] = [:]
    /// The names of the properties in the order in which they were set.
    var names: [String] = []
    var items: [ScriptValue] = []
    var flags: EventFlags = []
    /// The number of unknown conditions under which it was created.
    let uncertainty: Int
}

/// The global objects of the browser.
enum ScriptHost: String, CaseIterable {
    case window, outer, document, location, outerLocation, navigator, mraid, console, math = "Math", json = "JSON"
    case history, object = "Object", array = "Array", string = "String", number = "Number", date = "Date"
    /// A window that a script has opened, its location and its document.
    case opened, openedLocation, openedDocument

    /// The objects that are global variables of the same name.
    static let named: Set<ScriptHost> = [
        .document, .location, .navigator, .console, .math, .json, .history, .object, .array, .string, .number, .date,
    ]
}

/// An action of a click.
enum PressAction: Equatable {
    /// Opens a URL, as the script passes it.
    case opens(String)
    /// The creative handles the click itself.
    case creative(String)
    /// Opens an unknown URL; the value names its source.
    case opensUnknown(String)
}
