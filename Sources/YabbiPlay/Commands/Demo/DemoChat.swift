import AdCore
import AdProviders
import YabbiAds

/// The conversation of the demo.
enum DemoChat {
    /// What a user says, and what is answered.
    struct Turn {
        let user: String
        let assistant: String
    }

    /// How long people take between two messages.
    static let pause = Duration.seconds(8)

    static let turns = [
        Turn(user: "hello", assistant: "Hello! What can I do for you?"),
        Turn(user: "my fern looks unhappy", assistant: "How does it look?"),
        Turn(user: "brown at the tips", assistant: "The air may be too dry."),
        Turn(user: "and the soil is hard", assistant: "Then water does not reach its roots."),
        Turn(user: "which pot should I buy?", assistant: "Here is what to look for: holes in the bottom, and clay."),
        Turn(user: "is clay expensive? what does it cost?", assistant: "A small one costs less than the fern."),
        Turn(user: "thanks", assistant: "You are welcome."),
        Turn(user: "how often shall I water it?", assistant: "When the soil feels dry."),
        Turn(user: "good", assistant: "It will be green again in spring."),
        Turn(user: "which is the best fern for a dark room?", assistant: "I found three that like the shade."),
    ]
}

extension PlacementGate.Decision {
    /// The rule in words.
    var words: String {
        switch self {
        case .tooEarly: "too few messages yet"
        case .tooSoon: "too few messages since the last card"
        case .onboarding: "the session is too young"
        case .noOccasion: "no occasion"
        case .commercialIntent: "the user wants to buy something"
        case .providedValue: "the answer was of use, and chance was for it"
        case .anyMessage: "the rules ask for no occasion"
        }
    }
}
