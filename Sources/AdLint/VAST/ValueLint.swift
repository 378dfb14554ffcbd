import AdCore
import AdHTML
import AdMarkup

/// Checks attributes that are booleans or numbers in every element.
enum ValueLint {
    private static let booleans: Set<String> = [
        "scalable", "maintainAspectRatio", "followAdditionalWrappers", "allowMultipleAds", "fallbackOnNoAd",
        "browserOptional", "variableDuration", "xmlEncoded", "conditionalAd", "mute", "followRedirects",
    ]
    private static let numbers: Set<String> = [
        "width", "height", "bitrate", "minBitrate", "maxBitrate", "fileSize", "expandedWidth", "expandedHeight",
        "assetWidth", "assetHeight",
    ]

    static func check(_ tree: LintTree, _ log: inout LintLog) {
        for element in tree.elements where !element.isForeign {
            for attribute in element.attributes {
                let value = attribute.value.trimmed
                if self.booleans.contains(attribute.name) {
                    guard value != "true", value != "false", value != "1", value != "0" else { continue }
                    log.add(
                        .booleanWrong,
                        element.place(of: attribute.name),
                        "\(attribute.name) of <\(element.name)> is \(value.quoted)"
                    )
                } else if self.numbers.contains(attribute.name) {
                    guard value.isEmpty || value.utf8.count > 12 || !value.utf8.allSatisfy(\.isDigit) else {
                        continue
                    }
                    // All players read a bitrate with a fraction.
                    if attribute.name.hasSuffix("itrate"), Double(value) ?? -1 >= 0 { continue }
                    log.add(
                        .numberWrong,
                        element.place(of: attribute.name),
                        "\(attribute.name) of <\(element.name)> is \(value.quoted)"
                    )
                }
            }
        }
    }
}
