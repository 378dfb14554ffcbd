extension LintRule {
    /// A group of rules.
    public struct Topic: Sendable {
        /// The topic's title.
        public let name: String
        /// The topic's rules, in the order of the catalogue.
        public let rules: [LintRule]
    }

    /// All rules by topic.
    public static let topics: [Topic] = [
        Topic(name: "Any input", rules: LintRule.documents),
        Topic(name: "XML", rules: LintRule.xml),
        Topic(name: "VAST: structure", rules: LintRule.structure),
        Topic(name: "VAST: ads and creatives", rules: LintRule.ads),
        Topic(name: "VAST: durations and offsets", rules: LintRule.linear),
        Topic(name: "VAST: media files", rules: LintRule.media),
        Topic(name: "VAST: wrappers", rules: LintRule.wrappers),
        Topic(name: "URLs", rules: LintRule.urls),
        Topic(name: "Tracking and macros", rules: LintRule.tracking),
        Topic(name: "VAST: companions, icons, overlays", rules: LintRule.companions),
        Topic(name: "VAST: VPAID and verification", rules: LintRule.verification),
        Topic(name: "VMAP", rules: LintRule.vmap),
        Topic(name: "HTML creatives", rules: LintRule.html),
        Topic(name: "Scripts", rules: LintRule.scripts),
        Topic(name: "MRAID", rules: LintRule.mraid),
        Topic(name: "Ad responses of YABBI", rules: LintRule.responses),
    ]

    /// All rules in the order of the catalogue.
    public static let all: [LintRule] = topics.flatMap(\.rules)

    /// The rule with an id; nil if no rule has it.
    public static func named(_ id: String) -> LintRule? { self.byID[id] }

    private static let byID = Dictionary(all.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
}
