/** A mark that is a word, drawn as a picture, so that lists of marks show a picture for each. */

const WIDTH = 144;
const HEIGHT = 96;
const LINES_MAX = 3;
const LINE_UNITS = 14;
/** East Asian characters take two units, others one. */
const WIDE = /[\u1100-\u115F\u2E80-\uA4CF\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE4F\uFF00-\uFF60\u{1F300}-\u{1FAFF}]/u;

export function drawWord(text: string | null): string | null {
  const lines = breakLines((text ?? '').replace(/[\p{Cc}\p{Cs}]/gu, ' ').trim());
  if (lines.length === 0) return null;
  const longest = Math.max(...lines.map(measure));
  const size = Math.round(Math.min(30, (WIDTH - 16) / (longest * 0.62), (HEIGHT - 12) / (lines.length * 1.25)));
  const first = HEIGHT / 2 - ((lines.length - 1) * size * 1.25) / 2 + size * 0.35;
  const spans = lines.map(
    (line, at) =>
      `<text x="${WIDTH / 2}" y="${(first + at * size * 1.25).toFixed(1)}" font-size="${size}">${escapeText(line)}</text>`,
  );
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" text-anchor="middle" ` +
    `font-family="Georgia, 'Times New Roman', serif" fill="#1c1c1c">${spans.join('')}</svg>`
  );
}

function breakLines(text: string): string[] {
  const lines: string[] = [];
  let isWhole = true;
  for (const word of text.split(/\s+/u).filter((each) => each !== '')) {
    const last = lines.at(-1);
    if (last !== undefined && measure(`${last} ${word}`) <= LINE_UNITS) lines[lines.length - 1] = `${last} ${word}`;
    else if (lines.length < LINES_MAX) lines.push(cutWord(word));
    else isWhole = false;
  }
  return isWhole ? lines : lines.map((line, at) => (at === lines.length - 1 ? `${line} …` : line));
}

function cutWord(word: string): string {
  const characters = [...word];
  return characters.length <= 2 * LINE_UNITS ? word : `${characters.slice(0, 2 * LINE_UNITS).join('')}…`;
}

function measure(text: string): number {
  let units = 0;
  for (const character of text) units += WIDE.test(character) ? 2 : 1;
  return Math.max(units, 1);
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

function escapeText(text: string): string {
  return text.replace(/[&<>]/g, (character) => ENTITIES[character]!);
}
