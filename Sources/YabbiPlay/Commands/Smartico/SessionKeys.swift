import AdProviders
import PlayStages
import SystemSupport

/// Maps the actions of keys to session commands.
struct SessionKeys: Equatable, Sendable {
    private let user: SmarticoUser
    private let languages: [String]
    private let deepLink: String?
    private var push: SmarticoPush
    private(set) var isLoggedIn = true
    /// The index of the language that was sent last.
    private var language = 0

    init(_ plan: EngagementPlan) {
        self.user = plan.user
        self.languages = plan.options.languages
        self.deepLink = plan.options.deepLink
        self.push = plan.options.token ?? SmarticoPush(token: nil, platform: .other)
    }

    /// The commands for an action, and the line to print.
    mutating func commands(for action: SessionAction) -> (commands: [SmarticoCommand], line: String) {
        switch action {
        case .logInOrOut:
            self.isLoggedIn.toggle()
            return self.isLoggedIn ? ([.logIn(self.user)], "logging in") : ([.logOut], "logging out")
        case .widget: return ([.openGamification(deepLink: self.deepLink)], "opening the widget")
        case .language:
            guard self.languages.count > 1 else {
                return ([], "no other language; use --set language=… several times")
            }
            self.language = (self.language + 1) % self.languages.count
            return ([.language(self.languages[self.language])], "language \(self.languages[self.language])")
        case .push:
            let status: SmarticoPush.Status = self.push.status == .allowed ? .blocked : .allowed
            self.push = SmarticoPush(token: self.push.token, status: status, platform: self.push.platform)
            return ([.push(self.push)], "push notifications \(status == .allowed ? "allowed" : "blocked")")
        }
    }
}
