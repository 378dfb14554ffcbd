extension Campaign {
    /// All campaigns, including ended, paused and future ones.
    static let pool = feed + banners + popups

    private static func id(_ number: Int) -> String { "ac710ead-0000-4000-8000-0000000000\(number)" }

    private static let feed = [
        Campaign(
            id: id(10),
            format: .feed,
            firstDay: -2,
            clickRate: 0.031,
            bid: 50,
            title: "Krukan som hör av sig",
            description: "Frondolo skickar ett sms när ormbunken är törstig. Aldrig annars.",
            picture: "frondolo",
            button: "Träffa krukan",
            link: "frondolo"
        ),
        Campaign(
            id: id(11),
            format: .feed,
            firstDay: -1,
            clickRate: 0.012,
            bid: 20,
            title: "Somna i stan, vakna vid havet",
            description: "Nattåg med riktiga kuddar.",
            picture: "nattela",
            button: "Boka en slaf",
            link: "nattela"
        ),
        Campaign(
            id: id(12),
            format: .feed,
            firstDay: -5,
            clickRate: 0.048,
            bid: 80,
            title: "Elva soppor, ett bud",
            description: nil,
            picture: "zuppidoo",
            button: "Välj soppa",
            link: "zuppidoo"
        ),
        Campaign(
            id: id(13),
            format: .feed,
            firstDay: -9,
            clickRate: 0.022,
            bid: nil,
            title: "Strumpor i tretal",
            description: "För att torktumlaren alltid tar en.",
            picture: "sokketri",
            button: nil,
            link: "sokketri"
        ),
        Campaign(
            id: id(14),
            format: .feed,
            firstDay: -14,
            clickRate: 0.05,
            bid: 100,
            title: "Skivspelaren med handtag",
            description: "Spelar på gräsmattor, flottar och någorlunda lugna hästar.",
            picture: nil,
            button: "Lyssna",
            link: "plattolo"
        ),
        Campaign(
            id: id(15),
            format: .feed,
            firstDay: -3,
            clickRate: 0.007,
            bid: 35.5,
            title: "Pennan som aldrig är säker",
            description: "Så mjuk att varje streck kan ångra sig.",
            picture: "grafalda",
            button: "Rita ett streck",
            link: nil
        ),
        Campaign(
            id: id(16),
            format: .feed,
            firstDay: -21,
            clickRate: 0.036,
            bid: 64,
            title: "Övernatta i en fyr",
            description: "Nittioen trappsteg och frukost i korg.",
            picture: "keeperholm",
            button: "Boka lamprummet",
            link: "keeperholm"
        ),
        Campaign(
            id: id(17),
            format: .feed,
            firstDay: 0,
            clickRate: 0.001,
            bid: 5,
            title: "Läsk på blodapelsin",
            description: nil,
            picture: nil,
            button: nil,
            link: "pomoloko"
        ),
        Campaign(
            id: id(18),
            format: .feed,
            firstDay: -30,
            clickRate: 0.019,
            bid: 12,
            title: "Hyr ett moln per timme",
            description: "För trädgårdar, scener och vemodiga eftermiddagar.",
            picture: "kumuloo",
            button: "Titta upp",
            link: "kumuloo"
        ),
        Campaign(
            id: id(19),
            format: .feed,
            firstDay: -45,
            clickRate: 0.044,
            bid: nil,
            title: "Frukost på tusen fot",
            description: "En ballong, en korg, ett kokt ägg.",
            picture: "ballomera",
            button: "Stig upp",
            link: "ballomera"
        ),
        Campaign(
            id: id(20),
            format: .feed,
            firstDay: -7,
            clickRate: 0.027,
            bid: 41,
            title: "Kakel med egna åsikter",
            description: "Handmålat av Tilvero, en ruta i taget.",
            picture: "tilvero",
            button: "Se rutorna",
            link: "tilvero"
        ),
        Campaign(
            id: id(21),
            format: .feed,
            status: .paused,
            firstDay: -4,
            clickRate: 0.05,
            bid: 100,
            title: "Pausad: paraplyer",
            description: nil,
            picture: nil,
            button: nil,
            link: nil
        ),
        Campaign(
            id: id(22),
            format: .feed,
            firstDay: -60,
            lastDay: -1,
            clickRate: 0.05,
            bid: 100,
            title: "Slut sedan i går: vantar",
            description: nil,
            picture: nil,
            button: nil,
            link: nil
        ),
        Campaign(
            id: id(23),
            format: .feed,
            firstDay: 20,
            clickRate: 0.05,
            bid: 100,
            title: "Kommer snart: pannkakor",
            description: nil,
            picture: nil,
            button: nil,
            link: nil
        ),
    ]

    private static let banners = [
        Campaign(
            id: id(30),
            format: .banner,
            firstDay: -1,
            clickRate: 0.02,
            bid: 75,
            title: "Soppdags",
            description: "Brödet ligger på locket.",
            picture: "zuppidoo",
            button: "Beställ",
            link: "zuppidoo"
        ),
        Campaign(
            id: id(31),
            format: .banner,
            firstDay: -12,
            clickRate: 0.03,
            bid: 30,
            title: "Tåget 22.40",
            description: nil,
            picture: "nattela",
            button: "Till perrongen",
            link: "nattela"
        ),
        Campaign(
            id: id(32),
            format: .banner,
            firstDay: -6,
            clickRate: 0.015,
            bid: nil,
            title: "Din egen ormbunke",
            description: "Den har åsikter.",
            picture: nil,
            button: nil,
            link: nil
        ),
        Campaign(
            id: id(33),
            format: .banner,
            firstDay: -25,
            clickRate: 0.042,
            bid: 55,
            title: "B-sidan är bäst",
            description: "Plattolo, med handtag.",
            picture: "plattolo",
            button: "Vänd på skivan",
            link: "plattolo"
        ),
        Campaign(
            id: id(34),
            format: .banner,
            status: .paused,
            firstDay: -2,
            clickRate: 0.05,
            bid: 90,
            title: "Pausad: vantar",
            description: nil,
            picture: nil,
            button: nil,
            link: nil
        ),
    ]

    private static let popups = [
        Campaign(
            id: id(40),
            format: .popup,
            firstDay: -3,
            lastDay: 6,
            clickRate: 0.045,
            bid: 95,
            title: "Ljuset är tänt i fyren",
            description: "Sista veckan i lamprummet.",
            picture: "keeperholm",
            button: "Kom upp",
            link: "keeperholm"
        ),
        Campaign(
            id: id(41),
            format: .popup,
            firstDay: -10,
            clickRate: 0.011,
            bid: nil,
            title: "Regn på beställning",
            description: nil,
            picture: nil,
            button: "Beställ regn",
            link: "kumuloo"
        ),
    ]
}
