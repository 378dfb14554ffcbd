import WebStage

// Documents of frames.

extension PageTranslator {
    /// Notices a document with the first message from it.
    mutating func open(_ report: ScriptReport) -> [EngineEvent] {
        let place = report.place
        guard self.frames.frame(at: place) == nil else { return [] }
        switch place.depth {
        case 0: return self.commit(PageFrames.main, report)
        case 1: return self.openChild(report)
        default: return self.openNested(report)
        }
    }

    /// A document in a frame of the host page.
    private mutating func openChild(_ report: ScriptReport) -> [EngineEvent] {
        let url = report.url.prefix { $0 != "#" }
        let waiting = self.frames.children.first { $0.place == nil && $0.url.prefix { $0 != "#" } == url }
        if let waiting { return self.commit(waiting.id, report) }
        let moved = self.frames.children.first { $0.load != nil && $0.url.prefix { $0 != "#" } == url }
        let known = moved ?? self.frames.frame(atPath: report.place.path)
        // The empty document of a frame that has no other one yet is not the ad.
        return known.map { self.commit($0.id, report) } ?? []
    }

    /// A document in a frame inside of an ad's own.
    private mutating func openNested(_ report: ScriptReport) -> [EngineEvent] {
        // Without a URL of its own it is part of the document around it, which can read and write it.
        guard !report.url.hasPrefix("about:"), !report.url.isEmpty else { return [] }
        var events: [EngineEvent] = []
        if let old = self.frames.frame(atPath: report.place.path) {
            events = self.frames.remove(old.id).map { EngineEvent(.detached($0), in: nil) }
        }
        let parent = self.frames.children.first { $0.place?.contains(report.place) == true }
        let id = self.frames.add(url: report.url, load: self.number(), at: report.place)
        self.frames.change(id) { ($0.isAttached, $0.isResumed) = (true, true) }
        guard let frame = self.frames[id] else { return events }
        let attached = AttachedTarget(.frame, frame.target, id: id, url: "")
        return events + [EngineEvent(.attached(attached), in: parent?.target ?? self.target)]
            + self.commit(id, report)
    }

    /// A frame has a new document.
    private mutating func commit(_ id: String, _ report: ScriptReport) -> [EngineEvent] {
        guard let frame = self.frames[id] else { return [] }
        let isExpected = frame.url.prefix { $0 != "#" } == report.url.prefix { $0 != "#" }
        let load = isExpected ? frame.load : nil
        var events: [EngineEvent] = []
        // The frames inside of the last document are gone.
        if let old = frame.place {
            let inner = self.frames.all.values.filter { old.contains($0.place) }
            for id in inner.map(\.id).sorted() {
                events += self.frames.remove(id).map { EngineEvent(.detached($0), in: nil) }
            }
        }
        self.frames.change(id) { ($0.place, $0.load, $0.url) = (report.place, load, report.url) }
        let document = EngineDocument(
            frame: id,
            load: load,
            url: StageScheme.stageURL(report.url),
            isErrorPage: false
        )
        return events + [EngineEvent(.committed(document), in: frame.target)]
    }
}
