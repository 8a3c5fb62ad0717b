// The page of one session: the course of the context, what entered, and a readout for each.
{
  const responses = report.responses ?? [];
  const marks = JSON.parse(document.getElementById("marks").textContent);
  const thresholds = marks.thresholds;
  const words = { context: "context", input: "input", cache_read: "read from the cache", cache_write: "written to the cache", output: "output" };

  // What is inside a value, whatever its depth, with the way to each: tool_results.Read
  const leaves = (value, way) => {
    if (value == null) return [];
    if (typeof value !== "object") return [[way, typeof value === "boolean" ? (value ? "yes" : "no") : value]];
    return Object.entries(value).flatMap(([key, inner]) => leaves(inner, way ? `${way}.${key}` : key));
  };
  const names = { cache_per_mille: "thousandths from the cache", expected: "by the rules" };
  const said = (way) => names[way] ?? way.replaceAll("_", " ").replace(".", ", ");
  const apart = new Set(["n", "line", "at", "entered", ...Object.keys(words)]);

  if (responses.length) {
    const output = document.getElementById("figures");
    const numbers = responses.map((one) => one.n);
    const sizes = responses.map((one) => one.context ?? null);
    const tell = (at) => {
      const one = responses[at];
      const facts = Object.keys(words).filter((key) => typeof one[key] === "number").map((key) => [words[key], one[key], key]);
      for (const [way, value] of leaves(one.entered, "")) if (value) facts.push([`entered: ${said(way)}`, value, `entered.${way}`]);
      for (const key of Object.keys(one)) if (!apart.has(key)) for (const [way, value] of leaves(one[key], key)) facts.push([said(way), value, way]);
      if (typeof one.at === "string") facts.push(["at", one.at, "at"]);
      for (const mark of marks.events) if (mark.after === one.n) facts.push([mark.label, mark.words, "event"]);
      show(output, `Response ${numberText(one.n)}${one.line ? ` (line ${numberText(one.line)})` : ""}`, facts);
    };
    const line = (self, x0, y0, x1, y1, stroke, dash) => {
      const { ctx } = self;
      ctx.strokeStyle = stroke;
      ctx.lineWidth = 2 * devicePixelRatio;
      ctx.setLineDash(dash.map((size) => size * devicePixelRatio));
      ctx.beginPath();
      ctx.moveTo(x0, y0);
      ctx.lineTo(x1, y1);
      ctx.stroke();
    };
    const drawMarks = (self) => {
      const { ctx } = self;
      const { left, top, width, height } = self.bbox;
      ctx.save();
      ctx.beginPath();
      ctx.rect(left, top, width, height);
      ctx.clip();
      ctx.textAlign = "left";
      ctx.textBaseline = "alphabetic";
      ctx.font = `${12 * devicePixelRatio}px system-ui, sans-serif`;
      for (const one of thresholds) {
        const y = self.valToPos(one.tokens, "y", true);
        line(self, left, y, left + width, y, colour(one.colour), [6, 4]);
      }
      for (const one of marks.events) {
        const x = self.valToPos(one.after + 0.5, "x", true);
        line(self, x, top, x, top + height, colour(one.colour), one.label ? [] : [2, 3]);
        ctx.fillStyle = colour(one.colour);
        if (one.label) ctx.fillText(one.number, x + 5 * devicePixelRatio, top + height - 6 * devicePixelRatio);
        if (one.tokens == null) continue;
        ctx.beginPath();
        ctx.arc(x, self.valToPos(one.tokens, "y", true), 4 * devicePixelRatio, 0, 2 * Math.PI);
        ctx.fill();
      }
      ctx.setLineDash([]);
      ctx.strokeStyle = colour("paper");
      ctx.lineWidth = 4 * devicePixelRatio;
      let above = -Infinity; // the label before; one that would lie over it is left out
      for (const one of thresholds) {
        const beside = self.valToPos(one.tokens, "y", true) - 4 * devicePixelRatio;
        if (beside - above < 13 * devicePixelRatio) continue;
        above = beside;
        const words = `${one.label} ${numberText(one.tokens)}`;
        ctx.fillStyle = colour(one.colour);
        ctx.strokeText(words, left + 6 * devicePixelRatio, beside);
        ctx.fillText(words, left + 6 * devicePixelRatio, beside);
      }
      ctx.restore();
    };
    const first = numbers[0], last = numbers[numbers.length - 1];
    const highest = Math.max(1, ...thresholds.map((one) => one.tokens), ...marks.events.map((one) => one.tokens ?? 0));
    const options = {
      height: 360,
      scales: {
        x: { time: false, range: (_self, low, high) => (low === first && high === last ? [first - 0.5, last + 1] : [low, high]) },
        y: { range: (_self, _low, high) => [0, Math.max(high || 1, highest) * 1.05] },
      },
      axes: [
        axis({ size: 44, label: "response", labelSize: 18, labelGap: 0, space: 50, incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1e3, 2e3, 5e3, 1e4, 1e5], values: (_self, splits) => splits.map((at) => numberText(at)) }),
        axis({ size: 52, values: (_self, splits) => splits.map(shortNumber) }),
      ],
      series: [{}, { stroke: () => colour("context"), fill: () => colour("context-fill"), width: 2, points: { show: responses.length <= 60, size: 6 } }],
      hooks: { draw: [drawMarks] },
    };
    const made = makeChart(document.getElementById("timeline"), responses.length, options, [numbers, sizes], (chart, at) => ({ left: chart.valToPos(numbers[at], "x"), top: chart.valToPos(sizes[at] ?? 0, "y") }), tell);
    made.select(responses.length - 1);
    for (const button of document.querySelectorAll("button[data-response]"))
      button.addEventListener("click", () => {
        made.select(numbers.indexOf(Number(button.dataset.response)));
        const host = document.getElementById("timeline");
        host.focus();
        host.scrollIntoView({ block: "nearest" });
      });
    const more = document.getElementById("all");
    more.addEventListener("toggle", () => {
      const body = more.querySelector("tbody");
      if (!more.open || body.children.length) return;
      for (const one of responses) {
        const row = document.createElement("tr");
        for (const key of ["n", "line", ...Object.keys(words)]) {
          const cell = document.createElement("td");
          cell.className = "number";
          cell.textContent = typeof one[key] === "number" ? numberText(one[key]) : "";
          row.append(cell);
        }
        body.append(row);
      }
    });
  }
  if (marks.entered.length) {
    const output = document.getElementById("entered-figures");
    const bars = makeBars(document.getElementById("entered"), marks.entered, (at) => show(output, marks.entered[at].name, [["tokens", marks.entered[at].tokens, "tokens"]]));
    bars.select(0);
  }
}
