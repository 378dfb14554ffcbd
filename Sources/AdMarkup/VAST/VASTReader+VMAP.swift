import AdCore

/// Parses the elements of VMAP.
extension VASTReader {
    mutating func startBreak(_ attributes: XMLAttributes) {
        var adBreak = VMAPBreak(line: self.line)
        var hasOffset = false
        attributes.known { name, value in
            switch name {
            case .timeOffset:
                hasOffset = true
                adBreak.offset = self.accept(.breakOffset(value), of: "timeOffset", value)
            case .breakType: adBreak.kinds = value.text.split(separator: ",").map(\.trimmed).filter { !$0.isEmpty }
            case .breakId: adBreak.id = value.text
            case .repeatAfter: adBreak.repeatAfter = self.accept(.duration(value), of: "repeatAfter", value)
            default: break
            }
        }
        if !hasOffset { self.addIssue("vmap.timeOffset.missing", "a break has no timeOffset; it is never due") }
        self.adBreak = adBreak
    }

    mutating func startSource(_ attributes: XMLAttributes) {
        var source = VMAPSource()
        attributes.known { name, value in
            switch name {
            case .id: source.id = value.text
            case .allowMultipleAds: source.allowsMultipleAds = self.accept(.flag(value), of: "allowMultipleAds", value)
            case .followRedirects: source.followsRedirects = self.accept(.flag(value), of: "followRedirects", value)
            default: break
            }
        }
        self.source = source
    }

    /// Parses VAST that is text, in CDATA or escaped; VMAP 1.0.1 §2.3.3 demands elements.
    mutating func endVASTData() {
        guard self.source != nil, self.source?.content == nil, self.isCollecting else { return }
        let text = self.text
        guard text.contains(where: { !$0.isWhiteSpace }) else { return }
        // The text begins on the line of the start tag.
        let lines = self.line - 1
        let outcome = text.withUnsafeBufferPointer { VASTParser.read($0, .vast, self.limits, linesBefore: lines) }
        switch outcome {
        case .success(let reader):
            self.addIssue(
                "vmap.vast.text",
                "the VAST in <VASTAdData> is text (CDATA or escaped), not an element; it is accepted"
            )
            var document = reader.vast()
            self.issues.add(document.issues)
            document.issues = []
            self.source?.content = .vast(document)
        case .failure(let error):
            let place = error.line ?? self.line
            self.addIssue("vmap.vast.unreadable", place, "the text in <VASTAdData> is not VAST: \(error.message)")
        }
    }
}

extension VASTValue where Value == VMAPOffset {
    /// Parses `start`, `end`, a time, a percentage, or a position.
    static func breakOffset(_ bytes: ByteView) -> VASTValue {
        switch bytes.text {
        case "start": return .valid(.start)
        case "end": return .valid(.end)
        default: break
        }
        if bytes.first == UInt8(ascii: "#") {
            guard case .valid(let number) = VASTValue<Int>.whole(bytes.dropFirst()), number > 0 else {
                return .invalid("it is not a position as in #1")
            }
            return .valid(.position(number))
        }
        switch VASTValue<MediaOffset>.offset(bytes) {
        case .valid(.time(let time)): return .valid(.time(time))
        case .valid(.percent(let percent)): return .valid(.percent(percent))
        case .repaired(.time(let time), let reason): return .repaired(.time(time), reason)
        case .repaired(.percent(let percent), let reason): return .repaired(.percent(percent), reason)
        case .invalid: return .invalid("it is none of start, end, a time, a percentage and a position as in #1")
        }
    }
}
