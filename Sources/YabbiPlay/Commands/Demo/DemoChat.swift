import AdCore
import AdProviders

/// The conversation of the demo.
enum DemoChat {
    /// A message of the user, and the response.
    struct Turn {
        let user: String
        let assistant: String
    }

    /// The time between two messages.
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
    /// The reason for the decision.
    var text: String {
        switch self {
        case .tooEarly: "too few messages"
        case .tooSoon: "too few messages since the last card"
        case .onboarding: "the session is too short"
        case .noOccasion: "no commercial intent"
        case .commercialIntent: "commercial intent"
        case .providedValue: "the response was useful, and the random draw allowed it"
        case .anyMessage: "any message qualifies"
        }
    }
}
