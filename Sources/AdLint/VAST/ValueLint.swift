import AdCore
import AdHTML
import AdMarkup

/// Checks attributes that are booleans or numbers in every element.
enum ValueLint {
    static func check(_ tree: LintTree, _ log: inout LintLog) {
        for element in tree.elements where !element.isForeign {
            for attribute in element.attributes {
                if attribute.key.kind == .text { continue }
                let value = attribute.value.trimmed
                if attribute.key.kind == .boolean {
                    guard value != "true", value != "false", value != "1", value != "0" else { continue }
                    log.add(
                        .booleanWrong,
                        element.place(of: attribute.name),
                        "\(attribute.name) of <\(element.name)> is \(value.quoted)"
                    )
                } else {
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
