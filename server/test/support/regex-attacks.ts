/**
 * Texts on which a regular expression may take longer than its length explains: for each repetition of it, what leads
 * there, then what may be repeated, many times, then what the rest does not take.
 */
import { type AST, RegExpParser } from '@eslint-community/regexpp';

/** Characters of every kind that classes distinguish, and the ones that the expression names. */
const CHARACTERS = [...' \t\n\0aZ09_-.,:;\'"()[]{}<>/\\=#|!', 'é', '漢', '가', 'あ', '\u0301', '　', '（', '😀'];
/** A repetition of fewer costs no more than a constant. */
const REPEATS_MIN = 50;
const ENDS_MAX = 5;
const PUMPS_MAX = 14;

type CharacterNode = AST.Character | AST.CharacterSet | AST.CharacterClass;

function isCharacter(node: AST.Node): node is CharacterNode {
  return node.type === 'Character' || node.type === 'CharacterSet' || node.type === 'CharacterClass';
}

interface Parts {
  readonly characters: CharacterNode[];
  /** With the nodes before it. */
  readonly repetitions: { readonly node: AST.Quantifier; readonly before: readonly AST.Node[] }[];
}

function collectParts(node: AST.Node, before: readonly AST.Node[], parts: Parts): void {
  if (isCharacter(node)) parts.characters.push(node);
  else if (node.type === 'Quantifier') {
    if (node.max >= REPEATS_MIN) parts.repetitions.push({ node, before });
    collectParts(node.element, before, parts);
  } else if ('alternatives' in node) {
    for (const { elements } of node.alternatives as AST.Alternative[]) {
      for (const [index, element] of elements.entries()) {
        collectParts(element, [...before, ...elements.slice(0, index)], parts);
      }
    }
  }
}

/** What each part of an expression takes. */
class Alphabet {
  /** One character for each group that no part distinguishes. */
  readonly representatives: readonly string[];
  private readonly taken: ReadonlyMap<string, readonly string[]>;

  constructor(nodes: readonly CharacterNode[], flags: string) {
    const named = nodes.flatMap((node) => [...node.raw.replaceAll('\\', '')]);
    const pool = [...new Set([...CHARACTERS, ...named])];
    const raws = [...new Set(nodes.map(({ raw }) => raw))];
    const tests = raws.map((raw) => new RegExp(`^(?:${raw})$`, flags.replaceAll(/[gydm]/g, '')));
    const groups = new Map<string, string>();
    for (const character of pool) {
      const key = tests.map((test) => (test.test(character) ? 1 : 0)).join('');
      if (!groups.has(key)) groups.set(key, character);
    }
    this.representatives = [...groups.values()];
    this.taken = new Map(
      raws.map((raw, at) => [raw, [...groups].flatMap(([key, one]) => (key[at] === '1' ? [one] : []))]),
    );
  }

  of({ raw }: CharacterNode): readonly string[] {
    return this.taken.get(raw) ?? [];
  }

  /** A short text that a part takes. */
  shortest(node: AST.Node): string {
    if (isCharacter(node)) return this.of(node)[0] ?? '';
    if (node.type === 'Quantifier') return this.shortest(node.element).repeat(Math.min(node.min, 20));
    if (node.type === 'Assertion' || !('alternatives' in node)) return '';
    const texts = (node.alternatives as AST.Alternative[]).map(({ elements }) => this.join(elements));
    return texts.reduce((one, other) => (other.length < one.length ? other : one));
  }

  join(nodes: readonly AST.Node[]): string {
    return nodes.map((node) => this.shortest(node)).join('');
  }
}

/** What may be repeated: the characters of the part, and each of its alternatives as a whole. */
function listPumps(node: AST.Quantifier, lead: string, alphabet: Alphabet): string[] {
  const inner: Parts = { characters: [], repetitions: [] };
  collectParts(node.element, [], inner);
  const wholes: string[] = [];
  if ('alternatives' in node.element) {
    for (const { elements } of node.element.alternatives as AST.Alternative[]) {
      const whole = alphabet.join(elements);
      // Once with each optional part.
      wholes.push(
        whole,
        elements.map((one) => alphabet.shortest(one.type === 'Quantifier' ? one.element : one)).join(''),
      );
    }
  }
  const singles = inner.characters.flatMap((one) => alphabet.of(one));
  const first = alphabet.shortest(node.element);
  return [...new Set([...wholes, ...singles, lead, lead + first])].filter((pump) => pump !== '').slice(0, PUMPS_MAX);
}

/** Texts of about `length` UTF-16 units; none if nothing is repeated. */
export function* listAttacks(source: string, flags: string, length: number): Generator<string> {
  const parser = new RegExpParser({ ecmaVersion: 2024 });
  const pattern = parser.parsePattern(source, 0, source.length, {
    unicode: flags.includes('u'),
    unicodeSets: flags.includes('v'),
  });
  const parts: Parts = { characters: [], repetitions: [] };
  collectParts(pattern, [], parts);
  const alphabet = new Alphabet(parts.characters, flags);
  // What nothing takes, with a whole match after it: some engines look for a character that every match has.
  const whole = pattern.alternatives.map(({ elements }) => alphabet.join(elements));
  const ends = ['', '\0', '\n', ...whole.map((text) => `\0${text}\0`), ...alphabet.representatives.slice(0, ENDS_MAX)];
  const seen = new Set<string>();
  for (const { node, before } of parts.repetitions) {
    const lead = alphabet.join(before);
    for (const pump of listPumps(node, lead, alphabet)) {
      for (const start of new Set([lead, '', '\0'])) {
        const key = `${start}\u0001${pump}`;
        if (seen.has(key)) continue;
        seen.add(key);
        const body = start + pump.repeat(Math.ceil(length / pump.length));
        for (const end of new Set(ends)) yield body + end;
      }
    }
  }
}
