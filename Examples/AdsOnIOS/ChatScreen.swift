import AppleStage
import SwiftUI
import YabbiAds

/// A chat with a card between its messages, now and then.
struct ChatScreen: View {
    let ads: AppAds
    @State private var entries: [Entry] = []
    @State private var draft = ""

    private struct Entry: Identifiable {
        enum Content {
            case message(String)
            case card(CardPresenter)
        }

        let id: Int
        let content: Content
    }

    var body: some View {
        VStack {
            List {
                ForEach(self.entries) { entry in
                    switch entry.content {
                    case .message(let text): Text(text)
                    case .card(let card): AdCardView(card)
                    }
                }
            }
            TextField("Message", text: self.$draft)
                .onSubmit { Task { await self.send() } }
                .padding(16)
        }
    }

    private func send() async {
        let text = self.draft
        self.draft = ""
        self.append(.message(text))
        // Most messages get no card, and the server allows one a minute: neither is worth a word to the user.
        guard
            let ad = try? await CeedAds.requestAd(
                conversationId: "chat",
                messageId: "\(self.entries.count)",
                contextText: text
            )
        else { return }
        let card = CardPresenter()
        guard (try? await ad.show(on: card)) != nil else { return }
        self.append(.card(card))
    }

    private func append(_ content: Entry.Content) {
        self.entries.append(Entry(id: self.entries.count, content: content))
    }
}
