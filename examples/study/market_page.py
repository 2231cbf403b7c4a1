"""Draws spread, depth and impact of a market as one HTML page, from two exports, with only Python's standard library.

    pricetime export book   --symbol BTCUSDT --to-folder out
    pricetime export trades --symbol BTCUSDT --to-folder out
    python3 market_page.py out BTCUSDT market.html

It reads the files row by row: of the book no more is in memory than what stands at one time, and of the past one
mid price for each moment at which it changed. Figures are floats, good for statistics; the files themselves are exact.
"""

import bisect
import csv
import html
import math
import statistics
import sys
from pathlib import Path

SAMPLE_MS = 1_000
DEPTH_BPS = [1, 2, 5, 10, 20, 50, 100]
HORIZONS_MS = [0, 1_000, 5_000, 10_000, 30_000, 60_000]
IMPACT_BINS = 8


class Side:
    """The levels of one side, best first by `sign`: bids -1, asks 1."""

    def __init__(self, sign):
        self.sign = sign
        self.keys = []
        self.qty = {}

    def set(self, price, qty):
        key = price * self.sign
        if qty == 0:
            if self.qty.pop(key, None) is not None:
                self.keys.pop(bisect.bisect_left(self.keys, key))
            return
        if key not in self.qty:
            bisect.insort(self.keys, key)
        self.qty[key] = qty

    def best(self):
        return self.keys[0] * self.sign if self.keys else None

    def value_within(self, mid, bps):
        """Returns the depth within so many basis points of the mid price, in the quote asset."""
        limit = mid * self.sign + mid * bps / 10_000
        total = 0.0
        for key in self.keys:
            if key > limit:
                break
            total += key * self.sign * self.qty[key]
        return total


def book_moments(path):
    """Yields (time, seq, bids, asks) after each entry that changed the book."""
    bids, asks = Side(-1), Side(1)
    last = None
    with open(path, newline="") as rows:
        for row in csv.DictReader(rows):
            now = (int(row["time"]), int(row["seq"]))
            if last is not None and now != last:
                yield (*last, bids, asks)
            last = now
            (bids if row["side"] == "BUY" else asks).set(float(row["price"]), float(row["qty"]))
    if last is not None:
        yield (*last, bids, asks)


class Market:
    """Collects mid prices by entry, spreads by duration, and depths sampled every second."""

    def __init__(self, book_path):
        self.times, self.seqs, self.mids = [], [], []
        self.spreads = []
        self.samples = []
        next_sample = None
        spread = None
        for time, seq, bids, asks in book_moments(book_path):
            if spread is not None and time > self.last_time:
                self.spreads.append((self.last_time, spread, time - self.last_time))
            self.last_time = time
            bid, ask = bids.best(), asks.best()
            spread = None
            if bid is None or ask is None:
                continue
            mid = (bid + ask) / 2
            spread = (ask - bid) / mid * 10_000
            self.times.append(time)
            self.seqs.append(seq)
            self.mids.append(mid)
            if next_sample is None or time >= next_sample:
                next_sample = time - time % SAMPLE_MS + SAMPLE_MS
                self.samples.append([(bids.value_within(mid, b), asks.value_within(mid, b)) for b in DEPTH_BPS])

    def mid_before(self, seq):
        at = bisect.bisect_left(self.seqs, seq) - 1
        return self.mids[at] if at >= 0 else None

    def mid_at(self, seq, time):
        """Returns the mid price after this entry, or at this time if that is later."""
        at = max(bisect.bisect_right(self.seqs, seq), bisect.bisect_right(self.times, time)) - 1
        return self.mids[at] if at >= 0 else None


def taker_orders(path):
    """Yields (time, seq, sign, value in the quote asset) of each taker order."""
    order = None
    with open(path, newline="") as rows:
        for row in csv.DictReader(rows):
            key = (row["seq"], row["takerOrderId"])
            if order is not None and order[0] != key:
                yield order[1:]
                order = None
            if order is None:
                order = [key, int(row["time"]), int(row["seq"]), -1 if row["isBuyerMaker"] == "true" else 1, 0.0]
            order[4] += float(row["quoteQty"])
    if order is not None:
        yield order[1:]


def impacts(market, orders):
    """Returns each taker order's value and the mid price move in its direction after each horizon, in basis points."""
    found = []
    end = market.times[-1] if market.times else 0
    for time, seq, sign, value in orders:
        before = market.mid_before(seq)
        if before is None or time + HORIZONS_MS[-1] > end:
            continue
        moved = [sign * (market.mid_at(seq, time + after) - before) / before * 10_000 for after in HORIZONS_MS]
        found.append((value, moved))
    return found


def weighted_quantiles(spreads, shares):
    ordered = sorted((spread, weight) for _, spread, weight in spreads)
    total = sum(weight for _, weight in ordered)
    result, passed, at = [], 0, 0
    for share in shares:
        while at < len(ordered) - 1 and passed + ordered[at][1] < share * total:
            passed += ordered[at][1]
            at += 1
        result.append(ordered[at][0])
    return result


# ---- drawing

WIDTH, HEIGHT, LEFT, BOTTOM, TOP = 640, 260, 64, 40, 12


def even_ticks(low, high, count=5):
    return [low + (high - low) * i / (count - 1) for i in range(count)]


def round_ticks(low, high):
    """Four to nine multiples of 1, 2 or 5 times a power of ten."""
    power = 10 ** math.floor(math.log10((high - low) / 4))
    step = next(factor * power for factor in (1, 2, 5, 10) if (high - low) / (factor * power) <= 8)
    return [step * i for i in range(math.ceil(low / step), math.floor(high / step) + 1)]


def number(value):
    if value == 0:
        return "0"
    if abs(value) >= 1_000_000:
        return f"{value / 1_000_000:.3g} M"
    if abs(value) >= 1_000:
        return f"{value:,.0f}"
    return f"{value:.3g}"


def chart(series, x_name, y_name, x_text=number, bars=False, low_y=None):
    """SVG of lines, or of bars side by side; `series`: (name, [(x, y), ...])."""
    points = [point for _, line in series for point in line]
    if not points:
        return "<p>nothing to draw</p>"
    xs, ys = [x for x, _ in points], [y for _, y in points]
    low_x, high_x = min(xs), max(xs)
    low_y = min(ys) if low_y is None else min(low_y, min(ys))
    high_y = max(ys)
    if high_x == low_x:
        high_x += 1
    if high_y == low_y:
        high_y += 1
    pad = (high_x - low_x) * 0.06 if bars else 0
    low_x, high_x = low_x - pad, high_x + pad

    def at(x, y):
        px = LEFT + (x - low_x) / (high_x - low_x) * (WIDTH - LEFT - 12)
        py = HEIGHT - BOTTOM - (y - low_y) / (high_y - low_y) * (HEIGHT - BOTTOM - TOP)
        return px, py

    parts = [f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{html.escape(y_name)} by {html.escape(x_name)}">']
    for y in round_ticks(low_y, high_y):
        _, py = at(low_x, y)
        parts.append(f'<line class="grid" x1="{LEFT}" x2="{WIDTH - 12}" y1="{py:.1f}" y2="{py:.1f}"/>')
        parts.append(f'<text x="{LEFT - 6}" y="{py + 4:.1f}" text-anchor="end">{number(y)}</text>')
    labels = sorted(set(xs)) if len(set(xs)) <= 10 else even_ticks(low_x, high_x)
    for x in labels:
        px, _ = at(x, low_y)
        px = min(px, WIDTH - 28)
        parts.append(f'<text x="{px:.1f}" y="{HEIGHT - BOTTOM + 16}" text-anchor="middle">{html.escape(x_text(x))}</text>')
    for index, (name, line) in enumerate(series):
        if bars:
            for x, y in line:
                px, py = at(x, y)
                _, zero = at(x, max(low_y, min(0, high_y)))
                left = px - 14 * len(series) / 2 + 14 * index
                top, height = min(py, zero), abs(zero - py)
                title = f"<title>{html.escape(name)}: {number(y)}</title>"
                parts.append(f'<rect class="s{index}" x="{left:.1f}" y="{top:.1f}" width="12" height="{height:.1f}">{title}</rect>')
        else:
            path = " ".join(f"{px:.1f},{py:.1f}" for px, py in (at(x, y) for x, y in line))
            parts.append(f'<polyline class="s{index}" points="{path}"/>')
    parts.append(f'<text x="{(LEFT + WIDTH) / 2:.0f}" y="{HEIGHT - 4}" text-anchor="middle">{html.escape(x_name)}</text></svg>')
    legend = "".join(f'<span class="s{i}">{html.escape(name)}</span>' for i, (name, _) in enumerate(series))
    return f'<figure>{"".join(parts)}<figcaption>{html.escape(y_name)} {legend}</figcaption></figure>'


def thinned(points, most=1_200):
    step = max(1, len(points) // most)
    return points[::step]


def mean_over_time(spreads, parts=320):
    """Returns the mean spread of each time interval, weighted by duration."""
    start, end = spreads[0][0], spreads[-1][0] + spreads[-1][2]
    width = max(1, (end - start) / parts)
    sums = {}
    for time, spread, weight in spreads:
        part = sums.setdefault(int((time - start) / width), [0.0, 0])
        part[0] += spread * weight
        part[1] += weight
    return [(start + (at + 0.5) * width, total / weight) for at, (total, weight) in sorted(sums.items())]


PAGE = """<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>{title}</title><style>
:root {{ color-scheme: light dark; --a: #0b6bcb; --b: #c2410c; --line: #8884; }}
@media (prefers-color-scheme: dark) {{ :root {{ --a: #6db3f2; --b: #f08c5a; }} }}
body {{ background: Canvas; color: CanvasText; font: 15px/1.5 system-ui, sans-serif; max-width: 720px; margin: 24px auto; padding: 0 16px; }}
svg {{ width: 100%; height: auto; }} svg text {{ font-size: 11px; fill: currentColor; }}
.grid {{ stroke: var(--line); }} polyline {{ fill: none; stroke-width: 1.5; }}
polyline.s0 {{ stroke: var(--a); }} polyline.s1 {{ stroke: var(--b); }} rect.s0 {{ fill: var(--a); }} rect.s1 {{ fill: var(--b); }}
figure {{ margin: 0 0 8px; }} figcaption {{ font-size: 13px; }} figcaption span {{ margin-left: 12px; }}
figcaption .s0 {{ color: var(--a); }} figcaption .s1 {{ color: var(--b); }}
table {{ border-collapse: collapse; }} td {{ padding: 2px 16px 2px 0; border-bottom: 1px solid var(--line); }} td + td {{ text-align: right; }}
@media (max-width: 40rem) {{ svg text {{ font-size: 17px; }} }}
</style><h1>{title}</h1>{body}</html>
"""


def clock(time_ms):
    seconds = int(time_ms) // 1000 % 86_400
    return f"{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}"


def study(folder, symbol):
    """Returns the figures by name, and the body of the page."""
    market = Market(folder / f"{symbol}-book-by-level.csv")
    orders = list(taker_orders(folder / f"{symbol}-trades.csv"))
    if not market.mids or not market.spreads:
        sys.exit(f"{symbol}: the book has never had two sides")
    median, high = weighted_quantiles(market.spreads, [0.5, 0.95])
    depths = [tuple(statistics.median(sample[i][side] for sample in market.samples) for side in (0, 1)) for i in range(len(DEPTH_BPS))]
    moved = sorted(impacts(market, orders))
    figures = {
        "entries that changed the book": len(market.mids),
        "orders that took": len(orders),
        "median spread, bps": median,
        "95 % of the time below, bps": high,
        "median depth to 10 bps, bids": depths[DEPTH_BPS.index(10)][0],
        "median depth to 10 bps, asks": depths[DEPTH_BPS.index(10)][1],
    }
    for i, horizon in enumerate(HORIZONS_MS):
        if moved:
            figures[f"mean impact after {horizon / 1000:g} s, bps"] = statistics.fmean(row[i] for _, row in moved)
    size = max(1, len(moved) // IMPACT_BINS)
    bins = [moved[at : at + size] for at in range(0, len(moved), size)] if moved else []
    by_value = [
        (i, statistics.median(value for value, _ in rows), statistics.fmean(row[0] for _, row in rows), statistics.fmean(row[1] for _, row in rows))
        for i, rows in enumerate(bins[:IMPACT_BINS])
    ]
    values = {i: number(value) for i, value, _, _ in by_value}
    rows = "".join(f"<tr><td>{html.escape(name)}</td><td>{number(value)}</td></tr>" for name, value in figures.items())
    mids = thinned(list(zip(market.times, market.mids)))
    spreads = mean_over_time(market.spreads)
    body = [
        f"<table>{rows}</table>",
        "<h2>Price</h2>",
        chart([("mid", mids)], "time (UTC)", "mid price", clock),
        "<h2>Spread</h2>",
        chart([("mean of the time", spreads)], "time (UTC)", "spread, basis points", clock, low_y=0),
        "<h2>Depth</h2><p>What stands within so many basis points of the mid, in the quote asset: the median of a look a second.</p>",
        chart(
            [("bids", [(i, bid) for i, (bid, _) in enumerate(depths)]), ("asks", [(i, ask) for i, (_, ask) in enumerate(depths)])],
            "basis points from the mid", "value", lambda i: str(DEPTH_BPS[round(i)]) if round(i) < len(DEPTH_BPS) else "", bars=True, low_y=0,
        ),
        "<h2>Impact</h2><p>How far the mid moves the way of an order that takes: by the order's value, at once and a second later; and over time.</p>",
        chart(
            [("at once", [(i, now) for i, _, now, _ in by_value]), ("after 1 s", [(i, later) for i, _, _, later in by_value])],
            "value of the order (eighths of all, the median of each)", "basis points", lambda i: values.get(round(i), ""), bars=True, low_y=0,
        ),
        chart(
            [("mean of all", [(i, figures[f"mean impact after {h / 1000:g} s, bps"]) for i, h in enumerate(HORIZONS_MS)])] if moved else [],
            "seconds after the order", "basis points", lambda i: f"{HORIZONS_MS[round(i)] / 1000:g}" if round(i) < len(HORIZONS_MS) else "", low_y=0,
        ),
    ]
    return figures, "\n".join(body)


def main(folder, symbol, page):
    figures, body = study(Path(folder), symbol)
    for name, value in figures.items():
        print(f"{name}: {value:.4f}" if isinstance(value, float) else f"{name}: {value}")
    Path(page).write_text(PAGE.format(title=html.escape(f"{symbol}: spread, depth, impact"), body=body), encoding="utf-8")


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit("usage: market_page.py FOLDER SYMBOL PAGE.html")
    main(*sys.argv[1:])
