# Sokketri, socks that come in threes: 6 s, lying.
BEGIN { seconds = 6; width = 640; height = 360 }

function sock(x, y, turn, size, opacity) {
    open_group(x, y, turn, size, size, opacity)
    shape("M-22 0 H22 V78 Q22 92 38 98 L66 108 Q84 116 78 132 Q74 144 56 144 H6 Q-22 144 -22 112 Z", "#ff6b6b")
    shape("M-22 0 H22 V20 H-22 Z", "#f3d9b8")
    shape("M-22 34 H22 V46 H-22 Z M-22 58 H22 V70 H-22 Z", "#ffd93d")
    shape("M66 108 Q84 116 78 132 Q74 144 56 144 H48 Q44 122 58 105 Z", "#f3d9b8")
    shape("M-22 100 Q0 100 2 122 Q3 136 -6 140 Q-22 134 -22 112 Z", "#f3d9b8")
    box(-4, -14, 8, 26, 3, "#a8763e")
    close_group()
}

# How the line hangs at x: lower in the middle, and lower where the third sock lands.
function rope(x, t, dip) {
    dip = t > 2.75 ? 9 * exp(-2.4 * (t - 2.75)) * sin(16 * (t - 2.75)) : 0
    return 84 + 30 * (1 - (x - 320) * (x - 320) / 102400) + dip
}

function draw(t,    x, path, i, gone, fall, back, drop) {
    box(0, 0, 640, 360, 0, "#9be3de")
    disc(560, 330, 210, 90, "#7cd3b4")
    disc(120, 350, 260, 90, "#5fc49f")
    for (i = 0; i < 3; i++) {
        x = part(0.15 + i * 0.37 + t * 0.018) * 800 - 80
        disc(x, 60 + i * 22, 46, 13, "#d4f6f2")
        disc(x + 14, 48 + i * 22, 24, 15, "#d4f6f2")
    }
    path = sprintf("M0 %.2f", rope(0, t))
    for (x = 20; x <= 640; x += 20) path = path sprintf(" L%d %.2f", x, rope(x, t))
    line(path, "#35524a", 4)
    # The right one goes with the wind; a third comes, and the lost one comes back.
    gone = ease(t, 1.3, 2.1)
    fall = bounce(t, 2.3, 2.8)
    back = ease(t, 3.2, 3.9)
    sock(170, rope(170, t), 5 * swing(t, 1.7), 1, 1)
    if (t < 2.2)
        sock(mix(310, 720, gone), mix(rope(310, t), -60, gone), 5 * swing(t + 0.4, 1.7) + 200 * gone, 1, 1)
    if (t > 2.3) sock(310, mix(-190, rope(310, t), fall), 5 * swing(t + 0.4, 1.7), 1, 1)
    if (t > 3.2) sock(mix(760, 450, back), mix(-40, rope(450, t), back), -140 * (1 - back) + 5 * swing(t + 0.9, 1.7), 1, 1)

    words("Two socks.", 320, 326, 36, "bold", "#1f4037", "middle", stay(t, 0, 1.5))
    words("One sock. As always.", 320, 326, 36, "bold", "#1f4037", "middle", stay(t, 1.5, 2.7))
    words("So we sell three.", 320, 326, 36, "bold", "#8f1f1b", "middle", stay(t, 2.8, 4.1))

    drop = bounce(t, 4.1, 4.6)
    if (t > 4.1) {
        open_group(0, mix(-370, 0, drop), 0, 1, 1, 1)
        box(-20, -80, 680, 440, 0, "#fff3e2")
        for (i = 0; i < 3; i++) sock(54 + i * 88, 112, 4 * swing(t + i * 0.3, 1.5), 0.8, 1)
        words("Sokketri", 326, 152, 58, "bold", "#1f4037", "start", 1)
        words("Socks that come in threes.", 328, 190, 20, "normal", "#1f4037", "start", 1)
        box(328, 216, 196, 46, 23, "#c2342f")
        words("Lose one, calmly", 426, 246, 19, "bold", "#ffffff", "middle", 1)
        close_group()
    }
}
