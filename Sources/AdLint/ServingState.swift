/// Whether an ad server may still replace macros in the markup.
enum ServingState {
    /// A tag or a creative whose macros an ad server or an exchange still replaces.
    case tag
    /// Markup of an ad response: only the player replaces macros now.
    case delivered
}
