// By how many tokens a request was too long, as the error says it. [CMP-106]

const NUMBER = '([0-9]{1,3}(?:,[0-9]{3}){1,4}|[0-9]{1,15})';
const BLANKS = String.raw`[ \t\n\r]{0,9}`;
const FORM = new RegExp(
  String.raw`(?<![0-9.,])${NUMBER}${BLANKS}tokens?${BLANKS}(?:>|&gt;|\\u003e)${BLANKS}${NUMBER}(?![0-9]|[.,][0-9])`,
  'i',
);

const valueOf = (number) => Number(number.replaceAll(',', ''));

/** Tokens, or null. */
export function excessIn(error) {
  const match = FORM.exec(error);
  if (match === null) return null;
  const excess = valueOf(match[1]) - valueOf(match[2]);
  return excess > 0 ? excess : null;
}
