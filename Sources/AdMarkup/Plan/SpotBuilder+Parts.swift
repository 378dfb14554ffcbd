import AdCore

/// Icons and companions.
extension SpotBuilder {
    /// How many companions are shown beside a video: the trackers of wrappers are repeated for each.
    private static let mostBeside = 20

    /// Why something that is shown with a video can't be.
    enum Lack: Error {
        /// It is of a kind that no stage shows.
        case unsupported(String)
        /// Its address can't be called.
        case unreachable(String)
        /// There is nothing in it.
        case missing
    }

    /// The first resource that can be shown.
    func content(of resources: [VASTResource]) -> Result<VideoPart.Content, Lack> {
        var lack: Lack?
        for resource in resources {
            switch self.content(of: resource) {
            case .success(let content): return .success(content)
            case .failure(let other): lack = lack ?? other
            }
        }
        return .failure(lack ?? .missing)
    }

    private func content(of resource: VASTResource) -> Result<VideoPart.Content, Lack> {
        switch resource {
        case .html(let markup):
            guard let glance = try? HTMLPreflight(at: markup), glance.hasSomethingToSee else {
                return .failure(.missing)
            }
            return .success(.html(HTMLCreative(markup: glance.markup, document: glance.stageDocument())))
        case .page(let template): return self.url(template).map { .page($0) }
        case .file(let template, let type):
            let type = type?.asciiLowercased ?? "image/unknown"
            guard type.hasPrefix("image/") else {
                // A page of its own is also sent like this.
                if type == "text/html" { return self.url(template).map { .page($0) } }
                return .failure(.unsupported(type.excerpt(40)))
            }
            return self.url(template).map { .image($0) }
        }
    }

    private func url(_ template: URLTemplate) -> Result<HTTPURL, Lack> {
        do throws(HTTPURL.Fault) {
            return .success(try self.now.finished(template))
        } catch {
            return .failure(.unreachable(error.reason))
        }
    }

    // MARK: Icons

    mutating func addIcons(_ linear: VASTLinear) {
        for (number, said) in self.merge.icons(linear).enumerated() {
            let icon = said.value
            let id = VideoPartID.icon(number)
            guard case .success(let content) = self.content(of: icon.resources) else {
                self.leaveOut("icon.empty", self.ad.inline.line, "an icon\(icon.named) has nothing that can be shown")
                continue
            }
            var part = VideoPart(content, size: Size(of: icon.width, icon.height), altText: icon.altText)
            part.program = icon.program
            part.x = icon.x.map(VideoPart.Place.init)
            part.y = icon.y.map(VideoPart.Place.init)
            self.parts[id] = part
            let time = PartRules.Time(start: icon.offset ?? .zero, length: icon.duration)
            self.partTerms.append(
                PartRules(id, time: time, clickThrough: icon.clicks.through.flatMap { self.landing($0) })
            )
            for url in icon.views { self.addTracker("iconView", id, url, said.depth) }
            for url in icon.clicks.tracking { self.addTracker("iconClick", id, url, said.depth) }
        }
    }

    // MARK: Companions

    /// The companion that is shown behind the video: the one whose `renderingMode` is end-card, else the first that need not be beside it.
    var endCard: VideoPartID? {
        let behind = self.partTerms.filter { if case .companion = $0.id { $0.time == nil } else { false } }
        return behind.first?.id
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
                    self.leaveOut("companion.\(error.code)", self.ad.inline.line, error.message)
                }
            }
        }
        // One is shown behind the video, and any number of those that want to stand beside it.
        let beside = shown.filter { $0.companion.isConcurrent }
        let behind = shown.filter { !$0.companion.isConcurrent }.sorted {
            self.rank($0.companion) < self.rank($1.companion)
        }
        let used = beside.prefix(SpotBuilder.mostBeside) + behind.prefix(1)
        for (list, companions) in lists.enumerated() {
            try self.check(companions, shown: used.count { $0.list == list }, errors[list])
        }
        let outer = self.merge.outerCompanions(below: depth)
        for (number, entry) in used.enumerated() {
            let id = VideoPartID.companion(number)
            let time = entry.companion.isConcurrent ? PartRules.Time() : nil
            self.parts[id] = entry.part
            let link = entry.companion.clicks.through.flatMap { self.landing($0) }
            self.partTerms.append(PartRules(id, time: time, clickThrough: link))
            for said in outer + [VASTMerge.Said(depth: depth, value: entry.companion)] {
                for tracking in said.value.tracking { self.addTracker(tracking, id, said.depth) }
                for url in said.value.clicks.tracking { self.addTracker("companionClick", id, url, said.depth) }
            }
        }
    }

    /// Whether as many of a list's companions are shown as must be.
    private func check(_ list: VASTCompanions, shown: Int, _ error: VASTError?) throws(VASTError) {
        let count = list.items.count
        switch list.required {
        case .all where shown < count:
            let why = error?.message ?? "only \(shown) of \(count) can be shown with a video"
            throw VASTError(error?.code ?? 602, "every companion must be shown, and \(why)")
        case .any where shown == 0 && count > 0:
            let why = error?.message ?? "others are shown in the place of all \(count)"
            throw VASTError(error?.code ?? 602, "one companion at least must be shown, and \(why)")
        case .all, .any, .none?, nil: break
        }
    }

    private func part(of companion: VASTCompanion) throws(VASTError) -> VideoPart {
        let name = companion.id.map { "companion \($0.excerpt(40))" } ?? "a companion"
        if let framework = companion.apiFramework, framework.asciiLowercased == "vpaid" {
            throw VASTError(604, "\(name) is a program after VPAID, which is not run")
        }
        if let room = self.policy.container, let width = companion.width, let height = companion.height,
            min(Double(width), Double(height)) > max(room.width, room.height) * 4
        {
            throw VASTError(601, "\(name) of \(width)x\(height) is far too large for \(room)")
        }
        switch self.content(of: companion.resources) {
        case .success(let content):
            return VideoPart(content, size: Size(of: companion.width, companion.height), altText: companion.altText)
        case .failure(.unsupported(let what)): throw VASTError(604, "\(name) is \(what), which can't be shown")
        case .failure(.unreachable(let why)):
            throw VASTError(603, "\(name) has an address that can't be called: \(why)")
        case .failure(.missing): throw VASTError(600, "\(name) holds nothing to show")
        }
    }

    /// Which companion suits the place behind a video best: less is better.
    private func rank(_ companion: VASTCompanion) -> (Int, Double) {
        let isEndCard = companion.renderingMode?.asciiLowercased == "end-card"
        let area = Double(companion.width ?? 0) * Double(companion.height ?? 0)
        guard let room = self.policy.container else { return (isEndCard ? 0 : 1, -area) }
        let width = Double(companion.width ?? 0), height = Double(companion.height ?? 0)
        // What fills the room without being cut is best.
        let waste = abs(room.width - width) + abs(room.height - height)
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
