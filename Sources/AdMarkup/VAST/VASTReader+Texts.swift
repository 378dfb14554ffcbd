import AdCore

/// Parses elements whose content is text.
extension VASTReader {
    // MARK: Texts

    /// Calls a closure with the text without surrounding white space.
    private func value<R>(_ body: (ByteView) -> R) -> R {
        self.text.withUnsafeBufferPointer { body($0[...].withoutWhiteSpace) }
    }

    var string: String { self.value(\.text) }
    var filled: String? {
        let text = self.string
        return text.isEmpty ? nil : text
    }

    /// The URL in the text; nil if it is empty.
    mutating func url(_ element: VASTElement) -> URLTemplate? {
        if let url = self.value({ $0.isEmpty ? nil : URLTemplate(verbatim: $0.text) }) { return url }
        self.addIssue(
            "vast.url.empty",
            "<\(element.spelling)> has no URL; it is left out"
        )
        return nil
    }

    mutating func parse<Value>(_ read: (ByteView) -> VASTValue<Value>, of what: StaticString) -> Value? {
        let text = self.text
        return text.withUnsafeBufferPointer { bytes in
            let value = bytes[...].withoutWhiteSpace
            return self.accept(read(value), of: what, value)
        }
    }

    /// Whether an element that may occur once in its parent has no value yet (VAST 4.3 §5).
    ///
    /// A second element is ignored with an issue.
    mutating func isFirst(_ earlier: (some Any)?, _ element: VASTElement) -> Bool {
        guard earlier != nil else { return true }
        self.addIssue(
            "vast.element.twice",
            "<\(element.spelling)> occurs twice where one is allowed; the first is used"
        )
        return false
    }

    /// Handles the end of an element of the document or of any ad, or of one of the others below.
    mutating func finishText(_ element: VASTElement) {
        switch element {
        case .error:
            guard let url = self.url(element) else { return }
            if self.ad?.errors.append(url) == nil { self.document.errorURLs.append(url) }
        case .impression:
            if let url = self.url(element) {
                self.ad?.impressions.append(VASTImpression(id: self.pending.id, url: url))
            }
        case .adSystem:
            guard self.isFirst(self.ad?.system, element) else { return }
            if let name = self.filled { self.ad?.system = VASTSystem(name: name, version: self.pending.version) }
        case .adServingId:
            guard self.isFirst(self.ad?.servingID, element) else { return }
            let value = self.filled
            self.ad?.servingID = value
        case .pricing:
            guard self.isFirst(self.ad?.pricing, element) else { return }
            if let value = self.parse(VASTValue.number, of: "pricing") {
                self.ad?.pricing = VASTPricing(value: value, model: self.pending.model, currency: self.pending.currency)
            }
        case .viewable: if let url = self.url(element) { self.viewable?.viewable.append(url) }
        case .notViewable: if let url = self.url(element) { self.viewable?.notViewable.append(url) }
        case .viewUndetermined: if let url = self.url(element) { self.viewable?.undetermined.append(url) }
        default: self.finishInlineText(element)
        }
    }

    /// Handles the end of an element of an inline ad (VAST 4.3 §3.4).
    private mutating func finishInlineText(_ element: VASTElement) {
        switch element {
        case .adTitle:
            guard self.isFirst(self.inline?.title, element) else { return }
            let value = self.filled
            self.inline?.title = value
        case .description:
            guard self.isFirst(self.inline?.description, element) else { return }
            let value = self.filled
            self.inline?.description = value
        case .advertiser:
            guard self.isFirst(self.inline?.advertiser, element) else { return }
            if let name = self.filled { self.inline?.advertiser = VASTNamed(name: name, id: self.pending.id) }
        case .survey:
            if let url = self.url(element) {
                self.inline?.surveys.append(VASTSurvey(url: url, type: self.pending.type))
            }
        case .category:
            if let value = self.filled {
                self.inline?.categories.append(VASTCategory(value: value, authority: self.pending.authority))
            }
        case .expires:
            guard self.isFirst(self.inline?.expires, element) else { return }
            let value = self.parse(VASTValue.whole, of: "expires")
            self.inline?.expires = value
        default: self.finishWrapperText(element)
        }
    }

    /// Handles the end of an element of a wrapper (VAST 4.3 §3.19), or of an ad source of VMAP.
    private mutating func finishWrapperText(_ element: VASTElement) {
        switch element {
        case .tagURI:
            guard self.isFirst(self.wrapper?.tagURL, element) else { return }
            let value = self.url(element)
            self.wrapper?.tagURL = value
        case .oldTagURL, .oldURL:
            guard self.wrapper != nil, self.wrapper?.tagURL == nil, let text = self.filled else { return }
            self.addIssue(
                "vast.tagURL.old",
                "the URL is in <VASTAdTagURL>, as before VAST 2; use <VASTAdTagURI>"
            )
            self.wrapper?.tagURL = URLTemplate(verbatim: text)
        case .blockedAdCategories:
            if let value = self.filled {
                self.wrapper?.blockedCategories.append(VASTCategory(value: value, authority: self.pending.authority))
            }
        case .adTagURI:
            if let url = self.url(element) { self.source?.content = .tag(url, type: self.pending.type) }
        case .customAdData:
            let text = self.string
            self.source?.content = .custom(text, type: self.pending.type)
        default: self.finishLinearText(element)
        }
    }
}
