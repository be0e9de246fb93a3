/**
 * The kinds of fields that forms are declared of: how each is shown, what is read of it, and whether it is shown again.
 */

import { type Attributes, renderButton } from './components.ts';
import { renderCheck, renderChecks, renderChipSet, renderField, renderSelect, renderTextArea } from './fields.ts';
import type { Field } from './forms.ts';
import type { Fault } from './once.ts';
import { formatCount, renderHidden } from './pieces.ts';

interface Labelled {
  readonly label: string;
  readonly hint?: unknown;
  readonly attributes?: Attributes;
}

type Read<Result> = (text: string) => Result;
/** What is read of a text that has no fault. */
type Good<Result> = Exclude<Result, Fault>;

/** A line of text. An attribute `type` makes it a day, an address or a number. */
export function textField<Result>({ read, ...field }: Labelled & { readonly read: Read<Result> }): Field<Good<Result>> {
  return {
    render: (name, [text = ''], { id = name, label, hint, attributes }) =>
      renderField({
        id,
        label: label ?? field.label,
        hint: hint ?? field.hint,
        attributes: { name, ...field.attributes, ...attributes, value: text },
      }),
    read: ([text = '']) => read(text) as Good<Result> | Fault,
    isKept: true,
  };
}

/** A text of many lines. `bytesMax`: of a text that may be longer than other fields. */
export function areaField<Result>(
  field: Labelled & { readonly read: Read<Result>; readonly bytesMax?: number },
): Field<Good<Result>> {
  const { label, attributes, read, bytesMax } = field;
  return {
    render: (name, [text = ''], { hint = field.hint }) =>
      renderTextArea({ id: name, label, hint, text, attributes: { ...attributes } }),
    read: ([text = '']) => read(text) as Good<Result> | Fault,
    isKept: true,
    ...(bytesMax === undefined ? {} : { parts: { fieldBytesMax: bytesMax } }),
  };
}

export function fileField(field: Labelled): Field<null> {
  return {
    render: (name) =>
      renderField({
        id: name,
        label: field.label,
        hint: field.hint,
        attributes: { type: 'file', ...field.attributes },
      }),
    read: () => null,
    isKept: false,
    parts: { takesFile: true },
  };
}

/** A password, or a text that only confirms: it is never shown again. */
export function unkeptField(field: Labelled): Field<string> {
  return {
    render: (name, _texts, { label }) =>
      renderField({ id: name, label: label ?? field.label, hint: field.hint, attributes: field.attributes ?? {} }),
    read: ([text = '']) => text,
    isKept: false,
  };
}

/** The fault of a form without a choice, as a sentence; `initial`: what is chosen from the beginning. */
interface Offer<Value extends string> {
  readonly label: string;
  readonly choices: readonly { readonly value: Value; readonly label: unknown }[];
  readonly fault: string;
}

/** One of several. `absent`: what a form means that does not have the field. */
export function choiceField<Value extends string>(
  offer: Offer<Value> & {
    readonly as: 'select' | 'radio';
    readonly initial: NoInfer<Value>;
    readonly absent?: NoInfer<Value>;
  },
): Field<Value> {
  const { as, label, choices, initial, absent, fault } = offer;
  return {
    render: (name, [text]) => {
      const chosen = choices.find(({ value }) => value === text)?.value ?? initial;
      return as === 'radio'
        ? renderChecks({ legend: label, name, choices, chosen: [chosen] }, 'radio')
        : renderSelect({ id: name, label, choices, chosen });
    },
    read: ([text = absent]) => choices.find(({ value }) => value === text)?.value ?? { fault },
    isKept: true,
  };
}

/** At least one of several, in the order of the choices. A page may offer fewer, and then has to say which. */
export function checksField<Value extends string>({ label, choices, fault }: Offer<Value>): Field<readonly Value[]> {
  return {
    render: (name, chosen, { choices: offered = choices }) =>
      renderChecks({ legend: label, name, choices: offered, chosen }, 'checkbox'),
    read: (texts) => {
      const chosen = choices.map(({ value }) => value).filter((value) => texts.includes(value));
      return chosen.length === 0 ? { fault } : chosen;
    },
    isKept: true,
  };
}

/** Any of those that the page offers, in pills; `initial` if none is chosen. A text may name several, as addresses do. */
export function chipsField({
  label,
  hint,
  initial = [],
}: Labelled & { readonly initial?: readonly string[] }): Field<readonly string[]> {
  const split = (texts: readonly string[]): string[] =>
    texts.flatMap((text) => text.split(',')).filter((text) => text !== '');
  return {
    render: (name, texts, { choices = [] }) => {
      const typed = split(texts);
      const chosen = typed.length === 0 ? initial : typed;
      return choices.length + chosen.length === 0
        ? null
        : renderChipSet({ legend: label, name, choices, chosen, hint });
    },
    read: split,
    isKept: true,
  };
}

/** Rows of a table, which draws a box for each (`renderTick`). Each counts once. */
export function rowsField(max: number): Field<readonly string[]> {
  return {
    render: () => null,
    read: (texts) => {
      const chosen = [...new Set(texts)];
      return chosen.length > max ? { fault: `Choose at most ${formatCount(max)} rows.` } : chosen;
    },
    isKept: false,
  };
}

interface Deed {
  readonly label: string;
  readonly kind?: Parameters<typeof renderButton>[1];
  /** The browser sends the form even if a field has a fault. */
  readonly isUnchecked?: true;
}

/**
 * The buttons of a form that can do several things. A page may show fewer of them (`offers`).
 * `absent`: what a form means that was sent by another button.
 */
export function buttonsField<Name extends string, Absent extends string = never>(
  deeds: Readonly<Record<Name, Deed>>,
  absent?: Absent,
): Field<NoInfer<Name | Absent>> {
  const names = Object.keys(deeds) as Name[];
  const known: readonly (Name | Absent)[] = absent === undefined ? names : [...names, absent];
  return {
    render: (name, _texts, { offers = names }) =>
      names
        .filter((value) => offers.includes(value))
        .map((value) => {
          const { label, kind = 'second', isUnchecked = false } = deeds[value];
          return renderButton(label, kind, { name, value, formnovalidate: isUnchecked || null });
        }),
    read: ([text = absent]) => known.find((name) => name === text) ?? { fault: 'Choose one of the buttons.' },
    isKept: false,
    isButtons: true,
  };
}

/** A box that may be ticked, and is from the beginning. */
export function tickedField({ label, text }: { readonly label: string; readonly text: string }): Field<boolean> {
  return {
    render: (name) =>
      renderChecks({ legend: label, name, choices: [{ value: 'yes', label: text }], chosen: ['yes'] }, 'checkbox'),
    read: ([sent]) => sent === 'yes',
    isKept: false,
  };
}

/** One of those that the page offers, which alone knows them. */
export function offeredField(label: string, initial: string): Field<string> {
  return {
    render: (name, [chosen = initial], { choices = [] }) => renderSelect({ id: name, label, choices, chosen }),
    read: ([text = initial]) => text,
    isKept: true,
  };
}

/** A value that the page states and nobody types. */
export function hiddenField(isKept = true): Field<string> {
  return {
    render: (name, texts) => texts.map((text) => renderHidden(name, text)),
    read: ([text = '']) => text,
    isKept,
  };
}

/** The statement that has to be ticked before an action that cannot be undone. */
export function sureField(statement: string): Field<true> {
  return {
    render: (name) => renderCheck(statement, { name, value: 'yes', required: true }),
    read: ([text]) => (text === 'yes' ? true : { fault: 'Confirm that you mean it.' }),
    isKept: false,
  };
}
