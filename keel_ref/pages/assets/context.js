// The page of one context: the grid and the bars, one readout for both.
{
  const output = document.getElementById("figures");
  const grid = document.getElementById("grid");
  const squares = [...grid.children];
  const places = report.grid.rows.flat();
  const tell = (at) => {
    const one = report.categories[at];
    show(output, one.name, [
      ["tokens", one.tokens, "tokens"],
      ["of the window", `${Math.floor(one.per_mille / 10)}.${one.per_mille % 10} %`, "share"],
      ["squares", one.squares, "squares"],
    ]);
    squares.forEach((square, index) => square.classList.toggle("here", places[index] === at));
  };
  const rows = report.categories.map((one) => ({ name: one.name, tokens: one.tokens, colour: one.colour }));
  const bars = makeBars(document.getElementById("bars"), rows, tell);
  squares.forEach((square, index) => square.addEventListener("mouseenter", () => bars.select(places[index])));
  bars.select(0);
}
