/// A value of a script.
enum ScriptValue: Equatable {
    case undefined, null
    case boolean(Bool)
    case number(Double)
    case text(String)
    /// The index of an object.
    case object(Int)
    /// It can't be known without the device, the network or another script; the text names where it comes from.
    case unknown(String)

    /// Whether it counts as true (ECMA-262 §7.1.2); nil where that can't be known.
    var truth: Bool? {
        switch self {
        case .undefined, .null: false
        case .boolean(let value): value
        case .number(let value): value != 0 && !value.isNaN
        case .text(let value): !value.isEmpty
        case .object: true
        case .unknown: nil
        }
    }

    var isUnknown: Bool { if case .unknown = self { true } else { false } }

    var isMissing: Bool { self == .undefined || self == .null }
}

/// An object of a script, or of the page around it.
struct ScriptObject {
    enum Kind: Equatable {
        case plain, array, event
        /// A function of the script, the scope around it, and of an arrow function its `this`.
        case function(Int, scope: Int, this: ScriptValue?)
        /// A function of the browser, called on a value.
        case native(String, of: ScriptValue)
        /// A function with some arguments given.
        case bound(ScriptValue, this: ScriptValue, [ScriptValue])
        case element(Int)
        /// `style` or `dataset` of an element.
        case part(String, Int)
        case host(ScriptHost)
    }

    let kind: Kind
    var members: [String: ScriptValue] = [:]
    /// The names of the members in the order in which they were set.
    var names: [String] = []
    var items: [ScriptValue] = []
    /// Under how many conditions that can't be known it was made.
    let doubt: Int
}

/// What the browser gives a script.
enum ScriptHost: String, CaseIterable {
    case window, outer, document, location, outerLocation, navigator, mraid, console, math = "Math", json = "JSON"
    case history, object = "Object", array = "Array", text = "String", number = "Number", date = "Date"
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
