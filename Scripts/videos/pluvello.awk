# Pluvello, the umbrella that hums in the rain: 15 s, lying.
BEGIN { seconds = 15; width = 640; height = 360 }

function umbrella(x, y, size, open, turn) {
    open_group(x, y, turn, size, size, 1)
    line("M0 -8 V92 q0 15 14 15 t14 -13", "#5a2a16", 6)
    open_group(0, 0, 0, mix(0.13, 1, open), mix(1.3, 1, open), 1)
    shape("M-100 0 A100 92 0 0 1 100 0 Q75 -16 50 0 Q25 -16 0 0 Q-25 -16 -50 0 Q-75 -16 -100 0 Z", "#ffd23f")
    shape("M-50 0 Q-46 -74 0 -92 Q46 -74 50 0 Q25 -16 0 0 Q-25 -16 -50 0 Z", "#ff9f1c")
    shape("M0 0 Q-3 -50 0 -92 Q30 -60 50 0 Q25 -16 0 0 Z", "#f77f00")
    close_group()
    line("M0 -92 v-9", "#5a2a16", 5)
    close_group()
}

function note(x, y, size, turn, color, opacity) {
    open_group(x, y, turn, size, size, opacity)
    disc(0, 0, 8, 6, color)
    line("M7 0 V-30 q3 9 12 11", color, 3.5)
    close_group()
}

function walker(x, y, t, moves, step) {
    step = moves * swing(t, 0.9)
    line(sprintf("M%.2f %.2f L%.2f %.2f", x - 5, y - 40, x - 5 + 13 * step, y - 3), "#14213d", 8)
    line(sprintf("M%.2f %.2f L%.2f %.2f", x + 5, y - 40, x + 5 - 13 * step, y - 3), "#14213d", 8)
    line(sprintf("M%.2f %.2f h9", x - 5 + 13 * step, y - 2), "#ef476f", 9)
    line(sprintf("M%.2f %.2f h9", x + 5 - 13 * step, y - 2), "#ef476f", 9)
    y -= 2 * (1 - step * step) * moves
    shape(sprintf("M%.2f %.2f l14 -62 q12 -14 24 0 l14 62 q-26 9 -52 0 z", x - 26, y - 36), "#e63946")
    disc(x + 2, y - 112, 20, 20, "#e63946")
    disc(x + 6, y - 111, 14, 14, "#ffd7ba")
    disc(x + 9, y - 114, 1.9, 2.4, "#14213d")
    disc(x + 16, y - 114, 1.9, 2.4, "#14213d")
    line(sprintf("M%.2f %.2f q5 5 9 0", x + 8, y - 105), "#14213d", 1.8)
    line(sprintf("M%.2f %.2f L%.2f %.2f", x + 4, y - 84, x + 22, y - 70), "#c1121f", 9)
}

function draw(t,    i, x, y, bright, at, opened, roof, age, up, wipe, glow) {
    bright = ease(t, 8.5, 11.5)
    put("<defs><linearGradient id=\"sky\" x2=\"0\" y2=\"1\"><stop stop-color=\"" blend("#22304d", "#7a5c86", bright) "\"/>")
    put("<stop offset=\"1\" stop-color=\"" blend("#4a6a8f", "#f6a283", bright) "\"/></linearGradient></defs>")
    box(0, 0, 640, 360, 0, "url(#sky)")
    disc(510, mix(360, 250, bright), 46, 46, "#ffe8a3")
    shape("M0 270 Q90 210 190 262 T390 250 T640 262 V360 H0 Z", blend("#2c3f5e", "#8a5a78", bright))
    shape("M0 312 Q160 298 330 310 T640 306 V360 H0 Z", blend("#1a2440", "#4a3357", bright))

    at = mix(-70, 292, ease(t, 2.6, 5.2))
    opened = bounce(t, 5.1, 5.9)
    for (i = 0; i < 24; i++) {
        x = (i * 97) % 660 - 6
        y = part(t / 0.95 + i * 0.381) * 400 - 40
        roof = opened > 0.3 && x > at - 60 && x < at + 104 ? 107 + (x - at - 22) * (x - at - 22) / 150 : 320
        if (y < roof)
            line(sprintf("M%.1f %.1f l-4 17", x, y), blend("#a9c6e8", "#ffe0d0", bright), 2.4)
    }
    up = swing(t, 0.45) * (t > 2.6 && t < 5.2 ? 1.5 : 0.8)
    walker(at, 322, t, 1 - ease(t, 4.9, 5.3))
    umbrella(at + 22, 190 + up, 0.9, clamp(opened) > 0 ? opened : 0, swing(t, 3) * 2)
    for (i = 0; i < 14; i++) {
        age = (t - 5.8 - i * 0.42) / 2.1
        if (age > 0 && age < 1)
            note(at + 22 + ((i * 53) % 150 - 75) * (0.7 + age), 112 - 110 * age, 0.75 + 0.3 * age, swing(t + i, 1.6) * 14, \
                i % 3 == 0 ? "#ffd23f" : i % 3 == 1 ? "#ffffff" : "#ff9fb2", 1 - age * age)
    }

    words("It is raining.", 320, mix(176, 168, ease(t, 0.2, 0.7)), 50, "bold", "#ffffff", "middle", stay(t, 0.1, 3.1))
    words("Again.", 320, 224, 34, "normal", "#bcd4f0", "middle", stay(t, 1.4, 3.1))
    words("Every drop", 424, 78, 30, "bold", "#ffffff", "start", stay(t, 6.2, 9))
    words("is a note.", 424, 114, 30, "bold", "#ffd23f", "start", stay(t, 7, 9))
    words("Take the long", 388, 78, 30, "bold", "#ffffff", "start", stay(t, 9.2, 11.9))
    words("way home.", 388, 114, 30, "bold", "#ffd23f", "start", stay(t, 9.6, 11.9))

    wipe = ease(t, 11.6, 12.5)
    if (wipe > 0) {
        disc(at + 22, 150, 480 * wipe, 480 * wipe, "#ffefc4")
        glow = bounce(t, 12.1, 12.8)
        if (t > 12.1) umbrella(158, 196, 1.2 * glow, 1, swing(t, 3) * 4)
        for (i = 0; i < 3; i++)
            if (t > 12.5) note(62 + i * 94, 58 - (i == 1 ? 22 : 0) - 7 * swing(t + i * 0.5, 1.5), 0.9, -8 + 8 * i, "#e63946", ease(t, 12.5 + i * 0.15, 12.9 + i * 0.15))
        words("Pluvello", 300, 160, 62, "bold", "#14213d", "start", ease(t, 12.3, 12.8))
        words("The umbrella that hums", 304, 200, 22, "normal", "#14213d", "start", ease(t, 12.6, 13.1))
        words("in the rain.", 304, 228, 22, "normal", "#14213d", "start", ease(t, 12.6, 13.1))
        if (t > 12.9) {
            open_group(386, 276, 0, bounce(t, 12.9, 13.4), bounce(t, 12.9, 13.4), 1)
            box(-82, -22, 164, 44, 22, "#e63946")
            words("Hear one", 0, 7, 20, "bold", "#ffffff", "middle", 1)
            close_group()
        }
    }
}
