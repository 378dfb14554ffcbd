import AdCore
import AdMarkup

/// Scripts and style sheets.
extension HTMLReader {
    mutating func readScript(_ start: HTMLStartTag, in parse: borrowing HTMLParse) {
        let address = start.scriptAddress
        let runs = start.runsAsScript
        let source: HTMLDocument.Source
        if let template = address?.template {
            if runs, !self.document.loadsMRAID {
                self.document.loadsMRAID = address.map { MRAIDMentions.isMRAIDScript($0.bytes) } ?? false
            }
            self.addInsecure(template, .script, start.state, line: start.line)
            source = .external(template)
        } else if let content = start.content {
            let bytes = UnsafeBufferPointer(rebasing: parse.source[content.range])
            if runs {
                let mentions = MRAIDMentions(bytes)
                self.document.loadsMRAID = self.document.loadsMRAID || mentions.loadsMRAID
                self.document.callsMRAID = self.document.callsMRAID || mentions.callsMRAID
            }
            source = .inline(byteCount: bytes.count)
        } else {
            return
        }
        guard !start.state.contains(.inert), self.hasRoom(self.document.scripts.count, .scripts) else { return }
        let script = HTMLDocument.Script(source: source, isData: start.isDataScript, line: start.line)
        self.document.scripts.append(script)
    }

    mutating func readStyle(_ start: HTMLStartTag, in parse: borrowing HTMLParse) {
        guard let content = start.content, !start.state.contains(.inert) else { return }
        let bytes = UnsafeBufferPointer(rebasing: parse.source[content.range])
        if self.sheets.count < self.listLimit { self.sheets.append(content.range) }
        if bytes.contains(UInt8(ascii: "(")) {
            var lines = parse.lines
            // A style sheet paints other elements, so it is never hidden itself.
            let source = parse.source
            self.readImages(bytes[...], []) { lines.line(at: content.range.lowerBound + $0, in: source) }
        }
        guard self.hasRoom(self.document.stylesheets.count, .stylesheets) else { return }
        self.document.stylesheets.append(
            HTMLDocument.Stylesheet(source: .inline(byteCount: bytes.count), line: start.line)
        )
    }

    mutating func readStylesheet(_ start: HTMLStartTag) {
        guard !start.state.contains(.inert), let template = start.stylesheetAddress else { return }
        self.addInsecure(template, .stylesheet, start.state, line: start.line)
        guard self.hasRoom(self.document.stylesheets.count, .stylesheets) else { return }
        self.document.stylesheets.append(HTMLDocument.Stylesheet(source: .external(template), line: start.line))
    }
}
