package import AdCore

/// Reads the values of attributes and texts: what is not quite right is read all the same, and told.
package enum VASTValue<Value: Sendable>: Sendable {
    /// As the specification writes it.
    case right(Value)
    /// Written otherwise, and meant like this.
    case repaired(Value, String)
    /// Not to be understood.
    case wrong(String)
}

extension VASTValue where Value == Duration {
    /// `HH:MM:SS` with a fraction or without; also plain seconds, `MM:SS`, and a comma for the point.
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
                guard digits <= 15 else { return .wrong("it is longer than any time") }
                number = number * 10 + Double(byte - 0x30)
                scale *= 10
            case UInt8(ascii: ":"):
                guard digits > 0, scale == 0, fields.count < 2 else { return .wrong("it is no time as in 00:00:30") }
                fields.append(number)
                number = 0
                digits = 0
            case UInt8(ascii: "."), UInt8(ascii: ","):
                guard digits > 0, scale == 0 else { return .wrong("it is no time as in 00:00:30") }
                hasComma = hasComma || byte == UInt8(ascii: ",")
                scale = 1
                digits = 0
            default: return .wrong("it is no time as in 00:00:30")
            }
        }
        guard digits > 0 else { return .wrong("it is no time as in 00:00:30") }
        fields.append(scale > 1 ? number / scale : number)
        let seconds = fields.reduce(0) { $0 * 60 + $1 }
        guard seconds < 1e8 else { return .wrong("it is longer than any ad") }
        let duration = Duration.milliseconds(Int64((seconds * 1000).rounded()))
        if fields.count == 1 { return .repaired(duration, "it is written as plain seconds, and should be HH:MM:SS") }
        if fields.count == 2 { return .repaired(duration, "it lacks its hours, and should be HH:MM:SS") }
        if hasComma { return .repaired(duration, "it has a comma where a point belongs") }
        if fields.dropFirst().contains(where: { $0 >= 60 }) {
            return .repaired(duration, "it has 60 minutes or seconds, or more, in one field")
        }
        return .right(duration)
    }
}

extension VASTValue where Value == MediaOffset {
    /// A time or a share of the duration.
    package static func offset(_ bytes: ByteView) -> VASTValue<MediaOffset> {
        guard bytes.last == UInt8(ascii: "%") else {
            switch VASTValue<Duration>.duration(bytes) {
            case .right(let time): return .right(.time(time))
            case .repaired(let time, let why): return .repaired(.time(time), why)
            case .wrong: return .wrong("it is neither a time as in 00:00:05 nor a share as in 25%")
            }
        }
        guard let percent = Double(bytes.dropLast().withoutWhiteSpace.text), (0...100).contains(percent) else {
            return .wrong("it is no share from 0% to 100%")
        }
        return .right(.percent(percent))
    }
}

extension VASTValue where Value == Int {
    /// A whole number.
    static func whole(_ bytes: ByteView) -> VASTValue {
        if !bytes.isEmpty, bytes.count <= 15, bytes.allSatisfy(\.isDigit) {
            return .right(bytes.reduce(0) { $0 * 10 + Int($1 - 0x30) })
        }
        guard let (number, end) = Measure.number(bytes), number < 1e15 else {
            return .wrong("it is no whole number")
        }
        let rest = bytes[end...].withoutWhiteSpace.text.asciiLowercased
        guard rest.isEmpty || rest == "px" else { return .wrong("it is no whole number") }
        return .repaired(Int(number.rounded()), "it is no plain whole number, and \(Int(number.rounded())) was taken")
    }
}

extension VASTValue where Value == Double {
    /// A number that is not negative.
    static func number(_ bytes: ByteView) -> VASTValue {
        guard let value = Double(bytes.withoutWhiteSpace.text), value.isFinite, value >= 0 else {
            return .wrong("it is no number")
        }
        return .right(value)
    }
}

extension VASTValue where Value == Bool {
    /// `true` or `false`.
    static func flag(_ bytes: ByteView) -> VASTValue {
        switch bytes.text {
        case "true": return .right(true)
        case "false": return .right(false)
        case "1": return .right(true)
        case "0": return .right(false)
        case let other:
            switch other.asciiLowercased {
            case "true", "yes": return .repaired(true, "it is not written as true")
            case "false", "no": return .repaired(false, "it is not written as false")
            default: return .wrong("it is neither true nor false")
            }
        }
    }
}
