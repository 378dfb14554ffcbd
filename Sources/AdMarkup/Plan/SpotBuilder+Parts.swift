import AdCore

/// Icons and companions.
extension SpotBuilder {
    /// The maximum number of companions that are shown next to a video; the trackers of wrappers are repeated for each.
    private static let companionLimit = 20

    /// The reason why an icon, a companion or an overlay can't be displayed.
    enum ContentError: Error {
        /// Its resource type is not supported.
        case unsupported(String)
        /// Its URL is invalid.
        case unreachable(String)
        /// It has no visible content.
        case missing
    }

    /// The first resource that can be displayed (VAST 4.3 §3.15).
    func content(of resources: [VASTResource]) -> Result<VideoPart.Content, ContentError> {
        var error: ContentError?
        for resource in resources {
            switch self.content(of: resource) {
            case .success(let content): return .success(content)
            case .failure(let other): error = error ?? other
            }
        }
        return .failure(error ?? .missing)
    }

    private func content(of resource: VASTResource) -> Result<VideoPart.Content, ContentError> {
        switch resource {
        case .html(let markup):
            guard let preflight = try? HTMLPreflight(parsing: markup), preflight.hasVisibleContent else {
                return .failure(.missing)
            }
            return .success(.html(HTMLCreative(markup: preflight.markup, document: preflight.stageDocument())))
        case .page(let template): return self.url(template).map { .page($0) }
        case .file(let template, let type):
            let type = type?.asciiLowercased ?? "image/unknown"
            guard type.hasPrefix("image/") else {
                // Some servers send a page as a static resource.
                if type == "text/html" { return self.url(template).map { .page($0) } }
                return .failure(.unsupported(type.excerpt(40)))
            }
            return self.url(template).map { .image($0) }
        }
    }

    private func url(_ template: URLTemplate) -> Result<HTTPURL, ContentError> {
        do throws(HTTPURL.ParseError) {
            return .success(try self.now.finished(template))
        } catch {
            return .failure(.unreachable(error.reason))
        }
    }

    // MARK: Icons

    mutating func addIcons(_ linear: VASTLinear) {
        for (number, element) in self.merge.icons(linear).enumerated() {
            let icon = element.value
            let id = VideoPartID.icon(number)
            guard case .success(let content) = self.content(of: icon.resources) else {
                self.recordIssue(
                    "icon.empty",
                    self.ad.inline.line,
                    "an icon\(icon.named) has no resource that can be displayed"
                )
                continue
            }
            var part = VideoPart(content, size: Size(of: icon.width, icon.height), altText: icon.altText)
            part.program = icon.program
            part.clickFallback = icon.fallbackImages.prefix(5).compactMap { try? self.now.finished($0) }.first
            part.x = icon.x.map(VideoPart.Place.init)
            part.y = icon.y.map(VideoPart.Place.init)
            self.parts[id] = part
            let time = PartRules.Time(start: icon.offset ?? .zero, length: icon.duration)
            self.partRules.append(
                PartRules(id, time: time, clickThrough: icon.clicks.through.flatMap { self.clickThroughURL($0) })
            )
            for url in icon.views { self.addTracker("iconView", id, url, element.depth) }
            for url in icon.clicks.tracking { self.addTracker("iconClick", id, url, element.depth) }
        }
    }

    // MARK: Companions

    /// The companion that is shown after the video as an end card: any without a time of its own (VAST 4.3 §3.13.1).
    var endCard: VideoPartID? {
        let endCards = self.partRules.filter { if case .companion = $0.id { $0.time == nil } else { false } }
        return endCards.first?.id
    }

    mutating func addCompanions() throws(VASTError) {
        let (depth, lists) = self.merge.companions
        var shown: [(list: Int, companion: VASTCompanion, part: VideoPart)] = []
        var errors: [Int: VASTError] = [:]
        for (list, companions) in lists.enumerated() {
            for companion in companions.items {
                do throws(VASTError) {
                    shown.append((list, companion, try self.part(of: companion)))
                } catch {
                    errors[list] = errors[list] ?? error
                    self.recordIssue("companion.\(error.code)", self.ad.inline.line, error.message)
                }
            }
        }
        // One companion is shown after the video, and any number of concurrent ones next to it (VAST 4.3 §3.13.1,
        // renderingMode).
        let concurrent = shown.filter { $0.companion.isConcurrent }
        let endCards = shown.filter { !$0.companion.isConcurrent }.sorted {
            self.rank($0.companion) < self.rank($1.companion)
        }
        let used = concurrent.prefix(SpotBuilder.companionLimit) + endCards.prefix(1)
        for (list, companions) in lists.enumerated() {
            try self.check(companions, shown: used.count { $0.list == list }, errors[list])
        }
        let outer = self.merge.outerCompanions(below: depth)
        for (number, entry) in used.enumerated() {
            let id = VideoPartID.companion(number)
            let time = entry.companion.isConcurrent ? PartRules.Time() : nil
            self.parts[id] = entry.part
            let link = entry.companion.clicks.through.flatMap { self.clickThroughURL($0) }
            self.partRules.append(PartRules(id, time: time, clickThrough: link))
            for element in outer + [VASTMerge.Element(depth: depth, value: entry.companion)] {
                for tracking in element.value.tracking { self.addTracker(tracking, id, element.depth) }
                for url in element.value.clicks.tracking { self.addTracker("companionClick", id, url, element.depth) }
            }
        }
    }

    /// Throws an error when fewer companions are shown than `required` demands (VAST 4.3 §3.13).
    private func check(_ list: VASTCompanions, shown: Int, _ error: VASTError?) throws(VASTError) {
        let count = list.items.count
        switch list.required {
        case .all where shown < count:
            let reason = error?.message ?? "only \(shown) of \(count) can be displayed with a video"
            throw VASTError(error?.code ?? 602, "all companions are required: \(reason)")
        case .any where shown == 0 && count > 0:
            let reason = error?.message ?? "others are displayed in place of all \(count)"
            throw VASTError(error?.code ?? 602, "at least one companion is required: \(reason)")
        case .all, .any, .none?, nil: break
        }
    }

    /// A companion's content; the errors are those for companions (VAST 4.3 §2.3.6.3).
    private func part(of companion: VASTCompanion) throws(VASTError) -> VideoPart {
        let name = companion.id.map { "companion \($0.excerpt(40))" } ?? "a companion"
        if let framework = companion.apiFramework, framework.asciiLowercased == "vpaid" {
            throw VASTError(604, "\(name) is a VPAID unit, which is not executed")
        }
        if let container = self.policy.container, let width = companion.width, let height = companion.height,
            min(Double(width), Double(height)) > max(container.width, container.height) * 4
        {
            throw VASTError(601, "\(name) of \(width)x\(height) is too large for \(container)")
        }
        switch self.content(of: companion.resources) {
        case .success(let content):
            return VideoPart(content, size: Size(of: companion.width, companion.height), altText: companion.altText)
        case .failure(.unsupported(let what)): throw VASTError(604, "\(name) is \(what), which is not supported")
        case .failure(.unreachable(let reason)):
            throw VASTError(603, "the URL of \(name) is invalid: \(reason)")
        case .failure(.missing): throw VASTError(600, "\(name) has no visible content")
        }
    }

    /// The rank of a companion as an end card: the lowest is the best.
    private func rank(_ companion: VASTCompanion) -> (Int, Double) {
        let isEndCard = companion.renderingMode?.asciiLowercased == "end-card"
        let area = Double(companion.width ?? 0) * Double(companion.height ?? 0)
        guard let container = self.policy.container else { return (isEndCard ? 0 : 1, -area) }
        let width = Double(companion.width ?? 0), height = Double(companion.height ?? 0)
        // A companion that fills the container without being cut is best.
        let waste = abs(container.width - width) + abs(container.height - height)
        return (isEndCard ? 0 : 1, waste)
    }
}

extension VASTCompanion {
    fileprivate var isConcurrent: Bool { self.renderingMode?.asciiLowercased == "concurrent" }
}

extension VASTIcon {
    fileprivate var named: String { self.program.map { " of \($0.excerpt(40))" } ?? "" }
}

extension VideoPart.Place {
    init(_ place: VASTIcon.Place) {
        switch place {
        case .start: self = .start
        case .end: self = .end
        case .points(let points): self = .points(points)
        }
    }
}

extension Size {
    /// A size with both sides.
    init?(of width: Int?, _ height: Int?) {
        guard let width, let height else { return nil }
        self.init(width: Double(width), height: Double(height))
    }
}
