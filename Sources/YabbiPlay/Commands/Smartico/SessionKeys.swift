import AdProviders
import PlayStages
import SystemSupport
import YabbiAds

/// How far the acts of a session have come: which commands the next one is.
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

    /// The commands of an act, and the line that is printed.
    mutating func commands(for act: SessionAct) -> (commands: [SmarticoCommand], said: String) {
        switch act {
        case .logInOrOut:
            self.isLoggedIn.toggle()
            return self.isLoggedIn ? ([.logIn(self.user)], "logging in") : ([.logOut], "logging out")
        case .widget: return ([.openGamification(deepLink: self.deepLink)], "opening the widget")
        case .language:
            guard self.languages.count > 1 else {
                return ([], "no other language: give several, as in --set language=EN --set language=DE")
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
