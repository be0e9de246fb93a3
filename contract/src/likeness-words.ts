/** What makes a name alike, in words, as pages, reports and hits of watches say it. */
import type { CountedWord, HeldAs, UnplacedEvidence } from './likeness.ts';

const COUNT = new Intl.NumberFormat('en-US');

const percent = (likeness: number): string => `${Math.round(likeness * 100)} %`;

/** One piece of evidence in words, such as `Begins alike: rheo`. */
export function describeEvidence(evidence: UnplacedEvidence): string {
  switch (evidence.strategy) {
    case 'equal':
      return 'The same letters';
    case 'glyphs':
      return 'Its letters look the same';
    case 'edits':
      return evidence.edits === 1 ? 'One letter differs' : `${evidence.edits} letters differ`;
    case 'plural':
      return `The same stem: ${evidence.stem}`;
    case 'order':
      return 'The same words in another order';
    case 'sound':
      return `Sounds the same in ${evidence.read_as === 'german' ? 'German' : 'English'}`;
    case 'consonants':
      return `The same consonants: ${evidence.consonants}`;
    case 'transliteration':
      return `Alike in Latin letters, ${percent(evidence.likeness)}`;
    case 'within':
      return `One is within the other: ${evidence.words.map(({ word }) => word).join(' ')}`;
    case 'word':
      return describeWord(evidence);
    case 'beginning':
      return `Begins alike: ${evidence.letters}`;
    case 'letters':
      return `Letters in common, ${percent(evidence.likeness)}`;
  }
}

/** What a name is of its mark, such as `Pseudo mark held by the register: pharo`; null for the text of the mark. */
export function describeHeld(held_as: HeldAs, name: string): string | null {
  switch (held_as) {
    case 'mark':
      return null;
    case 'variant':
      return `Translation or transliteration held by the register: ${name}`;
    case 'pseudo_mark':
      return `Pseudo mark held by the register: ${name}`;
  }
}

/** Everything that makes a name alike: what it is of its mark, if it is not the text, then the evidence. */
export function describeReasons({
  name,
  held_as,
  evidence,
}: {
  readonly name: string;
  readonly held_as: HeldAs;
  readonly evidence: readonly UnplacedEvidence[];
}): string[] {
  const held = describeHeld(held_as, name);
  return [...(held === null ? [] : [held]), ...evidence.map(describeEvidence)];
}

function describeCount({ names, names_in_classes }: CountedWord): string {
  const all = `in ${COUNT.format(names)} ${names === 1 ? 'name' : 'names'}`;
  if (names_in_classes === null) return all;
  return `${all}, ${names_in_classes === 0 ? 'none' : COUNT.format(names_in_classes)} in these classes`;
}

function describeWord({ likeness, asked, held }: Extract<UnplacedEvidence, { strategy: 'word' }>): string {
  const names = describeCount(held);
  return asked.word === held.word
    ? `A word in common: ${held.word} (${names})`
    : `Words alike: ${asked.word} and ${held.word} (${names}), ${percent(likeness)}`;
}
