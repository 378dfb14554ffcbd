package import AdCore

/// A parsed value of an attribute or a text, and whether it had to be repaired.
package enum VASTValue<Value: Sendable>: Sendable {
    /// Valid.
    case valid(Value)
    /// Invalid, but the meaning is clear; with the reason.
    case repaired(Value, String)
    /// Invalid, with the reason.
    case invalid(String)
}

extension VASTValue where Value == Duration {
    /// Parses `HH:MM:SS` or `HH:MM:SS.mmm` (VAST 4.3 §3.8.1); repairs plain seconds, `MM:SS`, and a comma for the
    /// point.
    package static func duration(_ bytes: ByteView) -> VASTValue {
        var fields: [Double] = []
        var number = 0.0
        var scale = 0.0
        var digits = 0
        var hasComma = false
        for byte in bytes {
            switch byte {
            case 0x30...0x39:
                digits += 1
                guard digits <= 15 else { return .invalid("it has too many digits") }
                number = number * 10 + Double(byte - 0x30)
                scale *= 10
            case UInt8(ascii: ":"):
                guard digits > 0, scale == 0, fields.count < 2 else {
                    return .invalid("it is not a time as in 00:00:30")
                }
                fields.append(number)
                number = 0
                digits = 0
            case UInt8(ascii: "."), UInt8(ascii: ","):
                guard digits > 0, scale == 0 else { return .invalid("it is not a time as in 00:00:30") }
                hasComma = hasComma || byte == UInt8(ascii: ",")
                scale = 1
                digits = 0
            default: return .invalid("it is not a time as in 00:00:30")
            }
        }
        guard digits > 0 else { return .invalid("it is not a time as in 00:00:30") }
        fields.append(scale > 1 ? number / scale : number)
        let seconds = fields.reduce(0) { $0 * 60 + $1 }
        guard seconds < 1e8 else { return .invalid("it is too long for an ad") }
        let duration = Duration.milliseconds(Int64((seconds * 1000).rounded()))
        if fields.count == 1 { return .repaired(duration, "it is in seconds; write HH:MM:SS") }
        if fields.count == 2 { return .repaired(duration, "it has no hours; write HH:MM:SS") }
        if hasComma { return .repaired(duration, "it has a comma; write a point") }
        if fields.dropFirst().contains(where: { $0 >= 60 }) {
            return .repaired(duration, "minutes or seconds are 60 or more")
        }
        return .valid(duration)
    }
}

extension VASTValue where Value == MediaOffset {
    /// Parses a time or a percentage of the duration (VAST 4.3 §3.14.3).
    package static func offset(_ bytes: ByteView) -> VASTValue<MediaOffset> {
        guard bytes.last == UInt8(ascii: "%") else {
            switch VASTValue<Duration>.duration(bytes) {
            case .valid(let time): return .valid(.time(time))
            case .repaired(let time, let reason): return .repaired(.time(time), reason)
            case .invalid: return .invalid("it is neither a time as in 00:00:05 nor a percentage as in 25%")
            }
        }
        guard let percent = Double(bytes.dropLast().withoutWhiteSpace.text), (0...100).contains(percent) else {
            return .invalid("it is not a percentage from 0% to 100%")
        }
        return .valid(.percent(percent))
    }
}

extension VASTValue where Value == Int {
    /// Parses a non-negative integer.
    static func whole(_ bytes: ByteView) -> VASTValue {
        if !bytes.isEmpty, bytes.count <= 15, bytes.allSatisfy(\.isDigit) {
            return .valid(bytes.reduce(0) { $0 * 10 + Int($1 - 0x30) })
        }
        guard let (number, end) = Measure.number(bytes), number < 1e15 else {
            return .invalid("it is not an integer")
        }
        let rest = bytes[end...].withoutWhiteSpace.text.asciiLowercased
        guard rest.isEmpty || rest == "px" else { return .invalid("it is not an integer") }
        return .repaired(Int(number.rounded()), "it is not an integer; \(Int(number.rounded())) is used")
    }
}

extension VASTValue where Value == Double {
    /// Parses a number that is not negative.
    static func number(_ bytes: ByteView) -> VASTValue {
        guard let value = Double(bytes.withoutWhiteSpace.text), value.isFinite, value >= 0 else {
            return .invalid("it is not a number")
        }
        return .valid(value)
    }
}

extension VASTValue where Value == Bool {
    /// Parses `true` or `false`.
    static func flag(_ bytes: ByteView) -> VASTValue {
        switch bytes.text {
        case "true": return .valid(true)
        case "false": return .valid(false)
        case "1": return .valid(true)
        case "0": return .valid(false)
        case let other:
            switch other.asciiLowercased {
            case "true", "yes": return .repaired(true, "write true")
            case "false", "no": return .repaired(false, "write false")
            default: return .invalid("it is neither true nor false")
            }
        }
    }
}
