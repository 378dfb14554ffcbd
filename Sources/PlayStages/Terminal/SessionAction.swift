import PlayConsole

/// What a key asks of a session that is watched, besides what it does to an ad.
package enum SessionAction: CaseIterable, Sendable {
    /// `o`: logs the user out, and in again.
    case logInOrOut
    /// `g`: opens the gamification widget.
    case widget
    /// `l`: the next of the languages that were given.
    case language
    /// `p`: takes push notifications, or blocks them.
    case push

    /// The act of a key; nil for one that is an ad's, or leaves.
    init?(_ key: Key) {
        switch key {
        case .logInOrOut: self = .logInOrOut
        case .widget: self = .widget
        case .language: self = .language
        case .push: self = .push
        case .click, .close, .pause, .skip, .mute, .quit, .suspend: return nil
        }
    }
}
