/**
 * A form, declared once by its fields. From the declaration follow the markup, the reading of what was sent with its
 * fault, the type of the values, which fields are shown again after a form that could not be accepted, and whether it
 * is sent in parts.
 */
import { html } from 'htm/preact';
import type { PublicCall } from './call.ts';
import { type Attributes, renderActions, renderButton, renderLinkButton } from './components.ts';
import type { Fault } from './once.ts';
import { formFields } from './pieces.ts';

/** What a page knows of a field only when it shows the form. */
interface Shown {
  readonly id?: string;
  readonly value?: string | number | null | readonly string[];
  readonly label?: unknown;
  readonly hint?: unknown;
  readonly choices?: readonly Choice[];
  /** The buttons that the page has; default: all. */
  readonly offers?: readonly string[];
  readonly attributes?: Attributes;
}

export interface Choice {
  readonly value: string;
  readonly label: unknown;
  readonly title?: string;
}

/** A form that takes a file or long texts is sent as `multipart/form-data`. */
interface Parts {
  readonly takesFile?: true;
  /** Bytes of the longest field, if a field may be longer than others. */
  readonly fieldBytesMax?: number;
}

export interface Field<Value> {
  /** `texts`: what to show in it. */
  readonly render: (name: string, texts: readonly string[], shown: Shown) => unknown;
  readonly read: (texts: readonly string[]) => Value | Fault;
  /** Shown again after a refusal; never a secret or a confirmation. */
  readonly isKept: boolean;
  /** The buttons of the form, below its fields. */
  readonly isButtons?: true;
  readonly parts?: Parts;
}

export type Fields = Readonly<Record<string, Field<unknown>>>;
type ValueOf<Of> = Of extends Field<infer Value> ? Exclude<Value, Fault> : never;
export type Values<Of extends Fields> = { readonly [Name in keyof Of]: ValueOf<Of[Name]> };

export interface Form<Of extends Fields = Fields> {
  readonly fields: Of;
  readonly keeps: readonly string[];
  /** Null: sent as a text. */
  readonly parts: Parts | null;
  /** The first fault in the order of the fields, if there is one. */
  readonly read: (sent: URLSearchParams) => Values<Of> | Fault;
}

export function declareForm<const Of extends Fields>(fields: Of): Form<Of> {
  const named: [name: string, field: Field<unknown>][] = Object.entries(fields);
  return {
    fields,
    parts: joinParts(named.flatMap(([, field]) => field.parts ?? [])),
    keeps: named.filter(([, { isKept }]) => isKept).map(([name]) => name),
    read: (sent) => {
      const values: [name: string, value: unknown][] = [];
      for (const [name, { read }] of named) {
        const value = read(sent.getAll(name));
        if (isFault(value)) return value;
        values.push([name, value]);
      }
      return Object.fromEntries(values) as Values<Of>;
    },
  };
}

function joinParts(parts: readonly Parts[]): Parts | null {
  if (parts.length === 0) return null;
  const bytes = parts.flatMap(({ fieldBytesMax }) => fieldBytesMax ?? []);
  return {
    ...(parts.some(({ takesFile }) => takesFile === true) ? { takesFile: true } : {}),
    ...(bytes.length === 0 ? {} : { fieldBytesMax: Math.max(...bytes) }),
  };
}

export const NO_FIELDS = declareForm({});

export function isFault(value: unknown): value is Fault {
  return typeof value === 'object' && value !== null && 'fault' in value;
}

export interface Submission<Of extends Fields> {
  readonly action: string;
  /** The words of the button; null if the form has a field of buttons. */
  readonly label: unknown;
  readonly kind?: Parameters<typeof renderButton>[1];
  readonly shown?: { readonly [Name in keyof Of]?: Shown };
  /** The page to go back to; a form without one has no way to cancel. */
  readonly back?: string;
  /** `row`: the fields are next to each other. Null: a form without a field. */
  readonly layout?: 'stack' | 'row' | null;
  /** Shown above the fields, and between them and the button. */
  readonly before?: unknown;
  readonly note?: unknown;
}

/** The typed texts go before those that the page knows. */
export function renderForm<Of extends Fields>(call: PublicCall, form: Form<Of>, submission: Submission<Of>): unknown {
  const { action, label, kind = 'first', back, layout = 'stack', before, note } = submission;
  const shown: Readonly<Record<string, Shown | undefined>> = submission.shown ?? {};
  const fields = (isButtons: boolean): unknown[] =>
    Object.entries(form.fields)
      .filter(([, field]) => (field.isButtons === true) === isButtons)
      .map(([name, field]) => renderOne(call, name, field, shown[name]));
  const buttons = [
    ...fields(true),
    label === null ? null : renderButton(label, kind),
    back === undefined ? null : renderLinkButton('Cancel', back, 'second'),
  ].filter((button) => button !== null);
  return html`
    <form method="post" action=${action} enctype=${form.parts === null ? null : 'multipart/form-data'} class=${layout}>
      ${formFields(call)}
      ${before}
      ${fields(false)}
      ${note}
      ${buttons.length === 1 && label !== null ? buttons : renderActions(...buttons)}
    </form>
  `;
}

/** A form of one button, which may look like text. */
export function renderButtonForm(call: PublicCall, action: string, button: unknown): unknown {
  return html`
    <form method="post" action=${action}>
      ${formFields(call)}
      ${button}
    </form>
  `;
}

function renderOne(
  { form: sent, query }: Pick<PublicCall, 'form' | 'query'>,
  name: string,
  { render, isKept }: Field<unknown>,
  known: Shown = {},
): unknown {
  const typed = isKept ? [sent, query].find((place) => place.has(name))?.getAll(name) : undefined;
  const texts = typed ?? [known.value ?? []].flat().map(String);
  return render(name, texts, known);
}

/** The call as if nothing had been typed, for a form on a page where another one was. */
export function untyped<Call extends PublicCall>(call: Call): Call {
  return { ...call, form: new URLSearchParams(), query: new URLSearchParams() };
}
