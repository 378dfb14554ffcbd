/// The texts of the host's controls around an ad, for VoiceOver and on screen.
///
/// They are in English; an app passes its own translations.
public struct ControlTexts: Hashable, Sendable {
    /// What VoiceOver reads for the close button.
    public var close = "Close the ad"
    /// The title of the skip button.
    public var skip = "Skip"
    /// What VoiceOver reads for the skip button.
    public var skipHint = "Skip the video"
    /// What VoiceOver reads for the countdown, with the number of seconds in place of `%`.
    public var countdown = "The ad can be closed in % seconds"

    /// Creates the English texts.
    public init() {}

    /// What VoiceOver reads for a countdown.
    func countdown(_ seconds: Int) -> String { self.countdown.replacing("%", with: "\(seconds)") }
}
