# Kumuloo, a cloud for the desk: 10 s, standing.
BEGIN { seconds = 10; width = 360; height = 640 }

function cloud(x, y, size, grey, blink, fill) {
    fill = blend("#ffffff", "#c9d3e6", grey)
    open_group(x, y, 0, size, size, 1)
    disc(-52, 12, 40, 32, fill); disc(0, -10, 56, 50, fill); disc(54, 10, 42, 34, fill)
    box(-84, 10, 172, 36, 18, fill)
    disc(-18, 4, 4, 5 * blink, "#33415c"); disc(18, 4, 4, 5 * blink, "#33415c")
    line("M-7 17 q7 7 14 0", "#33415c", 3)
    disc(-30, 14, 7, 4, "#ffc2d1"); disc(30, 14, 7, 4, "#ffc2d1")
    close_group()
}

# `up` is how well it feels: 0 hangs its head, 1 stands and blooms.
function plant(x, y, up, t, bend, tip, top, i) {
    bend = mix(74, 6, up) + swing(t, 2.2) * 2
    top = y - mix(84, 168, up)
    tip = x + bend
    line(sprintf("M%.1f %.1f C%.1f %.1f %.1f %.1f %.1f %.1f", x, y, x - 4, y - 90, x + bend * 0.2, top - mix(34, 0, up), tip, top + mix(24, 0, up)), \
        blend("#9a9a5b", "#2f9e5b", up), 8)
    open_group(x, y - 52, mix(46, -28, up), mix(0.7, 1, up), 1, 1)
    shape("M0 0 Q34 -34 70 -8 Q36 14 0 0 Z", blend("#a9a569", "#43b872", up))
    close_group()
    open_group(x, y - 74, mix(-40, 22, up), -mix(0.6, 0.95, up), 1, 1)
    shape("M0 0 Q34 -34 70 -8 Q36 14 0 0 Z", blend("#a9a569", "#37a565", up))
    close_group()
    open_group(tip, top + mix(24, 0, up), mix(130, 0, up) + swing(t, 2.2) * 3, mix(0.45, 1, up), mix(0.45, 1, up), 1)
    for (i = 0; i < 8; i++) {
        open_group(0, 0, i * 45, 1, 1, 1)
        disc(0, -27, 12, 20, blend("#c9a87f", "#ff8fab", up))
        close_group()
    }
    disc(0, 0, 17, 17, "#ffca3a")
    close_group()
}

function draw(t,    rain, up, x, i, y, card, grow) {
    rain = ease(t, 3, 3.6) * (1 - ease(t, 6.3, 6.9))
    up = ease(t, 4, 6.6)
    box(0, 0, 360, 640, 0, blend("#ffe9d6", "#d7f0ff", ease(t, 3, 7)))
    box(40, 70, 280, 300, 14, "#ffffff")
    box(52, 82, 256, 276, 8, blend("#f7c59f", "#a4dcff", ease(t, 3, 7)))
    box(176, 82, 8, 276, 0, "#ffffff")
    box(0, 508, 360, 132, 0, "#b97a4b")
    box(0, 508, 360, 10, 0, "#d49a69")
    plant(180, 440, up, t)
    shape("M132 432 H228 L216 512 Q215 518 208 518 H152 Q145 518 144 512 Z", "#e4572e")
    box(124, 420, 112, 26, 8, "#f2734c")
    x = mix(-130, 180, ease(t, 1.9, 3.1))
    for (i = 0; i < 16; i++) {
        y = part(t / 0.8 + i * 0.382)
        if (rain > 0.05 && y < 0.97 * rain + 0.03)
            line(sprintf("M%.1f %.1f v13", x - 64 + (i * 41) % 132, 212 + y * 190), "#4d9fe0", 4)
    }
    cloud(x, 172 + 5 * swing(t, 2.6), 0.92, rain, part(t / 2.7) > 0.95 ? 0.15 : 1)

    words("Monday,", 180, 580, 36, "bold", "#ffffff", "middle", stay(t, 0.2, 2))
    words("says the daisy.", 180, 616, 24, "normal", "#ffe9d6", "middle", stay(t, 0.7, 2))
    words("Some weather,", 180, 580, 32, "bold", "#ffffff", "middle", stay(t, 3.1, 5.5))
    words("please.", 180, 614, 26, "normal", "#ffe9d6", "middle", stay(t, 3.4, 5.5))
    words("Thank you.", 180, 592, 36, "bold", "#ffffff", "middle", stay(t, 5.6, 7.5))

    card = ease(t, 7.3, 8)
    if (card > 0) {
        box(0, 640 - 640 * card, 360, 640, 0, "#2a6f97")
        open_group(0, 640 - 640 * card, 0, 1, 1, 1)
        cloud(180, 196 + 6 * swing(t, 2.6), 1.3, 0, part(t / 2.7) > 0.95 ? 0.15 : 1)
        for (i = 0; i < 5; i++) line(sprintf("M%d %.1f v16", 92 + i * 44, 284 + 10 * part(t + i * 0.4)), "#a9d6e5", 5)
        words("Kumuloo", 180, 392, 58, "bold", "#ffffff", "middle", 1)
        words("A small cloud for the desk.", 180, 430, 20, "normal", "#d9f0fb", "middle", 1)
        words("House-trained.", 180, 458, 20, "normal", "#d9f0fb", "middle", 1)
        grow = bounce(t, 8.2, 8.7)
        if (t > 8.2) {
            open_group(180, 530, 0, grow, grow, 1)
            box(-98, -26, 196, 52, 26, "#ffca3a")
            words("Adopt a cloud", 0, 8, 21, "bold", "#1b3a4b", "middle", 1)
            close_group()
        }
        close_group()
    }
}
