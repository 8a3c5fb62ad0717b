"use strict";
// What both pages share: the report, colours that follow the theme, a readout, a cursor that the keyboard moves, bars.
const report = JSON.parse(document.getElementById("report").textContent);
const numberText = (value) => value.toLocaleString("en-US");
const shortNumber = (value) => (value >= 1e6 ? `${value / 1e6}M` : value >= 1000 ? `${value / 1000}k` : `${value}`);
const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
const spelled = (text) => String(text).replace(/[\p{C}\p{Zl}\p{Zp}]/gu, (char) => `\\u{${char.codePointAt(0).toString(16)}}`);
const charts = [];

// Everything that comes from the report goes in as text, never as markup.
function show(output, title, facts) {
  const head = document.createElement("strong");
  head.textContent = spelled(title);
  const list = document.createElement("dl");
  for (const [label, value, key] of facts) {
    const group = document.createElement("div");
    const term = document.createElement("dt");
    const figure = document.createElement("dd");
    term.append(Object.assign(document.createElement("bdi"), { textContent: spelled(label) }));
    figure.append(Object.assign(document.createElement("bdi"), { textContent: typeof value === "number" ? numberText(value) : spelled(value) }));
    figure.dataset.key = key ?? label;
    group.append(term, figure);
    list.append(group);
  }
  output.replaceChildren(head, list);
}

// One picture: `place(chart, index)` says where a point lies, `tell(index)` what its figures are.
function makeChart(host, count, options, data, place, tell) {
  const width = () => Math.max(200, host.clientWidth - 2);
  let here = -1;
  const goTo = (index) => {
    here = Math.min(count - 1, Math.max(0, index));
    tell(here);
  };
  const chart = new uPlot(
    {
      ...options,
      width: width(),
      legend: { show: false },
      hooks: {
        ...options.hooks,
        setCursor: [(self) => { const at = self.cursor.idx; if (at != null && at !== here) goTo(at); }],
      },
    },
    data,
    host,
  );
  const select = (index) => {
    goTo(index);
    chart.setCursor(place(chart, here));
  };
  host.addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const steps = { ArrowRight: here + 1, ArrowDown: here + 1, ArrowLeft: here - 1, ArrowUp: here - 1, PageDown: here + 10, PageUp: here - 10, Home: 0, End: count - 1 };
    if (!(event.key in steps)) return;
    event.preventDefault();
    select(steps[event.key]);
  });
  new ResizeObserver(() => { if (chart.width !== width()) chart.setSize({ width: width(), height: options.height }); }).observe(host);
  charts.push(chart);
  return { chart, select };
}

matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => charts.forEach((chart) => chart.redraw(false, true)));

const axis = (more) => ({ stroke: () => colour("faint"), grid: { stroke: () => colour("line"), width: 1 }, ticks: { stroke: () => colour("line"), width: 1 }, ...more });

// Lying bars, one a row: {name, tokens, colour}. The first stands on top.
function makeBars(host, rows, tell) {
  const lengths = rows.map((row) => row.tokens);
  const drawBars = (self) => {
    const { ctx } = self;
    const step = Math.abs(self.valToPos(1, "x", true) - self.valToPos(0, "x", true));
    const start = self.valToPos(0, "y", true);
    ctx.save();
    rows.forEach((row, at) => {
      const length = Math.max(row.tokens ? devicePixelRatio : 0, self.valToPos(row.tokens, "y", true) - start);
      ctx.fillStyle = colour(row.colour);
      ctx.fillRect(start, self.valToPos(at, "x", true) - step * 0.35, length, step * 0.7);
    });
    ctx.restore();
  };
  const isNarrow = host.clientWidth < 480;
  const clip = (text) => { const shown = spelled(text); const cap = isNarrow ? 14 : 28; return shown.length > cap ? `${shown.slice(0, cap - 1)}…` : shown; };
  const options = {
    height: 60 + 30 * rows.length,
    cursor: { drag: { x: false, y: false }, points: { show: false }, y: true, x: false },
    scales: { x: { time: false, ori: 1, dir: -1, range: [-0.5, rows.length - 0.5] }, y: { ori: 0, dir: 1, range: (_self, _low, high) => [0, (high || 1) * 1.05] } },
    axes: [
      axis({ scale: "x", side: 3, size: isNarrow ? 120 : 200, grid: { show: false }, splits: () => rows.map((_row, at) => at), values: (_self, splits) => splits.map((at) => (rows[at] ? clip(rows[at].name) : "")) }),
      axis({ scale: "y", side: 2, size: 30, space: 60, values: (_self, splits) => splits.map(shortNumber) }),
    ],
    series: [{}, { paths: () => null, points: { show: false } }],
    hooks: { draw: [drawBars] },
  };
  return makeChart(host, rows.length, options, [rows.map((_row, at) => at), lengths], (chart, at) => ({ left: chart.valToPos(lengths[at], "y"), top: chart.valToPos(at, "x") }), tell);
}
