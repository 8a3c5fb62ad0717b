// The grid of squares in which categories are drawn. [CTX-120 to CTX-124]

const ROWS = 10;
const COLUMNS = 10;
const WIDE_COLUMNS = 20;
const WIDE_FROM = 1_000_000;

/** {columns, rows, squares} of categories, {tokens, deferred}; tokens as BigInt. */
export function gridOf(categories, window) {
  const columns = window >= WIDE_FROM ? WIDE_COLUMNS : COLUMNS; // [CTX-120]
  const squares = squaresOf(
    categories.map(({ tokens, deferred }) => (deferred ? 0n : tokens)),
    ROWS * columns,
  );
  const places = squares.flatMap((count, place) => Array(count).fill(place)); // [CTX-123]
  const rows = [];
  for (let at = 0; at < places.length; at += columns) rows.push(places.slice(at, at + columns));
  return { columns, rows, squares };
}

function squaresOf(amounts, count) {
  const sum = amounts.reduce((total, amount) => total + amount, 0n);
  if (sum === 0n) return amounts.map(() => 0); // [CTX-124]
  const products = amounts.map((amount) => amount * BigInt(count));
  const squares = products.map((product) => (product === 0n ? 0 : Math.max(1, Number(product / sum)))); // [CTX-121]
  const left = count - squares.reduce((total, share) => total + share, 0);
  if (left > 0) giveMissing(squares, products.map((product) => product % sum), left);
  for (let extra = left; extra < 0; extra++) squares[squares.indexOf(Math.max(...squares))]--;
  return squares;
}

/** One each to the largest remainders, of equal ones to the earlier. [CTX-122] */
function giveMissing(squares, remainders, left) {
  const places = [...squares.keys()].sort((one, other) => {
    if (remainders[one] === remainders[other]) return one - other;
    return remainders[one] > remainders[other] ? -1 : 1;
  });
  for (const place of places.slice(0, left)) squares[place]++;
}
