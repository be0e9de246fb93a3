/** A small drawing for a mark with a figurative part: an SVG in a data URI, which browsers show without a request. */
import type { Random } from './random.ts';

const COLOURS = ['1b4d89', 'c0392b', '2e7d32', 'f2a900', '5b2c83', '00838f', 'd84315', '37474f', 'ad1457', '6d8b00'];

const SHAPES: readonly ((random: Random, fill: string) => string)[] = [
  (random, fill) => `<circle cx='100' cy='52' r='${random.between(22, 44)}' fill='${fill}'/>`,
  (random, fill) => `<rect x='62' y='14' width='76' height='76' rx='${random.between(0, 30)}' fill='${fill}'/>`,
  (random, fill) => `<path d='M100 ${random.between(6, 16)} L142 90 L58 90 Z' fill='${fill}'/>`,
  (random, fill) =>
    `<circle cx='100' cy='52' r='${random.between(28, 38)}' fill='none' stroke='${fill}' stroke-width='9'/>`,
  (random, fill) =>
    `<path d='M40 60 Q70 ${random.between(5, 40)} 100 60 T160 60' fill='none' stroke='${fill}' stroke-width='10'/>`,
  (_random, fill) =>
    `<path d='M100 12 L111 42 L143 42 L117 61 L127 92 L100 73 L73 92 L83 61 L57 42 L89 42 Z' fill='${fill}'/>`,
  (random, fill) =>
    `<path d='M100 92 C${random.between(30, 55)} 60 66 12 100 34 C134 12 150 60 100 92 Z' fill='${fill}'/>`,
  (_random, fill) => `<path d='M70 90 V40 L100 14 L130 40 V90 Z' fill='${fill}'/>`,
];

const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', "'": '&#39;', '"': '&quot;' };

/** `data:image/svg+xml,…`, 0.4 to 1.2 KB. `words` are written below the drawing; null = none. */
export function buildImage(random: Random, words: string | null): string {
  const colours = [`#${random.pick(COLOURS)}`, `#${random.pick(COLOURS)}`];
  let drawing = random.pick(SHAPES)(random, colours[0] as string);
  if (random.chance(0.5))
    drawing += random
      .pick(SHAPES)(random, colours[1] as string)
      .replace(/\/>$/, " opacity='.6'/>");
  if (words !== null) {
    const text = words.replace(/[&<>'"]/g, (letter) => ESCAPES[letter] as string);
    const size = words.length > 22 ? 10 : words.length > 12 ? 15 : 21;
    drawing += `<text x='100' y='118' font-family='sans-serif' font-size='${size}' text-anchor='middle'>${text}</text>`;
  }
  const svg = `<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 200 128'>${drawing}</svg>`;
  return `data:image/svg+xml,${encodeURIComponent(svg)}`;
}
