import AdCore
import AdMarkup

/// Which captions of a spot are shown (VAST 4.3 §3.9.5), and which files are fetched for them.
///
/// A file is fetched when it is chosen for the first time.
struct CaptionPlayer: Hashable, Sendable {
    enum Step: Hashable, Sendable {
        case fetch(MediaDownload)
        case drop(Int)
        /// Show these captions, or none.
        case show(CaptionTrack?)
        case observe(CaptionActivity)
        case updateButton
    }

    private enum State: Hashable, Sendable {
        case new
        /// The number of the download.
        case fetching(Int)
        case loaded(CaptionTrack)
        case failed
    }

    private struct File: Hashable, Sendable {
        let caption: VideoSpot.Caption
        var state = State.new

        var language: String { (self.caption.language ?? "").asciiLowercased }
    }

    /// The maximum number of files that are offered.
    static let fileLimit = 8

    private var files: [File]
    /// The index of the chosen file; nil if captions are off.
    private var chosen: Int?
    private var unreadable: [VideoSpot.Caption]

    /// No captions.
    init() { self.init([]) }

    init(_ captions: [VideoSpot.Caption]) {
        let readable = captions.filter { CaptionTrack.isReadable(type: $0.type) }
        self.files = readable.prefix(CaptionPlayer.fileLimit).map { File(caption: $0) }
        self.unreadable = captions.filter { !CaptionTrack.isReadable(type: $0.type) }
    }

    /// The language of the chosen file, an empty text for one without; nil if captions are off.
    var language: String? { self.chosen.map { self.files[$0].caption.language ?? "" } }

    /// The text of the button, and whether captions are on; nil if there are none.
    var button: (text: String, isOn: Bool)? {
        guard self.files.contains(where: { $0.state != .failed }) else { return nil }
        guard let language, self.choices.count > 1 else { return ("CC", self.chosen != nil) }
        return (language.isEmpty ? "CC" : "CC \(language.excerpt(5))", true)
    }

    // MARK: Choosing

    /// Starts a spot with captions in a language, if it has them.
    mutating func start(in language: String?, number: () -> Int) -> [Step] {
        let problems = self.unreadable.prefix(CaptionPlayer.fileLimit).map { caption in
            let type = (caption.type ?? "").excerpt(40)
            return Step.observe(CaptionActivity(caption, .failed("type \(type) is none of WebVTT, TTML and SubRip")))
        }
        guard let language, !self.files.isEmpty else { return problems + [.updateButton] }
        guard let best = self.index(for: language) else {
            let offered = self.files.compactMap(\.caption.language).map { $0.excerpt(20) }.joined(separator: ", ")
            let text = "there are none in \(language.excerpt(20)), only in \(offered)"
            return problems + [.observe(CaptionActivity(self.files[0].caption, .failed(text))), .updateButton]
        }
        return problems + self.choose(best, number: number)
    }

    /// The file in a language: the same tag, or else the same language of another region, or else one without a
    /// language (RFC 4647 §3.4).
    private func index(for language: String) -> Int? {
        let wanted = language.asciiLowercased
        let tags = self.files.map { ($0.caption.language ?? "").asciiLowercased }
        let primary = { (tag: String) in tag.prefix { $0 != "-" && $0 != "_" } }
        return tags.firstIndex(of: wanted) ?? tags.firstIndex { !$0.isEmpty && primary($0) == primary(wanted) }
            ?? tags.firstIndex(of: "") ?? (wanted.isEmpty ? 0 : nil)
    }

    /// The first usable file of each language.
    private var choices: [Int] {
        var languages: Set<String> = []
        return self.files.indices.filter { index in
            self.files[index].state != .failed && languages.insert(self.files[index].language).inserted
        }
    }

    /// Chooses the next language after a press: each in turn, and then none.
    mutating func chooseNext(number: () -> Int) -> [Step] {
        let choices = self.choices
        let language = self.chosen.map { self.files[$0].language }
        let place = language.flatMap { language in choices.firstIndex { self.files[$0].language == language } }
        guard let next = choices.dropFirst(place.map { $0 + 1 } ?? 0).first else {
            guard let before = self.chosen else { return [] }
            self.chosen = nil
            return [.show(nil), .observe(CaptionActivity(self.files[before].caption, .off)), .updateButton]
        }
        return self.choose(next, number: number)
    }

    private mutating func choose(_ index: Int, number: () -> Int) -> [Step] {
        let before: [Step] = self.chosen == nil ? [] : [.show(nil)]
        self.chosen = index
        switch self.files[index].state {
        case .loaded(let track): return [.show(track), self.shown(track, index), .updateButton]
        case .fetching, .failed: return before + [.updateButton]
        case .new:
            let caption = self.files[index].caption
            let file = MediaFile(caption.url, type: caption.type ?? "text/vtt")
            let download = MediaDownload(number: number(), file: file)
            self.files[index].state = .fetching(download.number)
            return before + [.fetch(download), .updateButton]
        }
    }

    private func shown(_ track: CaptionTrack, _ index: Int) -> Step {
        .observe(CaptionActivity(self.files[index].caption, .shown(track)))
    }

    // MARK: Files

    /// Handles the result of fetching a file.
    mutating func fetched(
        _ number: Int,
        _ result: Result<CaptionTrack, MediaError>,
        next: () -> Int
    ) -> [Step] {
        guard let index = self.files.firstIndex(where: { $0.state == .fetching(number) }) else { return [] }
        switch result {
        case .success(let track):
            self.files[index].state = .loaded(track)
            return index == self.chosen ? [.show(track), self.shown(track, index)] : []
        case .failure(let error):
            self.files[index].state = .failed
            let told = Step.observe(CaptionActivity(self.files[index].caption, .failed(error.message)))
            guard index == self.chosen else { return [told, .updateButton] }
            self.chosen = nil
            // Another file of the language, in another format.
            let language = self.files[index].language
            let other = self.choices.first { self.files[$0].language == language }
            return [told] + (other.map { self.choose($0, number: next) } ?? [.updateButton])
        }
    }

    /// Ends the spot.
    mutating func end() -> [Step] {
        let numbers = self.files.compactMap { if case .fetching(let number) = $0.state { number } else { nil } }
        let steps: [Step] = numbers.map { .drop($0) } + (self.chosen == nil ? [] : [.show(nil)])
        self = CaptionPlayer()
        return steps + [.updateButton]
    }
}

extension CaptionActivity {
    /// What became of a caption file.
    fileprivate enum Outcome {
        case shown(CaptionTrack)
        case off
        case failed(String)
    }

    fileprivate init(_ caption: VideoSpot.Caption, _ outcome: Outcome) {
        let url = Redaction.address(caption.url.text.excerpt(500))
        switch outcome {
        case .shown(let track):
            let issues = track.issues.map(\.description)
            self.init(.shown, url: url, language: caption.language, format: track.format.rawValue, issues: issues)
            self.cues = track.cues.count
        case .off: self.init(.off, url: url, language: caption.language)
        case .failed(let problem): self.init(.failed, url: url, language: caption.language, issues: [problem])
        }
    }
}

extension CaptionTrack {
    /// The argument of `yabbiCaptions` in `player.js`.
    var script: AdJSON {
        .array(
            self.cues.map { cue in
                var members: [AdJSON.Member] = [
                    .init("start", .double(cue.start.inSeconds)), .init("end", .double(cue.end.inSeconds)),
                    .init("text", .string(cue.text)),
                ]
                let settings = cue.settings
                switch settings.line {
                case .number(let line): members.append(.init("line", .double(line)))
                case .percent(let line): members += [.init("line", .double(line)), .init("snapToLines", false)]
                case nil: break
                }
                if let position = settings.position { members.append(.init("position", .double(position))) }
                if let size = settings.size { members.append(.init("size", .double(size))) }
                if let align = settings.align { members.append(.init("align", .string(align.rawValue))) }
                if let vertical = settings.vertical { members.append(.init("vertical", .string(vertical.rawValue))) }
                return .object(members)
            }
        )
    }
}
