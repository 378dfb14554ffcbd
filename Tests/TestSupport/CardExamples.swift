/// A call as a provider's documentation writes it, with its members in that order; the texts are invented.
public struct CardExample: Sendable {
    /// The name of the call.
    public let name: String
    /// The path after the base URL.
    public let path: String
    /// The documented headers, in their order.
    public let headers: [[String]]
    /// The request's body.
    public let request: String
    /// The response's body; nil if it is not documented.
    public let answer: String?
}

/// The examples of the card providers' documentation.
public enum CardExamples {
    /// AttentionMarket's ad: the payload of `getAd`, and the response.
    public static let decide = CardExample(
        name: "AttentionMarket's ad",
        path: "/decide",
        headers: [
            ["Authorization", "Bearer am_test_abc123xyz"], ["apikey", "anon_test_sandbox"],
            ["Content-Type", "application/json"],
        ],
        request: #"""
            {
              "user_message": "My fern looks sad. What should I do?",
              "conversation_history": ["Good morning!", "My fern looks sad. What should I do?"],
              "placement": "sponsored_suggestion",
              "session_context": {
                "device_type": "mobile",
                "platform": "ios"
              }
            }
            """#,
        answer: #"""
            {
              "ad": {
                "id": "ad_7f3",
                "type": "sponsored_suggestion",
                "creative": {
                  "title": "The pot that listens",
                  "body": "Frondolo hears your fern before you see it wilt.",
                  "cta": "Meet the pot",
                  "teaser": "Somebody is thirsty",
                  "promo_code": "FERN10"
                },
                "click_url": "https://go.market.example/c/7f3?to=frondolo",
                "direct_url": "https://frondolo.example/pots",
                "tracking_token": "trk_91ac",
                "payout": 42,
                "disclosure": {
                  "sponsor_name": "Frondolo",
                  "is_sponsored": true
                }
              }
            }
            """#
    )

    /// AttentionMarket's click.
    public static let marketClick = CardExample(
        name: "AttentionMarket's click",
        path: "/track/click",
        headers: [
            ["X-API-Key", "am_test_abc123xyz"], ["X-Agent-ID", "agt_test_demo"], ["Content-Type", "application/json"],
        ],
        request: #"{"tracking_token": "trk_91ac"}"#,
        answer: nil
    )

    /// CeedAds' ad, with both null members.
    public static let ceedRequest = CardExample(
        name: "CeedAds' ad",
        path: "/api/requests",
        headers: [["Content-Type", "application/json"]],
        request: #"""
            {
              "appId": "app_test_demo",
              "conversationId": "chat-1",
              "messageId": "message-7",
              "contextText": "How often does a fern want water?",
              "language": null,
              "userId": null,
              "sdkVersion": "1.0.0"
            }
            """#,
        answer: #"""
            {
              "ok": true,
              "ad": {
                "id": "ceed-ad-3",
                "advertiserId": "adv-frondolo",
                "advertiserName": "Frondolo",
                "format": "action_card",
                "title": "A fern with an opinion",
                "description": "The pot tells you what the leaves think of the heating.",
                "ctaText": "Listen in",
                "ctaUrl": "https://frondolo.example/listen"
              },
              "requestId": "request-19"
            }
            """#
    )

    /// CeedAds' impression; a click differs in its type only.
    public static let ceedEvent = CardExample(
        name: "CeedAds' impression",
        path: "/api/events",
        headers: [["Content-Type", "application/json"]],
        request: #"""
            {
              "type": "impression",
              "adId": "ceed-ad-3",
              "advertiserId": "adv-frondolo",
              "requestId": "request-19",
              "appId": "app_test_demo",
              "conversationId": "chat-1",
              "userId": null
            }
            """#,
        answer: nil
    )

    /// ActiveAds' campaigns: one with all members, one with nulls.
    public static let activeAds = CardExample(
        name: "ActiveAds' campaigns",
        path: "/get-active-ads",
        headers: [["Content-Type", "application/json"]],
        request: #"{ "format": "feed" }"#,
        answer: #"""
            {
              "ads": [
                {
                  "id": "0d6f1c52-0000-4000-8000-000000000001",
                  "format": "feed",
                  "title": "Krukan som hör av sig",
                  "description": "Frondolo skriver när ormbunken är törstig.",
                  "image_url": "https://img.frondolo.example/kruka.png",
                  "cta_text": "Träffa krukan",
                  "cta_url": "https://frondolo.example/kruka",
                  "daily_bid": 50.00
                },
                {
                  "id": "0d6f1c52-0000-4000-8000-000000000002",
                  "format": "feed",
                  "title": "Strumpor i tretal",
                  "description": null,
                  "image_url": null,
                  "cta_text": null,
                  "cta_url": null,
                  "daily_bid": null
                }
              ]
            }
            """#
    )

    /// ActiveAds' click.
    public static let activeClick = CardExample(
        name: "ActiveAds' click",
        path: "/track-ad-click",
        headers: [["Content-Type", "application/json"]],
        request: #"{ "campaign_id": "0d6f1c52-0000-4000-8000-000000000001" }"#,
        answer: nil
    )
}
