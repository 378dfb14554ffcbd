import AdCore
import AdHTML
import AdMarkup

/// Looks at each address of a document.
enum AddressLint {
    static func check(_ tree: LintTree, _ log: inout LintLog) {
        var macros = MacroLint()
        for element in tree.elements {
            guard let place = VASTPlace(element) else { continue }
            self.check(place, &log)
            macros.check(place, &log)
        }
    }

    private static func check(_ place: VASTPlace, _ log: inout LintLog) {
        let text = place.text
        if text.isEmpty {
            // Where an element has children instead, that was told already.
            guard place.element.isWhiteSpace else { return }
            let rule: LintRule = place.isRequired ? .urlRequiredEmpty : .urlEmpty
            return log.add(rule, place.element.place, "\(place.name) is empty")
        }
        // It stands for no address where the schema wants one.
        if text == "about:blank" { return }
        // A mezzanine is fetched by servers, by whatever protocol they have agreed on.
        if place.element.name == "Mezzanine" { return }
        guard
            let scheme = AddressCheck.check(
                text,
                place.name,
                at: place.place,
                mayBeLink: place.use == .clickThrough,
                &log
            )
        else { return }
        if scheme == "data" { return self.data(place, &log) }
        guard scheme == "http" else { return }
        log.add(self.rule(for: place), place.place, "\(place.name) is \(text.quotedAddress)")
    }

    private static func data(_ place: VASTPlace, _ log: inout LintLog) {
        switch place.use {
        case .media:
            if place.element.name != "InteractiveCreativeFile" {
                log.add(.mediaDataAddress, place.place, "\(place.name) is \(place.text.quoted)")
            }
        case .resource, .caption: break
        default: log.add(.urlSchemeWrong, place.place, "\(place.name) is \(place.text.quoted)")
        }
    }

    private static func rule(for place: VASTPlace) -> LintRule {
        switch place.use {
        case .clickThrough, .survey: .clickthroughInsecure
        case .script: .scriptInsecure
        case .media:
            LintType.script.contains(LintType.plain(place.element.attribute("type") ?? ""))
                ? .scriptInsecure : .mediaInsecure
        case .resource, .caption: .mediaInsecure
        case .tag: .tagInsecure
        case .impression, .error, .viewable, .clickTracking, .tracking: .trackerInsecure
        }
    }
}

extension VASTPlace {
    /// Whether the ad can't do without it.
    fileprivate var isRequired: Bool {
        switch self.use {
        case .media, .resource, .script, .tag: true
        default: false
        }
    }
}
