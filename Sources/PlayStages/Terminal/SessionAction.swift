import PlayConsole

/// An action of a key on a watched session.
package enum SessionAction: CaseIterable, Sendable {
    /// `o`: logs the user out or in.
    case logInOrOut
    /// `g`: opens the gamification widget.
    case widget
    /// `l`: changes to the next language.
    case language
    /// `p`: allows or blocks push notifications.
    case push

    /// The action of a key; nil for keys that control an ad or quit.
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
