/** How the page of a report looks, by day and by night. */
export const STYLE = `
:root { --page: #fff; --ink: #1b1f24; --soft: #59636e; --line: #d8dee4; --curve: #2158a8; --good: #1a7f37; --bad: #b3261e; --fault: #b3261e; --moment: #8a6d00; }
@media (prefers-color-scheme: dark) { :root { --page: #14171b; --ink: #e4e8ec; --soft: #99a3ae; --line: #2d333b; --curve: #7db1f5; --good: #52c26b; --bad: #ff8078; --fault: #ff8078; --moment: #d9b84a; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 62rem; padding: 1rem; background: var(--page); color: var(--ink); font: 15px/1.45 system-ui, sans-serif; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.1rem; margin: 2rem 0 0.5rem; } h3 { font-size: 1rem; margin: 1.2rem 0 0.3rem; }
h1 span { font-size: 0.9rem; margin-left: 0.6rem; }
.holds { color: var(--good); } .failed, .failures { color: var(--bad); } .waiting { color: var(--soft); }
.table { overflow-x: auto; } table { width: 100%; border-collapse: collapse; }
th, td { text-align: left; padding: 0.25rem 0.8rem 0.25rem 0; border-bottom: 1px solid var(--line); vertical-align: top; font-variant-numeric: tabular-nums; }
th { color: var(--soft); font-weight: normal; } .wide { width: 100%; min-width: 14rem; } .what { min-width: 10rem; }
p, li { overflow-wrap: anywhere; } td:not(.wide, .what) { white-space: nowrap; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; overflow-y: auto; padding: 0.6rem; border: 1px solid var(--line); border-radius: 4px; max-height: 30rem; }
code { overflow-wrap: anywhere; }
figure { margin: 1rem 0; } figcaption { color: var(--soft); } svg { display: block; width: 100%; height: auto; }
svg text { fill: var(--soft); font-size: 11px; } svg .value { text-anchor: end; dominant-baseline: middle; }
.grid { stroke: var(--line); stroke-width: 0.6; } .curve { fill: none; stroke: var(--curve); stroke-width: 1.3; }
.curve, line { vector-effect: non-scaling-stroke; }
svg .fault { fill: var(--fault); fill-opacity: 0.07; } svg .bar { fill: var(--fault); } .moment { stroke: var(--moment); stroke-width: 1; stroke-dasharray: 3 3; }
circle.buy { fill: var(--good); } circle.sell { fill: var(--bad); } line.bid { stroke: var(--good); stroke-opacity: 0.75; } line.ask { stroke: var(--bad); stroke-opacity: 0.75; }
.legend { color: var(--soft); } .legend .buy { color: var(--good); } .legend .sell { color: var(--bad); } .legend .bid { color: var(--good); } .legend .ask { color: var(--bad); } .legend .fault { color: var(--fault); } .legend .moment { color: var(--moment); margin-left: 0.4rem; }
@media (max-width: 40rem) { svg text { font-size: 20px; } svg text.value { font-size: 16px; } svg text.name { display: none; } circle { r: 6px; } }
`;
