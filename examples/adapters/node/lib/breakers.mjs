// The family of breakers. [CMP-077]

const IN_A_ROW = 3;
const IN_ALL = { auto_compact: Infinity, classifier: 20, cut_output: Infinity, long_summary: Infinity };

export const BREAKERS = Object.keys(IN_ALL);

/** Whether the breaker is open, after each event. */
export function openAfter(name, events) {
  let row = 0;
  let total = 0;
  return events.map((event) => {
    row = event === 'fail' ? row + 1 : 0;
    total += Number(event === 'fail');
    return row >= IN_A_ROW || total >= IN_ALL[name];
  });
}
