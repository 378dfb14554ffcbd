/// What a user at the terminal can press.
package enum Key: Equatable, Sendable {
    /// `c`: clicks the ad.
    case click
    /// `x`: closes the ad.
    case close
    /// Space: pauses what plays, or covers what does not.
    case pause
    /// `s`: skips a video.
    case skip
    /// `m`: switches a video's sound off, or on.
    case mute
    /// `o`: logs a session's user out, or in again.
    case logInOrOut
    /// `g`: opens a session's widget.
    case widget
    /// `l`: changes a session's language.
    case language
    /// `p`: takes push notifications in a session, or blocks them.
    case push
    /// `q`, Ctrl-C, Ctrl-D: leaves.
    case quit
    /// Ctrl-Z: puts the command aside until the shell brings it back.
    case suspend

    /// The keys in what a terminal sent at once; arrows and other sequences are none of ours.
    static func read(_ bytes: some Sequence<UInt8>) -> [Key] {
        var keys: [Key] = []
        var escape = Escape.none
        for byte in bytes {
            switch escape {
            case .none:
                if byte == 0x1B { escape = .begun } else if let key = Key(byte) { keys.append(key) }
            case .begun:
                escape = byte == UInt8(ascii: "[") || byte == UInt8(ascii: "O") ? .running : .none
            case .running:
                if (0x40...0x7E).contains(byte) { escape = .none }
            }
        }
        return keys
    }

    private enum Escape { case none, begun, running }

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
