/**
 * The yardstick: marks that were opposed, with the earlier marks that their opponents named, from the register files of
 * the EUIPO next to the checkout. An opposition is a claim, not a decision.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { text as readText } from 'node:stream/consumers';
import { openSource } from '../../server/src/load/sources/source.ts';
import { foldName } from '../../server/src/record/names.ts';

export interface Contested {
  /** The number of the application; the half of a mark follows from it. */
  readonly number: string;
  /** In compared form, as the earlier marks. */
  readonly mark: string;
  readonly earlier: readonly string[];
  /** Nice classes of its goods. */
  readonly classes: readonly number[];
}

/** A text of a mark with the Nice classes of the file that states it. */
export interface RealName {
  readonly name: string;
  readonly classes: readonly number[];
}

/** A mark of one letter is alike to nothing by its letters. */
const LETTERS_MIN = 2;

/** The file of every mark in the sample. */
async function readSample(dataDir: string): Promise<string[]> {
  const source = await openSource(join(dataDir, 'euipo', 'EUTM-sample.zip'));
  const texts: string[] = [];
  for await (const { stream } of source.entries((name) => name.endsWith('.xml'))) texts.push(await readText(stream));
  return texts;
}

/** Contested marks in the order of their numbers; marks with one text are one. */
export async function readContested(dataDir: string): Promise<Contested[]> {
  const contested = new Map<string, Omit<Contested, 'earlier'> & { earlier: Set<string> }>();
  const files = await readSample(dataDir);
  for (const text of files.sort((one, other) => (numberOf(one) < numberOf(other) ? -1 : 1))) {
    const [mark] = listTexts(text.split('<OppositionDetails>')[0]!);
    if (mark === undefined || [...mark].length < LETTERS_MIN) continue;
    const oppositions = text.slice(text.indexOf('<OppositionDetails>'), text.lastIndexOf('</OppositionDetails>'));
    const earlier = [...oppositions.matchAll(/<EarlierMark>(.*?)<\/EarlierMark>/gs)].flatMap(([part]) =>
      listTexts(part),
    );
    if (earlier.length === 0) continue;
    const known = contested.get(mark) ?? {
      number: numberOf(text),
      mark,
      classes: listClasses(text),
      earlier: new Set<string>(),
    };
    for (const each of earlier) known.earlier.add(each);
    contested.set(mark, known);
  }
  return Array.from(contested.values(), (each) => ({ ...each, earlier: [...each.earlier] }));
}

/** Marks with an even number are tuned on, the others are not. */
export function isTuned({ number }: Contested): boolean {
  return Number(number) % 2 === 0;
}

/** The texts of all marks in the real files, in compared form. Those of an opposed mark's file have its classes. */
export async function readRealNames(dataDir: string): Promise<RealName[]> {
  const names: RealName[] = [];
  for (const text of await readSample(dataDir)) {
    const classes = listClasses(text);
    for (const name of listTexts(text)) names.push({ name, classes });
  }
  for (const file of readdirSync(dataDir, { recursive: true, withFileTypes: true })) {
    if (!file.isFile() || !file.name.endsWith('.xml')) continue;
    const text = readFileSync(join(file.parentPath, file.name), 'utf8');
    for (const name of listTexts(text, ANY_MARK_TEXT)) names.push({ name, classes: [] });
  }
  return names;
}

function listClasses(xml: string): number[] {
  return [...new Set([...xml.matchAll(/<ClassNumber>(\d+)</g)].map(([, number]) => Number(number)))];
}

/** The element with the text of a mark, in the files of EUIPO and of others. */
const MARK_TEXT = /<(MarkVerbalElementText)\b[^>]*>([^<]+)<\/\1>/g;
const ANY_MARK_TEXT = /<(MarkVerbalElementText|Trademark_Name|mark-identification|title)\b[^>]*>([^<]+)<\/\1>/g;

function listTexts(xml: string, pattern = MARK_TEXT): string[] {
  return [...xml.matchAll(pattern)].map(([, , text]) => foldName(decode(text!))).filter((name) => name !== '');
}

function decode(text: string): string {
  return text
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&quot;/g, '"')
    .replace(/&apos;/g, "'")
    .replace(/&amp;/g, '&');
}

function numberOf(text: string): string {
  return /<ApplicationNumber>([^<]*)/.exec(text)?.[1] ?? '';
}
