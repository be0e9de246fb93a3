/**
 * Masks anything that could be a key in what callers send, before it is answered, logged or stored. Callers put keys in
 * the wrong place: as a parameter, as its name or inside a value; whole, cut short or percent-encoded.
 */

/** The shape of a key or of its secret, anywhere in a text, even with its beginning cut off. */
const KEY_TEXT = /(?:tmds_)?[0-9a-z]{6,12}_[0-9a-z]{16,}/gi;
/**
 * The beginning of a key and at least some of its secret. Settings such as `TMDS_LOG_LEVEL` are upper case and do not
 * match.
 */
const KEY_START = /tmds(?:_|%5[Ff])[0-9A-Za-z]+(?:_|%5[Ff])[\w%-]{6,}/g;
/** Long runs of letters and digits: secrets look like this, words do not. */
const LONG_RUN = /[0-9a-z]{28,}/gi;
const SECRET_NAME = /key|token|secret|passw|auth|credential|session|signature|bearer/i;
/** A word of a sentence or of a line of JSON. */
const WORD = /[^\s"'`\\]+/g;
const MASKED = '***';
/** No text with fewer characters has one of the shapes above, not even once decoded, since decoding shortens it. */
const SECRET_CHARACTERS_MIN = 13;
/** How many layers of percent-encoding are undone; text with more is masked unread. */
const DECODINGS_MAX = 4;

/** Masks every part of a sentence or a name that looks like a key. */
export function maskText(text: string): string {
  const plain = text.includes('%') ? text.replace(WORD, (word) => (hidesSecret(word) ? MASKED : word)) : text;
  return maskShapes(plain);
}

/** A cheaper form for every line of the log: one regular expression, which masks only what begins like a key. */
export function maskLine(line: string): string {
  return line.replace(KEY_START, MASKED);
}

/** Masks the secrets in a request target such as `/v1/trademarks?api_key=…`; leaves the rest as it was sent. */
export function maskTarget(target: string): string {
  const mark = target.indexOf('?');
  const path = mark < 0 ? target : target.slice(0, mark);
  const query = mark < 0 ? null : target.slice(mark + 1);
  const shownPath = path
    .split('/')
    .map((part) => (isSecret(part) ? MASKED : part))
    .join('/');
  return query === null ? shownPath : `${shownPath}?${query.split('&').map(maskPair).join('&')}`;
}

function maskPair(pair: string): string {
  const at = pair.indexOf('=');
  const name = at < 0 ? pair : pair.slice(0, at);
  const value = at < 0 ? null : pair.slice(at + 1);
  const shownName = isSecret(name) ? MASKED : name;
  if (value === null) return shownName;
  // This masks cursors too: they look like secrets, and no reader needs them.
  const hidden = value !== '' && (SECRET_NAME.test(decode(name)) || isSecret(value));
  return `${shownName}=${hidden ? MASKED : value}`;
}

/** Whether a word is a secret only once it is decoded; `maskShapes` masks the others and keeps the rest of the word. */
function hidesSecret(word: string): boolean {
  return decode(word) !== word && isSecret(word);
}

function isSecret(text: string): boolean {
  return (
    text.length >= SECRET_CHARACTERS_MIN &&
    listReadings(text).some((reading) => reading === null || maskShapes(reading) !== reading)
  );
}

function maskShapes(text: string): string {
  return maskLine(text)
    .replace(KEY_TEXT, MASKED)
    .replace(LONG_RUN, (run) => (isMixed(run) ? MASKED : run));
}

function isMixed(run: string): boolean {
  return /\d/.test(run) && /[a-z]/i.test(run);
}

/** The text and each result of decoding it once more; ends with null if that does not stop within `DECODINGS_MAX`. */
function listReadings(text: string): (string | null)[] {
  const readings: (string | null)[] = [text];
  for (let last = text; readings.length <= DECODINGS_MAX; ) {
    const next = decode(last);
    if (next === last) return readings;
    readings.push(next);
    last = next;
  }
  return [...readings, null];
}

/** Decodes ASCII only, because keys are ASCII. A broken escape is kept and does not stop the decoding. */
function decode(text: string): string {
  return text
    .replaceAll('+', ' ')
    .replace(/%([0-7][0-9a-f])/gi, (_, octet: string) => String.fromCharCode(Number.parseInt(octet, 16)));
}
