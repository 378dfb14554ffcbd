import AdCore

/// Parses nonlinear ads, companions, icons and extensions.
extension VASTReader {
    /// Parses the attributes of `<NonLinear>` (VAST 4.3 §3.12.1).
    mutating func startNonLinear(_ attributes: XMLAttributes) {
        var item = VASTNonLinear()
        attributes.known { name, value in
            switch name {
            case .id: item.id = value.text
            case .apiFramework: item.apiFramework = value.text
            case .width: item.width = self.accept(.whole(value), of: "width", value)
            case .height: item.height = self.accept(.whole(value), of: "height", value)
            case .expandedWidth: item.expandedWidth = self.accept(.whole(value), of: "expandedWidth", value)
            case .expandedHeight: item.expandedHeight = self.accept(.whole(value), of: "expandedHeight", value)
            case .scalable: item.isScalable = self.accept(.flag(value), of: "scalable", value)
            case .maintainAspectRatio:
                item.keepsAspectRatio = self.accept(.flag(value), of: "maintainAspectRatio", value)
            case .minSuggestedDuration: item.minimum = self.accept(.duration(value), of: "minSuggestedDuration", value)
            default: break
            }
        }
        if self.nonLinears == nil { self.nonLinears = VASTNonLinears() }
        self.nonLinear = item
    }

    /// Parses the attributes of `<CompanionAds>` (VAST 4.3 §3.13).
    mutating func startCompanions(_ attributes: XMLAttributes) {
        var companions = VASTCompanions()
        attributes.known { name, value in
            guard name == .required else { return }
            companions.required = VASTCompanions.Required(rawValue: value.text.asciiLowercased)
            if companions.required == nil {
                self.addIssue(
                    "vast.required.wrong",
                    "required is \u{201C}\(value.prefix(40).text)\u{201D}; known values are all, any and none"
                )
            }
        }
        self.companions = companions
    }

    /// Parses the attributes of `<Companion>` (VAST 4.3 §3.13.1).
    mutating func startCompanion(_ attributes: XMLAttributes) {
        var item = VASTCompanion()
        attributes.known { name, value in
            switch name {
            case .id: item.id = value.text
            case .apiFramework: item.apiFramework = value.text
            case .width: item.width = self.accept(.whole(value), of: "width", value)
            case .height: item.height = self.accept(.whole(value), of: "height", value)
            case .assetWidth: item.assetWidth = self.accept(.whole(value), of: "assetWidth", value)
            case .assetHeight: item.assetHeight = self.accept(.whole(value), of: "assetHeight", value)
            case .expandedWidth: item.expandedWidth = self.accept(.whole(value), of: "expandedWidth", value)
            case .expandedHeight: item.expandedHeight = self.accept(.whole(value), of: "expandedHeight", value)
            case .adSlotID: item.adSlotID = value.text
            case .pxratio: item.pixelRatio = self.accept(.number(value), of: "pxratio", value)
            case .renderingMode: item.renderingMode = value.text
            default: break
            }
        }
        if self.companions == nil { self.companions = VASTCompanions() }
        self.companion = item
    }

    /// Parses the attributes of `<Icon>` (VAST 4.3 §3.11.1).
    mutating func startIcon(_ attributes: XMLAttributes) {
        var icon = VASTIcon()
        attributes.known { name, value in
            switch name {
            case .program: icon.program = value.text
            case .apiFramework: icon.apiFramework = value.text
            case .width: icon.width = self.accept(.whole(value), of: "width", value)
            case .height: icon.height = self.accept(.whole(value), of: "height", value)
            case .xPosition: icon.x = self.place(value, "left", "right", "xPosition")
            case .yPosition: icon.y = self.place(value, "top", "bottom", "yPosition")
            case .offset: icon.offset = self.accept(.duration(value), of: "offset", value)
            case .duration: icon.duration = self.accept(.duration(value), of: "duration", value)
            case .pxratio: icon.pixelRatio = self.accept(.number(value), of: "pxratio", value)
            case .altText: icon.altText = value.text
            case .hoverText: icon.hoverText = value.text
            default: break
            }
        }
        self.icon = icon
    }

    private mutating func place(
        _ value: ByteView,
        _ start: StaticString,
        _ end: StaticString,
        _ name: StaticString
    ) -> VASTIcon.Place? {
        if value.count == start.utf8CodeUnitCount, value.startsIgnoringCase(start) { return .start }
        if value.count == end.utf8CodeUnitCount, value.startsIgnoringCase(end) { return .end }
        return self.accept(.whole(value), of: name, value).map { .points($0) }
    }

    // MARK: Extensions

    mutating func startNode(_ name: UnsafeBufferPointer<UInt8>, _ attributes: XMLAttributes) {
        // The text before a child element belongs to its parent.
        self.addNodeText()
        self.nodes.append(VASTNode(name: String(decoding: name, as: UTF8.self)))
        self.fillNode(attributes)
    }

    mutating func fillNode(_ attributes: XMLAttributes) {
        var list: [VASTAttribute] = []
        attributes.each { name, value in
            list.append(VASTAttribute(name: String(decoding: name, as: UTF8.self), value: value.text))
        }
        self.nodes[self.nodes.count - 1].attributes = list
    }

    mutating func addNodeText() {
        guard let last = self.nodes.indices.last else { return }
        let text = self.text.withUnsafeBufferPointer { $0[...].withoutWhiteSpace.text }
        if !text.isEmpty { self.nodes[last].text += text }
        self.text.removeAll(keepingCapacity: true)
    }

    /// Ends an element of an extension; returns the whole extension when it was the outermost.
    mutating func endNode() -> VASTNode? {
        self.addNodeText()
        guard let node = self.nodes.popLast() else { return nil }
        guard let last = self.nodes.indices.last else { return node }
        self.nodes[last].children.append(node)
        return nil
    }
}
