package import AdCore
import PlayConsole

/// A card as text and JSON.
package enum CardText {
    /// The largest width of a card in columns.
    private static let maxWidth = 60

    /// The card's lines, the ad disclosure first; long texts are truncated.
    package static func lines(_ card: CardCreative, width: Int) -> [String] {
        let columns = max(10, min(self.maxWidth, width - 4))
        var lines = self.wrapped(card.disclosure.description, to: columns, maxLines: 1)
        if card.image != nil { lines.append("[image]") }
        if let teaser = card.teaser { lines += self.wrapped(teaser, to: columns, maxLines: 1) }
        lines += self.wrapped(card.headline, to: columns, maxLines: 2)
        if let body = card.body { lines += self.wrapped(body, to: columns, maxLines: 3) }
        if let code = card.promoCode { lines += self.wrapped("code \(code)", to: columns, maxLines: 1) }
        if let link = card.link {
            let label = self.wrapped(card.callToAction ?? card.headline, to: columns - 4, maxLines: 1)
            lines += label.map { "[ \($0) ]" }
            lines.append(Style.cut("→ " + Style.printable(Redaction.address(link.text)), to: columns))
        }
        return lines
    }

    package static func json(_ card: CardCreative) -> AdJSON {
        [
            "label": .string(card.disclosure.label), "advertiser": .text(card.disclosure.advertiser),
            "headline": .string(card.headline), "body": .text(card.body), "teaser": .text(card.teaser),
            "callToAction": .text(card.callToAction), "promoCode": .text(card.promoCode),
            "image": .text(card.image.map { Redaction.address($0.text) }),
        ]
    }

    /// A text wrapped into lines, at spaces if possible; text beyond the last line is truncated.
    package static func wrapped(_ text: String, to columns: Int, maxLines: Int) -> [String] {
        var lines: [String] = []
        var line = ""
        var rest = Style.printable(text, upTo: 1_000).split(separator: " ").map(String.init)[...]
        while let word = rest.first {
            let joined = line.isEmpty ? word : line + " " + word
            if Style.columns(joined) <= columns {
                line = joined
                rest = rest.dropFirst()
            } else if line.isEmpty {
                // A word longer than a line is broken within.
                let head = self.head(of: word, columns)
                line = head
                rest[rest.startIndex] = String(word.dropFirst(head.count))
            }
            if rest.isEmpty { break }
            if Style.columns(line + " " + (rest.first ?? "")) > columns {
                lines.append(line)
                line = ""
                if lines.count == maxLines { break }
            }
        }
        if !line.isEmpty, lines.count < maxLines { lines.append(line) }
        if !rest.isEmpty, let last = lines.popLast() {
            let head = Style.columns(last) < columns ? last : columns > 1 ? self.head(of: last, columns - 1) : ""
            lines.append(head + "…")
        }
        return lines
    }

    /// The characters that fit into a number of columns, at least one.
    private static func head(of word: String, _ columns: Int) -> String {
        var head = ""
        var width = 0
        for character in word {
            width += Style.columns(String(character))
            if width > columns, !head.isEmpty { break }
            head.append(character)
        }
        return head
    }
}
