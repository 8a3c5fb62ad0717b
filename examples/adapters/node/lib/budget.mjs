// The budget that a prompt states. [WIN-040, WIN-041]

const AMOUNT = String.raw`([0-9]+)(?:\.([0-9]+))?\s*([kmb])`;
const NO_WORD_BEHIND = '(?![A-Za-z0-9_])';
const START = new RegExp(String.raw`^\+${AMOUNT}${NO_WORD_BEHIND}`, 'i');
const WHOLE = new RegExp(`^${AMOUNT}$`, 'i');
const PHRASE = new RegExp(
  String.raw`(?<![A-Za-z0-9_])(?:use|spend)\s+${AMOUNT}\s*tokens?${NO_WORD_BEHIND}`,
  'i',
);
const ZEROS = { k: 3, m: 6, b: 9 };
const MAX_DIGITS = 16;

/** Tokens, or null. */
export function budgetOf(prompt) {
  const text = prompt.trim();
  const form = START.exec(text) ?? atEnd(text) ?? PHRASE.exec(text);
  return form === null ? null : amountOf(form);
}

function atEnd(text) {
  const body = /[.!?]$/.test(text) ? text.slice(0, -1).trimEnd() : text;
  const plus = body.lastIndexOf('+');
  if (plus < 0 || /\S/.test(body.slice(Math.max(0, plus - 1), plus))) return null;
  return WHOLE.exec(body.slice(plus + 1));
}

/** Exact: of the fraction no more digits count than the unit has zeros. */
function amountOf([, whole, fraction = '', unit]) {
  const zeros = ZEROS[unit.toLowerCase()];
  const digits = whole.replace(/^0+/, '');
  if (digits.length > MAX_DIGITS) return null;
  const amount = BigInt(digits + fraction.slice(0, zeros).padEnd(zeros, '0'));
  return amount >= 1n && amount <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(amount) : null;
}
