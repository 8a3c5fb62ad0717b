// The texts of variables: switches, whole numbers, percentages. [WIN-030 to WIN-032]

import { invalidArgument } from './errors.mjs';
import { sizes } from './text.mjs';
import { typed } from './typed.mjs';

const ON = { wide: ['1', 'true', 'yes', 'on'], strict: ['1', 'true'] };
const OFF = ['', '0', 'false', 'no', 'off'];
const WHOLE = /^[+-]?[0-9]+/;
const DECIMAL = /^([+-]?)(?:([0-9]+)(?:\.([0-9]*))?|\.([0-9]+))(?:[eE]([+-]?[0-9]+))?/;
const MAX_POINTS = 100;
const MAX_EXPONENT = 1_000n; // a mantissa has at most 100 digits, so beyond this the exponent alone decides

/** The argument `env`: names with texts. */
export function environmentOf(args) {
  const env = typed(args, 'env', 'object', {});
  if (!Object.values(env).every((value) => typeof value === 'string')) throw invalidArgument('env is no object of texts');
  return env;
}

/** Reads variables of one environment; `report(reason, name)` is told of what is odd. */
export class Variables {
  #env;
  #choices;
  #report;

  constructor(env, choices, report) {
    this.#env = env;
    this.#choices = choices;
    this.#report = report;
  }

  /** The text, where it is set to something. */
  text(name) {
    return Object.hasOwn(this.#env, name) ? this.#env[name] : '';
  }

  /** [WIN-030] */
  isOn(name) {
    const word = this.text(name)
      .trim()
      .replace(/[A-Z]/g, (letter) => letter.toLowerCase());
    if (ON[this.#choices['env.truthy']].includes(word)) return true;
    if (!OFF.includes(word)) this.#report('no-switch', name);
    return false;
  }

  /** The whole number, or null. [WIN-031] */
  whole(name) {
    const number = (match) => {
      const value = BigInt(match[0].replace('+', ''));
      return value >= 1n && value <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(value) : null;
    };
    return this.#read(name, WHOLE, number);
  }

  /** The percentage as {digits, places}: digits × 10^places, both BigInt; or null. [WIN-032] */
  percentage(name) {
    return this.#read(name, DECIMAL, (match) => {
      const [, sign, before = '', after = '', alone = '', power = '0'] = match;
      const fraction = after + alone;
      const digits = BigInt(before + fraction);
      let exponent = BigInt(power.replace('+', ''));
      if (exponent > MAX_EXPONENT) exponent = MAX_EXPONENT;
      if (exponent < -MAX_EXPONENT) exponent = -MAX_EXPONENT;
      const decimal = { digits, places: exponent - BigInt(fraction.length) };
      return sign !== '-' && digits > 0n && isUpTo100(decimal) ? decimal : null;
    });
  }

  #read(name, form, toNumber) {
    const written = this.text(name);
    if (written === '') return null; // before it is trimmed
    const text = written.trim();
    const match = sizes(text).code_points > MAX_POINTS ? null : form.exec(text);
    const isWhole = match !== null && match[0].length === text.length;
    if (match === null || (this.#choices['env.number'] === 'strict' && !isWhole)) {
      this.#report('no-number', name);
      return null;
    }
    const number = toNumber(match);
    if (number === null) this.#report('out-of-range', name);
    else if (!isWhole) this.#report('read-in-part', name);
    return number;
  }
}

function isUpTo100({ digits, places }) {
  return places >= 0n ? digits * 10n ** places <= 100n : digits <= 100n * 10n ** -places;
}

/** amount × percentage ÷ 100, rounded down once. [WIN-014] */
export function percentOf(amount, { digits, places }) {
  const product = BigInt(amount) * digits;
  return Number(places >= 0n ? (product * 10n ** places) / 100n : product / (100n * 10n ** -places));
}
