import AdCore
import AdHTML
import AdMarkup

extension VASTSchema {
    /// A name of elements in a document, with what VAST says of it.
    final class ElementName: Sendable {
        /// The name as it is written in the document, without its prefix; a long one is cut.
        let written: String
        /// The name in VAST's spelling if only its case is wrong, else as it is written.
        let corrected: String
        /// The index in ``VASTSchema/names``; nil for an unknown name.
        let index: Int?
        /// What an element of this name may have, where that does not depend on its place.
        let entry: VASTSchema.Entry?
        let isContextDependent: Bool
        /// Whether VAST does not define the element's content.
        let hasFreeContent: Bool
        /// What the element's text is requested for; nil if it is not a URL.
        let urlUse: URLElement.Use?

        private static let exact = Dictionary(
            uniqueKeysWithValues: VASTSchema.names.map { ($0, ElementName(name: $0)) }
        )

        /// A name in a document.
        static func named(_ name: String) -> ElementName { self.exact[name] ?? ElementName(name: name) }

        private init(name: String) {
            self.written = name
            self.corrected = VASTSchema.spelling(of: name) ?? name
            self.index = VASTSchema.indices[self.corrected]
            self.entry = VASTSchema.entry(named: self.corrected)
            self.isContextDependent = VASTSchema.isContextDependent(self.corrected)
            self.urlUse = URLElement.Use(elementNamed: self.corrected)
            self.hasFreeContent = ElementName.withFreeContent.contains(self.corrected)
        }

        private static let withFreeContent: Set<String> = [
            "Extension", "CreativeExtension", "AdParameters", "VerificationParameters", "CustomAdData", "HTMLResource",
        ]
    }

    /// A name of attributes in a document, with what VAST says of it.
    final class AttributeName: Sendable {
        /// The type of its values in all elements.
        enum Kind { case boolean, number, text }

        let text: String
        /// The index in ``VASTSchema/attributeNames``; nil for an unknown name.
        let index: Int?
        let kind: Kind

        private static let exact = Dictionary(
            uniqueKeysWithValues: VASTSchema.attributeNames.map { ($0, AttributeName(name: $0)) }
        )

        /// A name in a document.
        static func named(_ name: String) -> AttributeName { self.exact[name] ?? AttributeName(name: name) }

        private init(name: String) {
            self.text = name
            self.index = VASTSchema.attributeIndices[name]
            self.kind =
                AttributeName.booleans.contains(name)
                ? .boolean : AttributeName.numbers.contains(name) ? .number : .text
        }

        private static let booleans: Set<String> = [
            "scalable", "maintainAspectRatio", "followAdditionalWrappers", "allowMultipleAds", "fallbackOnNoAd",
            "browserOptional", "variableDuration", "xmlEncoded", "conditionalAd", "mute", "followRedirects",
        ]
        private static let numbers: Set<String> = [
            "width", "height", "bitrate", "minBitrate", "maxBitrate", "fileSize", "expandedWidth", "expandedHeight",
            "assetWidth", "assetHeight",
        ]
    }
}
