/**
 * A form, declared once by its fields. From the declaration follow the markup, the reading of what was sent with its
 * fault, the type of the values, and which fields are shown again after a form that could not be accepted.
 */
import { html } from 'htm/preact';
import type { PublicCall } from './call.ts';
import { type Attributes, renderActions, renderButton, renderLinkButton } from './components.ts';
import { renderCheck, renderChecks, renderField, renderSelect } from './fields.ts';
import type { Fault } from './once.ts';
import { formFields } from './pieces.ts';

/** What a page knows of a field only when it shows the form. */
interface Shown {
  /** Default: the name of the field. */
  readonly id?: string;
  /** Shown before anything was typed. */
  readonly value?: string | number | null | readonly string[];
  readonly label?: unknown;
  readonly hint?: unknown;
  readonly choices?: readonly Choice[];
  readonly attributes?: Attributes;
}

interface Choice {
  readonly value: string;
  readonly label: unknown;
}

export interface Field<Value> {
  /** `texts`: what to show in it. */
  readonly render: (name: string, texts: readonly string[], shown: Shown) => unknown;
  readonly read: (texts: readonly string[]) => Value | Fault;
  /** Shown again after a refusal; never a secret or a confirmation. */
  readonly isKept: boolean;
}

export type Fields = Readonly<Record<string, Field<unknown>>>;
type ValueOf<Of> = Of extends Field<infer Value> ? Value : never;
export type Values<Of extends Fields> = { readonly [Name in keyof Of]: ValueOf<Of[Name]> };

export interface Form<Of extends Fields = Fields> {
  readonly fields: Of;
  /** The names of the fields that are shown again. */
  readonly keeps: readonly string[];
  /** The first fault in the order of the fields, if there is one. */
  readonly read: (sent: URLSearchParams) => Values<Of> | Fault;
}

export function declareForm<const Of extends Fields>(fields: Of): Form<Of> {
  const named = Object.entries(fields);
  return {
    fields,
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

/** A form that is only a button. */
export const NO_FIELDS = declareForm({});

export function isFault(value: unknown): value is Fault {
  return typeof value === 'object' && value !== null && 'fault' in value;
}

interface Submission<Of extends Fields> {
  readonly action: string;
  /** The words of the button. */
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
  const button = renderButton(label, kind);
  return html`
    <form method="post" action=${action} class=${layout}>
      ${formFields(call)}
      ${before}
      ${renderFields(call, form, submission.shown)}
      ${note}
      ${back === undefined ? button : renderActions(button, renderLinkButton('Cancel', back, 'second'))}
    </form>
  `;
}

/** A form of one button. `kept`: fields that nobody types. */
export function renderButtonForm(
  call: PublicCall,
  action: string,
  button: unknown,
  kept: Readonly<Record<string, string>> = {},
): unknown {
  return html`
    <form method="post" action=${action}>
      ${formFields(call)}
      ${Object.entries(kept).map(([name, value]) => renderHidden(name, value))}
      ${button}
    </form>
  `;
}

function renderFields<Of extends Fields>(
  { form: sent, query }: Pick<PublicCall, 'form' | 'query'>,
  { fields }: Form<Of>,
  shown: { readonly [Name in keyof Of]?: Shown } = {},
): unknown {
  return Object.entries(fields).map(([name, { render, isKept }]) => {
    const known = shown[name] ?? {};
    const typed = isKept ? [sent, query].find((place) => place.has(name))?.getAll(name) : undefined;
    const texts = typed ?? [known.value ?? []].flat().map(String);
    return render(name, texts, known);
  });
}

/** The call as if nothing had been typed, for a form on a page where another one was. */
export function untyped<Call extends PublicCall>(call: Call): Call {
  return { ...call, form: new URLSearchParams(), query: new URLSearchParams() };
}

function renderHidden(name: string, value: string): unknown {
  return html`<input key=${name} type="hidden" name=${name} value=${value} />`;
}

interface Labelled {
  readonly label: string;
  readonly hint?: string;
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
    render: (name, [text]) => (text === undefined ? null : renderHidden(name, text)),
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
