/**
 * What may be answered, logged or kept of what a caller sent: everything but what could be a key. Somebody who puts a
 * key where none belongs, by the name of a parameter or inside a value, whole, cut or encoded, finds it nowhere again.
 */

/** The shape of a key's text or of its secret, wherever it stands and whatever is left of its start. */
const KEY_TEXT = /(?:tmds_)?[0-9a-z]{6,12}_[0-9a-z]{16,}/gi;
/**
 * What begins like a key and goes on into its secret, however short that was cut. Settings such as `TMDS_LOG_LEVEL` are
 * in upper case and stay.
 */
const KEY_START = /tmds(?:_|%5[Ff])[0-9A-Za-z]+(?:_|%5[Ff])[\w%-]{6,}/g;
/** Long runs of letters and digits, as secrets are and words are not. */
const LONG_RUN = /[0-9a-z]{28,}/gi;
const SECRET_NAME = /key|token|secret|passw|auth|credential|session|signature|bearer/i;
/** Between these, a word of a sentence or of a line of JSON. */
const WORD = /[^\s"'`\\]+/g;
const MASKED = '***';
/** How often a text may be encoded upon itself before it is masked unread. */
const DECODINGS_MAX = 4;

/** A sentence or a name without anything that looks like a key. */
export function maskText(text: string): string {
  const plain = text.includes('%') ? text.replace(WORD, (word) => (hidesSecret(word) ? MASKED : word)) : text;
  return maskShapes(plain);
}

/** The same at the price of one look, for every line of the log: only what begins like a key. */
export function maskLine(line: string): string {
  return line.replace(KEY_START, MASKED);
}

/** `/v1/trademarks?api_key=…` without the value; the rest stands as it was sent. */
export function maskTarget(target: string): string {
  const mark = target.indexOf('?');
  const path = mark < 0 ? target : target.slice(0, mark);
  const query = mark < 0 ? null : target.slice(mark + 1);
  const segments = path.split('/').map((segment) => (isSecret(segment) ? MASKED : segment));
  if (query === null) return segments.join('/');
  return `${segments.join('/')}?${query.split('&').map(maskPair).join('&')}`;
}

function maskPair(pair: string): string {
  const at = pair.indexOf('=');
  const name = at < 0 ? pair : pair.slice(0, at);
  const value = at < 0 ? null : pair.slice(at + 1);
  const shownName = isSecret(name) ? MASKED : name;
  if (value === null) return shownName;
  // A cursor may be hidden with them: it looks like a secret, and says nothing to a reader.
  const hidden = value !== '' && (SECRET_NAME.test(decode(name)) || isSecret(value));
  return `${shownName}=${hidden ? MASKED : value}`;
}

/** True for what only decoding shows to be a secret; what can be seen is cut out, and the rest of the word stays. */
function hidesSecret(word: string): boolean {
  return decode(word) !== word && isSecret(word);
}

function isSecret(text: string): boolean {
  return listReadings(text).some((reading) => reading === null || maskShapes(reading) !== reading);
}

function maskShapes(text: string): string {
  return maskLine(text)
    .replace(KEY_TEXT, MASKED)
    .replace(LONG_RUN, (run) => (isMixed(run) ? MASKED : run));
}

function isMixed(run: string): boolean {
  return /\d/.test(run) && /[a-z]/i.test(run);
}

/** The text and what it says when it is decoded, again and again; ends with null where that has no end. */
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

/** ASCII alone, of which keys are made; a broken escape stands, and hides nothing after it. */
function decode(text: string): string {
  return text
    .replaceAll('+', ' ')
    .replace(/%([0-7][0-9a-f])/gi, (_, octet: string) => String.fromCharCode(Number.parseInt(octet, 16)));
}
