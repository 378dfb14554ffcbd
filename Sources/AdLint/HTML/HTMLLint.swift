import AdCore
import AdHTML
import AdMarkup

/// Checks a banner's markup.
enum HTMLLint {
    static func check(
        _ bytes: [UInt8],
        _ charset: String? = nil,
        from source: HTTPURL? = nil,
        in state: ServingState = .tag,
        _ log: inout LintLog
    ) {
        do throws(MarkupError) {
            let (document, tags) = try HTMLDocument.parse(bytes, charset: charset, base: source, with: HTMLTags())
            self.check(document, tags.tags, tags.unbalanced, state, &log)
        } catch {
            log.add(.htmlTooComplex, error.line.map { SourcePlace(line: $0) }, error.description)
        }
    }

    /// Checks markup within another document, where it begins at a place.
    static func resource(_ text: String, at place: SourcePlace, _ log: inout LintLog) {
        var inner = LintLog()
        self.check(Array(text.utf8), "utf-8", &inner)
        // Elements of VAST hold its click-through URL, and the player may fill an empty page.
        log.add(inner, from: place, without: [.htmlLinkMissing, .htmlEmpty])
    }

    private static func check(
        _ document: HTMLDocument,
        _ tags: [HTMLTag],
        _ unbalanced: Set<String>,
        _ state: ServingState,
        _ log: inout LintLog
    ) {
        // An error page need not have what a banner must have.
        if let sign = ErrorPage.sign(in: document.markup) {
            return log.add(.htmlErrorPage, nil, "it contains \(sign.quoted)")
        }
        self.issues(document, tags, unbalanced, &log)
        self.page(document, tags, &log)
        self.references(document, tags, &log)
        let hasScript = tags.contains { $0.name == "script" && !$0.isInert }
        for tag in tags where !tag.isInert {
            ElementLint.check(tag, in: document, hasScript: hasScript, &log)
        }
        let code = ScriptCode(tags)
        PlaceholderLint.check(document, tags, code, state, &log)
        LayoutLint.check(document, tags, &log)
        ScriptLint.check(code, &log)
        MRAIDLint.check(code, &log)
        self.mraidScript(document, tags, code, &log)
    }

    // MARK: The page

    private static let start = SourcePlace(line: 1, column: 1)
    private static let heavyMarkup = 200 * 1024
    private static let maxScripts = 10

    private static func page(_ document: HTMLDocument, _ tags: [HTMLTag], _ log: inout LintLog) {
        if !document.hasVisibleContent { log.add(.htmlEmpty, nil) }
        let size = document.markup.utf8.count
        if size > self.heavyMarkup { log.add(.htmlHeavy, nil, "the markup has \(size / 1024) KiB") }
        self.links(document, tags, &log)
        let external = document.scripts.filter { if case .external = $0.source { true } else { false } }
        if external.count > self.maxScripts {
            log.add(
                .htmlScriptsMany,
                SourcePlace(line: external[self.maxScripts].line),
                "\(external.count) scripts are loaded"
            )
        }
        guard !document.isFragment else { return }
        // A creative with a fixed size needs no viewport.
        if document.viewport == nil, document.declaredSize == nil { log.add(.htmlViewportMissing, self.start) }
        let head = document.markup.prefix(1024).asciiLowercased
        if head.firstRange(of: "<!doctype") == nil { log.add(.htmlDoctypeMissing, self.start) }
        let isDeclared = tags.contains {
            $0.name == "meta" && ($0["charset"] != nil || $0["http-equiv"]?.asciiLowercased == "content-type")
        }
        if !isDeclared, document.encoding.evidence == .assumption, document.markup.utf8.contains(where: { $0 >= 0x80 })
        {
            log.add(.htmlCharsetMissing, self.start)
        }
    }

    /// Reports a banner that can't be tapped; a script, a form or a frame may handle taps.
    private static func links(_ document: HTMLDocument, _ tags: [HTMLTag], _ log: inout LintLog) {
        guard document.hasVisibleContent, document.links.isEmpty, document.scripts.isEmpty, document.forms.isEmpty,
            !document.embeds.contains(where: { $0.kind == .iframe || $0.kind == .object || $0.kind == .embed }),
            !tags.contains(where: { tag in tag.name == "a" || tag.attributes.contains { $0.name.hasPrefix("on") } })
        else { return }
        log.add(.htmlLinkMissing, nil)
    }

    private static func references(_ document: HTMLDocument, _ tags: [HTMLTag], _ log: inout LintLog) {
        if let refresh = document.refresh {
            let target = refresh.template.map { "to \($0.text.quotedURL)" } ?? "to itself"
            let tag = tags.first { $0.place.line == refresh.line && $0.name == "meta" && $0["http-equiv"] != nil }
            let place = tag?.place ?? SourcePlace(line: refresh.line)
            log.add(.htmlRefresh, place, "after \(refresh.delay) s it redirects \(target)")
        }
        // Only findings need places.
        lazy var places = URLPlaces(document.markup, tags)
        var pixels: [String: Int] = [:]
        for pixel in document.pixels where !pixel.isInert && pixel.tracking != nil {
            if let line = pixels[pixel.template.text] {
                log.add(
                    .htmlPixelTwice,
                    places.place(line: pixel.line, of: pixel.template.text),
                    "\(pixel.template.text.quotedURL) is already on line \(line)"
                )
            } else {
                pixels[pixel.template.text] = pixel.line
            }
        }
        for resource in document.insecureResources {
            let rule: LintRule =
                resource.kind == .script || resource.kind == .frame ? .htmlScriptInsecure : .htmlResourceInsecure
            let address = resource.template.text
            log.add(
                rule,
                places.place(line: resource.line, of: address),
                "\(resource.kind.rawValue) \(address.quotedURL)"
            )
        }
        for frame in document.embeds where frame.kind == .iframe && frame.isHidden {
            guard let address = frame.template?.text, ["http", "https"].contains(URLCheck.scheme(of: address))
            else { continue }
            log.add(
                .htmlFrameHidden,
                places.place(line: frame.line, of: address),
                "an invisible frame loads \(address.quotedURL)"
            )
        }
        for form in document.forms {
            guard let address = form.action?.text, URLCheck.scheme(of: address) == "http" else { continue }
            log.add(
                .htmlFormInsecure,
                places.place(line: form.line, of: address),
                "the form is sent to \(address.quotedURL)"
            )
        }
    }

    // MARK: MRAID

    private static func mraidScript(
        _ document: HTMLDocument,
        _ tags: [HTMLTag],
        _ code: ScriptCode,
        _ log: inout LintLog
    ) {
        let scripts = tags.filter { $0.name == "script" && !$0.isInert }
        let isMRAIDScript = { (tag: HTMLTag) in
            MRAIDScript.isNamed(by: tag["src"] ?? "")
        }
        if document.callsMRAID, !document.loadsMRAID {
            log.add(.mraidNotLoaded, nil, "a script calls mraid, but mraid.js is not loaded")
        }
        let others = scripts.filter { $0["src"] != nil && !isMRAIDScript($0) }
        if document.loadsMRAID, !code.mentionsMRAID, others.isEmpty {
            log.add(.mraidUnused, scripts.first(where: isMRAIDScript)?.place)
        }
        for script in scripts where isMRAIDScript(script) {
            let address = script["src"] ?? ""
            if URLCheck.scheme(of: address) != nil || address.hasPrefix("//") {
                log.add(.mraidAddress, script.place(of: "src"), "it is loaded from \(address.quotedURL)")
            }
        }
    }

    // MARK: Repairs of the reader

    private static let rules: [String: LintRule] = [
        "html.adSize.unreadable": .htmlSizeUnreadable, "html.attribute.duplicate": .htmlAttributeTwice,
        "html.tag.truncated": .htmlTagTruncated, "html.comment.unclosed": .htmlContentUnclosed,
        "html.content.unclosed": .htmlContentUnclosed, "html.element.misplaced": .htmlElementMisplaced,
        "html.element.unclosed": .htmlElementUnclosed, "html.endTag.stray": .htmlEndTagStray,
        "html.character.control": .htmlControlCharacters, "html.entity.unterminated": .htmlCharacterWrong,
        "html.entity.invalid": .htmlCharacterWrong, "encoding.replaced": .encodingWrong,
        "encoding.unknown": .encodingWrong, "encoding.wrong": .encodingWrong,
    ]

    /// The name of the element that an issue is about.
    private static func element(of message: String) -> String? {
        guard let open = message.firstIndex(of: "<") else { return nil }
        let name = message[message.index(after: open)...].drop { $0 == "/" }.prefix { $0 != ">" && $0 != " " }
        return name.isEmpty ? nil : String(name).asciiLowercased
    }

    private static func issues(
        _ document: HTMLDocument,
        _ tags: [HTMLTag],
        _ unbalanced: Set<String>,
        _ log: inout LintLog
    ) {
        var issuePlaces = MarkupSearch(document.markup)
        for issue in document.issues {
            guard let rule = self.rules[issue.code] else { continue }
            // libxml2 parses HTML 4, which allows no block in a link; HTML allows it (HTML Living Standard, "the a
            // element"). An element with as many end tags as start tags is closed.
            if rule == .htmlElementUnclosed || rule == .htmlEndTagStray, let name = self.element(of: issue.message),
                !unbalanced.contains(name)
            {
                continue
            }
            if case .line(let line) = issue.place {
                if rule == .htmlSizeUnreadable, let tag = tags.first(where: { $0.place.line == line && $0.isAdSize }) {
                    log.add(rule, tag.place(of: "content"), issue.message)
                    continue
                }
                let written = self.element(of: issue.message).map { "<\($0)" } ?? ""
                log.add(rule, issuePlaces.place(line: line, of: written), issue.message)
            } else {
                log.add(rule, nil, issue.message)
            }
        }
    }
}
