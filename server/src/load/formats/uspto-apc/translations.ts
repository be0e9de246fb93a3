/**
 * Reads the office's statements of translation and transliteration: sentences about words of the mark. It decides which
 * texts they give for the mark (rule I-48). A sentence of a form that is not in the tables gives nothing and is
 * returned as unread; nothing is guessed from it. Quoted texts stand apart while a sentence is read, so its words are
 * always the office's and never the mark's.
 */

export interface MarkVariants {
  /** Texts by which the mark can be found, in the order of the statements; null for none. */
  variants: string[] | null;
  /** Statements that say more than the tables know. */
  unread: string[];
}

/** What a sentence says. */
interface Rendering {
  /** The words it is about; null if it does not name them. */
  words: Words | null;
  /** The texts that it gives for them. */
  texts: readonly string[];
}

interface Words {
  text: string;
  /** Without quotation marks they may be anything, and count only if the mark has them. */
  isQuoted: boolean;
}

/** Longer statements are explanations. */
const STATEMENT_LENGTH_MAX = 4_000;

/** Transliterations come first, because translations may quote them. */
export function readTranslations(
  mark: string | null,
  statements: { transliterations: readonly string[]; translations: readonly string[] },
): MarkVariants {
  const name = mark === null ? null : foldBlanks(mark);
  const found = new Set<string>();
  const unread: string[] = [];
  /** The mark with the words of every statement replaced, which several statements give together. */
  let whole = name;
  for (const statement of [...statements.transliterations, ...statements.translations]) {
    const renderings = readStatement(statement);
    const placed = renderings?.map((each) => placeRendering(each, name, [...found])) ?? [null];
    if (placed.includes(null)) {
      unread.push(statement);
      continue;
    }
    for (const text of placed.flatMap((texts) => texts ?? [])) found.add(text);
    for (const { words, texts } of renderings ?? []) {
      const replaced = words === null || whole === null ? null : replaceWords(whole, words.text, texts[0] ?? '');
      if (replaced !== null) whole = replaced;
    }
  }
  if (whole !== null) found.add(whole);
  const variants = [...found].filter((text) => text !== '' && text !== name);
  return { variants: variants.length === 0 ? null : variants, unread };
}

/** The texts for the whole mark; null if the words are not in it. */
function placeRendering({ words, texts }: Rendering, name: string | null, known: readonly string[]): string[] | null {
  if (words === null || (name === null && words.isQuoted)) return [...texts];
  for (const base of name === null ? known : [name, ...known]) {
    const placed = texts.map((text) => replaceWords(base, words.text, text));
    if (placed.every((text) => text !== null)) return placed;
  }
  return null;
}

const LETTER = /[\p{L}\p{N}]/u;

/**
 * The text with these words replaced wherever they stand as whole words, or where they occur once as a part of a word.
 * Null if they do not occur.
 */
function replaceWords(text: string, words: string, by: string): string | null {
  const lower = text.toLowerCase();
  const sought = words.toLowerCase();
  // Places are only the same if lower-casing keeps the length.
  if (lower.length !== text.length || sought === '') return null;
  const starts: number[] = [];
  for (let at = lower.indexOf(sought); at >= 0; at = lower.indexOf(sought, at + sought.length)) starts.push(at);
  const isWhole = (at: number): boolean =>
    !LETTER.test(text.charAt(at - 1)) && !LETTER.test(text.charAt(at + sought.length));
  const wholes = starts.filter(isWhole);
  const places = wholes.length > 0 ? wholes : starts;
  if (places.length === 0 || (wholes.length === 0 && places.length > 1)) return null;
  let replaced = '';
  let from = 0;
  for (const at of places) {
    replaced += text.slice(from, at) + by;
    from = at + sought.length;
  }
  return replaced + text.slice(from);
}

const foldBlanks = (text: string): string => text.replace(/\s+/gu, ' ').trim();

/** Stands for a quoted text; no text of the office has it. */
const QUOTED = '\ufffc';

/** Empty for a statement that says that there is no translation; null for one of an unknown form. */
function readStatement(statement: string): Rendering[] | null {
  if (statement.length > STATEMENT_LENGTH_MAX || statement.includes(QUOTED)) return null;
  const quoted: string[] = [];
  const keep = (_whole: string, text: string): string => {
    quoted.push(trimMarks(text));
    return QUOTED;
  };
  const bare = foldBlanks(statement)
    .replace(/(?<= (?:is|as|to)): ?/giu, ' ')
    .replace(/[“”„‟«»″]/gu, '"')
    .replace(/''|``/g, '"')
    .replace(/"([^"]*)"/g, keep);
  // Single quotation marks only where they cannot be apostrophes. Places of both kinds would mix up their order.
  const plain = quoted.length > 0 ? bare : bare.replace(/(?<![^\s(])[‘']([^'‘’]+)[’'](?![^\s.,;:)])/gu, keep);
  if (/["‘]/u.test(plain) || quoted.includes('')) return null;
  const renderings: Rendering[] = [];
  for (const sentence of splitSentences(plain)) {
    const count = countQuoted(sentence);
    const read = readSentence(sentence, quoted.splice(0, count));
    if (read === null) return null;
    renderings.push(...read);
  }
  return renderings;
}

/** Marks of punctuation that a sentence puts inside its quotation marks. */
const trimMarks = (text: string): string =>
  text
    .trim()
    .replace(/(?<![.,;:])[.,;:]+$/, '')
    .trim();

/** The end of a sentence, or of a clause before one that is complete on its own. */
const SENTENCE_END = new RegExp(
  [
    '[.;](?: |$)|,? and (?=',
    '(?:the )?(?:english )?trans(?:lation|literation) (?:of|is) ',
    `|(?:the )?(?:foreign )?(?:(?:word|wording|term) )?${QUOTED} (?:means|translates|is translated|has no) `,
    ')',
  ].join(''),
  'iu',
);

function splitSentences(text: string): string[] {
  return text
    .split(SENTENCE_END)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== '');
}

const countQuoted = (text: string): number => text.split(QUOTED).length - 1;

/** Words before a verb that says that there is no translation. */
const SOMETHING = String.raw`(?:\S+ ){1,20}?`;
const KIND = '(?:(?:known|other|english|direct|literal|exact|actual|particular) ){0,3}';
const MEANINGS = '(?:meaning|translation|significance|equivalent)';

/** `X has no meaning in a foreign language`. */
const NOTHING = new RegExp(
  String.raw`^${SOMETHING}(?:has|have|having|with) no ${KIND}${MEANINGS}\b[^${QUOTED}]*$`,
  'iu',
);
/** What a sentence that says so may not say as well. */
const SAYS_MORE = /\b(?:means?|transliterat\w+|translat(?:es?|ed))\b/iu;
/** The same in other words. */
const NONE = new RegExp(
  [
    '^(?:none|not applicable|n/a',
    `|(?:there is )?no ${KIND}${MEANINGS}(?: (?:for|of|in) [^,;:]+)?`,
    `|${SOMETHING}(?:does not translate|do not translate|cannot be translated`,
    `|(?:does|do) not have (?:a|any) ${KIND}${MEANINGS})(?: (?:in|into|to) [^${QUOTED}]+)?`,
    ')$',
  ].join(''),
  'iu',
);

const VERB = [
  '(?:may be translated',
  'can be translated',
  'is translated',
  'are translated',
  'translates?',
  'means?)',
].join('|');
/** Introduces the meaning of a transliteration. */
const LINK = '(?:,? (?:and|which) (?:(?:this|it|these|which|that) )?(?:means?|translates?|ha[sv]e?) | meaning )';

const TRANSLATION = new RegExp(
  [
    '^(?:the )?(?:english )?(?:language )?(?:translation|transliteration|equivalent)(?: into english)?',
    '(?: of (?<about>(?:(?! is ).)+))? is (?<text>.+)$',
  ].join(''),
  'iu',
);
const MEANING = new RegExp(`^(?<about>(?:(?! ${VERB} ).)+) ${VERB} (?<text>.+)$`, 'iu');
const TRANSLITERATION = new RegExp(
  [
    '^(?<about>(?:(?! transliterates? ).)+) transliterates? (?:in)?to ',
    `(?<text>(?:(?!${LINK}).)+)(?:(?<link>${LINK})(?<rest>.+))?$`,
  ].join(''),
  'iu',
);

function readSentence(sentence: string, quoted: string[]): Rendering[] | null {
  const transliterated = TRANSLITERATION.exec(sentence)?.groups;
  if (transliterated !== undefined) return readTransliteration(transliterated, quoted);
  if (NONE.test(sentence) || (NOTHING.test(sentence) && !SAYS_MORE.test(sentence))) return [];
  const { about, text } = (TRANSLATION.exec(sentence) ?? MEANING.exec(sentence))?.groups ?? {};
  return text === undefined ? null : readRendering(about ?? null, text, quoted);
}

type Groups = Readonly<Record<string, string | undefined>>;

function readTransliteration({ about, text = '', link = '', rest }: Groups, quoted: string[]): Rendering[] | null {
  const aboutQuoted = quoted.slice(0, countQuoted(about ?? ''));
  const first = readRendering(about ?? null, text, quoted);
  if (first === null || rest === undefined) return first;
  if (/ ha[sv]e? $/i.test(link)) return /^no /i.test(rest) && countQuoted(rest) === 0 ? first : null;
  const second = readRendering(about ?? null, rest, [...aboutQuoted, ...quoted]);
  return second === null ? null : [...first, ...second];
}

/** Takes the quoted texts that it reads off the list. */
function readRendering(about: string | null, text: string, quoted: string[]): Rendering[] | null {
  const words = about === null ? [null] : readSubject(about, quoted);
  const texts = words === null ? null : readTexts(text, quoted);
  if (words === null || texts === null) return null;
  if (words.length === 1) return [{ words: words[0] ?? null, texts }];
  if (words.length !== texts.length) return null;
  return words.map((each, at) => ({ words: each, texts: [texts[at] ?? ''] }));
}

const LIST = '\ufffc(?:(?:,|,? and|,? or|,? and/or|/|) ?\ufffc)*';
/** Where the words are. */
const PLACE = new RegExp(
  [
    ',? (?:(?:as )?(?:it |they )?(?:appears? |appearing |contained |shown |used )?(?:in|of) ',
    "(?:the )?(?:applicant's |applied-for |proposed )?mark)$",
  ].join(''),
  'iu',
);
const NOUN = [
  String.raw`(?:words?|word\(s\)|wordings?|terms?|term\(s\)|phrases?|names?|characters?`,
  'letters?|lettering|text|script|marks?|elements?|portions?)',
].join('|');
const QUOTED_WORDS = new RegExp(`^(?:the )?(?:[a-z-]+ ){0,4}(?<list>${LIST})(?: ${NOUN})?$`, 'iu');
/** The words of the mark that are not English, without quoting them. */
const UNQUOTED_WORDS = new RegExp(`^(?:the |this |applicant's )?(?:[a-z-]+ ){0,3}${NOUN}$`, 'iu');
const BEFORE_WORDS = new RegExp(`^(?:the )?(?:foreign |non-english )?${NOUN} `, 'iu');

/** The words that a sentence is about; a single null if it does not name them. */
function readSubject(about: string, quoted: string[]): (Words | null)[] | null {
  const subject = about.replace(PLACE, '');
  const list = QUOTED_WORDS.exec(subject)?.groups?.list;
  if (list !== undefined) return quoted.splice(0, countQuoted(list)).map((text) => ({ text, isQuoted: true }));
  if (subject.includes(QUOTED)) return null;
  if (UNQUOTED_WORDS.test(subject)) return [null];
  return [{ text: subject.replace(BEFORE_WORDS, ''), isQuoted: false }];
}

const ENGLISH = '(?:(?:in |into |to )?(?:the )?english(?: language)? )?';
const LOOSELY = '(?:(?:literally|roughly|loosely) )?';
const BEFORE_TEXT = new RegExp(
  [
    `^${LOOSELY}${ENGLISH}${LOOSELY}(?:as |to |to mean )?(?:either )?(?:the )?`,
    `(?:(?:english )?(?:words?|phrases?|terms?) )?(?=${QUOTED})`,
  ].join(''),
  'iu',
);
const BEFORE_BARE_TEXT = new RegExp(`^${ENGLISH}(?:as |to mean )?`, 'iu');
const AFTER_TEXT = new RegExp(
  [
    '(?:,? respectively)?(?: in (?:the )?english(?: language)?| into english| in the mark)?',
    '(?:,? respectively)?$',
  ].join(''),
  'iu',
);
const QUOTED_TEXTS = new RegExp(`^${LIST}$`, 'u');
/** Words that show that a text without quotation marks is more than a rendering, or none. */
const NO_RENDERING = new RegExp(
  [
    String.raw`["(),:;/]|\b(?:is|are|or|not|none|no|unknown|unavailable|uncertain|pending|same|similar|following`,
    String.raw`|above|see|attached|meaning|means?|translat\w+|transliterat\w+|refers?|applicant|mark|wording|term)\b`,
  ].join(''),
  'iu',
);

function readTexts(text: string, quoted: string[]): string[] | null {
  const ended = text.replace(AFTER_TEXT, '');
  const list = ended.replace(BEFORE_TEXT, '');
  if (QUOTED_TEXTS.test(list)) return quoted.splice(0, countQuoted(list));
  if (ended.includes(QUOTED)) return null;
  const bare = ended.replace(BEFORE_BARE_TEXT, '');
  return bare === '' || NO_RENDERING.test(bare) ? null : [bare];
}
