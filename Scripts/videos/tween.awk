# What all spots draw with: time that eases, colors that blend, words that come and go.
# A spot sets `seconds`, `width` and `height` in BEGIN and draws a frame at the time t in draw(t).

function clamp(x) { return x < 0 ? 0 : x > 1 ? 1 : x }
function floor(x, n) { n = int(x); return x < n ? n - 1 : n }
function part(x) { return x - floor(x) }
# How far t has come between two moments, from 0 to 1.
function lin(t, from, to) { return clamp((t - from) / (to - from)) }
function ease(t, from, to, x) { x = lin(t, from, to); return x * x * (3 - 2 * x) }
# The same, but it shoots over the end and comes back.
function bounce(t, from, to, x) { x = lin(t, from, to) - 1; return 1 + 2.7 * x * x * x + 1.7 * x * x }
# In at one moment, out at another, half a second each.
function stay(t, from, to) { return ease(t, from, from + 0.5) * (1 - ease(t, to - 0.4, to)) }
function mix(a, b, x) { return a + (b - a) * x }
function swing(t, period) { return sin(t * 6.283185 / period) }

function hex(text, at) {
    return 16 * (index("0123456789abcdef", substr(text, at, 1)) - 1) \
        + index("0123456789abcdef", substr(text, at + 1, 1)) - 1
}
function blend(a, b, x) {
    return sprintf("rgb(%d,%d,%d)", mix(hex(a, 2), hex(b, 2), x), mix(hex(a, 4), hex(b, 4), x), mix(hex(a, 6), hex(b, 6), x))
}

function put(text) { print text > file }
function open_group(x, y, turn, sx, sy, opacity) {
    put(sprintf("<g transform=\"translate(%.2f %.2f) rotate(%.2f) scale(%.4f %.4f)\" opacity=\"%.3f\">", x, y, turn, sx, sy, opacity))
}
function close_group() { put("</g>") }
function box(x, y, w, h, r, fill) {
    put(sprintf("<rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\" rx=\"%.2f\" fill=\"%s\"/>", x, y, w, h, r, fill))
}
function disc(x, y, rx, ry, fill) {
    put(sprintf("<ellipse cx=\"%.2f\" cy=\"%.2f\" rx=\"%.2f\" ry=\"%.2f\" fill=\"%s\"/>", x, y, rx, ry, fill))
}
function shape(path, fill) { put("<path d=\"" path "\" fill=\"" fill "\"/>") }
function line(path, color, thick) {
    put("<path d=\"" path "\" fill=\"none\" stroke=\"" color "\" stroke-width=\"" thick "\" stroke-linecap=\"round\" stroke-linejoin=\"round\"/>")
}
function words(text, x, y, size, weight, fill, anchor, opacity) {
    if (opacity <= 0.004) return
    put(sprintf("<text x=\"%.2f\" y=\"%.2f\" font-family=\"DejaVu Sans\" font-size=\"%.2f\" font-weight=\"%s\" fill=\"%s\" text-anchor=\"%s\" letter-spacing=\"-0.02em\" opacity=\"%.3f\">%s</text>", \
        x, y, size, weight, fill, anchor, opacity, text))
}

END {
    frames = seconds * fps
    for (frame = 0; frame < frames; frame++) {
        file = sprintf("%s/%04d.svg", out, frame)
        put(sprintf("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\">", width, height, width, height))
        draw(frame / fps)
        put("</svg>")
        close(file)
    }
}
