import AdCore

/// Scripts and style sheets.
extension HTMLReader {
    mutating func readScript(_ start: StartTag, _ state: State) {
        let attributes = start.attributes
        let isInert = state.contains(.inert)
        let content = self.takeContent(of: start.tag)
        let isData = attributes.value("type").map { !ScriptType.isCode($0.bytes[...]) } ?? false
        let isClosed = content?.isClosed ?? true
        let address = attributes.value("src") ?? attributes.value("href") ?? attributes.value("xlink:href")
        let runs = !isInert && !isData && isClosed
        let source: HTMLDocument.Source
        if let template = address?.template {
            if runs {
                self.document.hasSomethingToSee = true
                let isBridge = address.map { CodeMentions.isBridge($0.bytes) } ?? false
                self.document.loadsMRAID = self.document.loadsMRAID || isBridge
            }
            self.note(template, .script, state, line: start.line)
            source = .external(template)
        } else if let content {
            let bytes = UnsafeBufferPointer(rebasing: self.source[content.range])
            if runs, bytes.contains(where: { !$0.isBlank }) {
                self.document.hasSomethingToSee = true
                let mentions = CodeMentions(bytes)
                self.document.loadsMRAID = self.document.loadsMRAID || mentions.loadsMRAID
                self.document.callsMRAID = self.document.callsMRAID || mentions.callsMRAID
            }
            source = .inline(byteCount: bytes.count)
        } else {
            return
        }
        guard !isInert, self.hasRoom(self.document.scripts.count, .scripts) else { return }
        self.document.scripts.append(HTMLDocument.Script(source: source, isData: isData, line: start.line))
    }

    mutating func readStyle(_ start: StartTag, _ state: State) {
        guard let content = self.takeContent(of: start.tag), !state.contains(.inert) else { return }
        let bytes = UnsafeBufferPointer(rebasing: self.source[content.range])
        if self.sheets.count < self.limits.listed { self.sheets.append(content.range) }
        if !self.document.hasSomethingToSee {
            StyleScan.each(bytes[...]) { declaration in
                if declaration.mayPaint { self.document.hasSomethingToSee = true }
                if declaration.mayUncover { self.mayUncover = true }
            }
        }
        if bytes.contains(UInt8(ascii: "(")) {
            var lines = self.lines
            // A style sheet paints other elements than itself: it is never hidden.
            let source = self.source
            self.readImages(bytes[...], []) { lines.line(at: content.range.lowerBound + $0, in: source) }
        }
        guard self.hasRoom(self.document.stylesheets.count, .stylesheets) else { return }
        self.document.stylesheets.append(
            HTMLDocument.Stylesheet(source: .inline(byteCount: bytes.count), line: start.line)
        )
    }

    mutating func readStylesheet(_ start: StartTag, _ state: State) {
        guard !state.contains(.inert), start.attributes.value("rel")?.contains("stylesheet") == true,
            let template = start.attributes.value("href")?.template
        else { return }
        // It may paint any box, the page's own as well.
        self.document.hasSomethingToSee = true
        self.note(template, .stylesheet, state, line: start.line)
        guard self.hasRoom(self.document.stylesheets.count, .stylesheets) else { return }
        self.document.stylesheets.append(HTMLDocument.Stylesheet(source: .external(template), line: start.line))
    }
}
