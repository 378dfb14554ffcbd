/// The keys of the interactive terminal.
package enum Key: Equatable, Sendable {
    /// `c`: clicks the ad.
    case click
    /// `x`: closes the ad.
    case close
    /// Space: pauses or plays a video, covers or uncovers other ads.
    case pause
    /// `s`: skips a video.
    case skip
    /// `m`: mutes or unmutes a video.
    case mute
    /// `o`: logs a session's user out or in.
    case logInOrOut
    /// `g`: opens a session's widget.
    case widget
    /// `l`: changes a session's language.
    case language
    /// `p`: allows or blocks push notifications in a session.
    case push
    /// `q`, Ctrl-C, Ctrl-D: quits.
    case quit
    /// Ctrl-Z: suspends the process.
    case suspend

    /// The keys in a terminal's input.
    ///
    /// Escape sequences, for example of arrow keys, are skipped.
    static func parse(_ bytes: some Sequence<UInt8>) -> [Key] {
        var keys: [Key] = []
        var escape = Escape.none
        for byte in bytes {
            switch escape {
            case .none:
                if byte == 0x1B { escape = .started } else if let key = Key(byte) { keys.append(key) }
            case .started:
                escape = byte == UInt8(ascii: "[") || byte == UInt8(ascii: "O") ? .sequence : .none
            case .sequence:
                if (0x40...0x7E).contains(byte) { escape = .none }
            }
        }
        return keys
    }

    private enum Escape { case none, started, sequence }

    private init?(_ byte: UInt8) {
        switch byte {
        case UInt8(ascii: "c"), UInt8(ascii: "C"): self = .click
        case UInt8(ascii: "x"), UInt8(ascii: "X"): self = .close
        case UInt8(ascii: " "): self = .pause
        case UInt8(ascii: "s"), UInt8(ascii: "S"): self = .skip
        case UInt8(ascii: "m"), UInt8(ascii: "M"): self = .mute
        case UInt8(ascii: "o"), UInt8(ascii: "O"): self = .logInOrOut
        case UInt8(ascii: "g"), UInt8(ascii: "G"): self = .widget
        case UInt8(ascii: "l"), UInt8(ascii: "L"): self = .language
        case UInt8(ascii: "p"), UInt8(ascii: "P"): self = .push
        case UInt8(ascii: "q"), UInt8(ascii: "Q"), 0x03, 0x04: self = .quit
        case 0x1A: self = .suspend
        default: return nil
        }
    }
}
